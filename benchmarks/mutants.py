"""Random mutants of the source, and whether the tests notice: ``python -m benchmarks.mutants``.

A mutant is the source with one small change: a comparison, an operation, a number, a condition
or a word of logic.  It is made in a copy of the project, in which the tests run; it is killed if
one fails, or if they take far longer than they should.  Tests that bear the file's name run
first, then those of its folders, then all others of the default suite.  Each outcome is saved at
once, and mutants of a file that has not changed since are not tried again: hours can be split.
Why one that survives is harmless may be written in the place of its outcome.
"""

import argparse
import ast
import csv
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import say

ROOT = Path(__file__).parents[1]
OUTCOMES = ROOT / "benchmarks/results/mutants.csv"
SOURCE = Path("src/penalized_bandits")
PARTS = {
    "policies": ("policies", "engine"),
    "bandit": ("bandit", "theory"),
    "engine": ("engine", "policies"),
    "statistics": ("statistics", "claims"),
    "theory": ("theory", "claims"),
    "claims": ("claims", "pages"),
    "storage": ("storage", "cli"),
}
"""Folders of the package that are mutated, and folders of tests that run first for each."""
COPIED = ("src", "tests", "workflow", "config", "docs", "profiles", "benchmarks")
FILES = ("Snakefile", "pyproject.toml", "uv.lock", "README.md", "environment.yml")

_COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_WRITTEN = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
_OPERATED = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the characters from ``start`` to ``end`` become ``new``."""

    path: Path
    line: int
    start: int
    end: int
    old: str
    new: str
    text: str
    """The line that it is in."""

    @property
    def part(self) -> str:
        """The folder of the package that it is in."""
        return self.path.relative_to(SOURCE).parts[0]

    @property
    def file(self) -> str:
        """What the file held before the change, by its digest's first digits."""
        return hashlib.sha256((ROOT / self.path).read_bytes()).hexdigest()[:8]

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is known by: the file as it was, the place and the change."""
        return self.file, str(self.start), str(self)

    def __str__(self) -> str:
        return (
            f"{self.path.relative_to(SOURCE)}:{self.line}: {self.old} -> {self.new} in {self.text}"
        )


def _offsets(text: str) -> list[int]:
    """Where each line begins, in bytes, as the syntax tree counts columns."""
    found = [0]
    for line in text.encode().splitlines(keepends=True):
        found.append(found[-1] + len(line))
    return found


def _between(text: bytes, left: int, right: int, old: str) -> int:
    """Where an operator is written between its two sides; -1 if not as such."""
    place = text[left:right].find(old.encode())
    return left + place if place >= 0 else -1


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file: none of annotations, docstrings and messages."""
    text = (ROOT / path).read_text(encoding="utf-8")
    data, lines = text.encode(), _offsets(text)
    tree = ast.parse(text)
    silent = {
        id(inner)
        for node in ast.walk(tree)
        for part in (
            getattr(node, "annotation", None),
            getattr(node, "returns", None),
            node.exc if isinstance(node, ast.Raise) else None,
            node if isinstance(node, ast.JoinedStr | ast.Assert | ast.Import) else None,
        )
        if isinstance(part, ast.AST)
        for inner in ast.walk(part)
    }

    def at(node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None  # noqa: S101
        assert node.end_col_offset is not None  # noqa: S101
        first = lines[node.lineno - 1] + node.col_offset
        return first, lines[node.end_lineno - 1] + node.end_col_offset

    def made(node: ast.expr, start: int, old: str, new: str) -> Iterator[Mutant]:
        if start >= 0:
            source = text.splitlines()[node.lineno - 1].strip()
            yield Mutant(path, node.lineno, start, start + len(old.encode()), old, new, source)

    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            kind = type(node.ops[0])
            place = _between(data, at(node.left)[1], at(node.comparators[0])[0], _WRITTEN[kind])
            yield from made(node, place, _WRITTEN[kind], _COMPARED[kind])
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATED:
            old, new = _OPERATED[type(node.op)]
            yield from made(
                node, _between(data, at(node.left)[1], at(node.right)[0], old), old, new
            )
        elif isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            left, right = at(node.values[0])[1], at(node.values[1])[0]
            yield from made(node, _between(data, left, right, old), old, new)
        elif isinstance(node, ast.If | ast.IfExp):
            first, last = at(node.test)
            old = data[first:last].decode()
            yield from made(node.test, first, old, f"not ({old})")
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            first, last = at(node)
            old = data[first:last].decode()
            new = f"{old} + 1" if isinstance(node.value, int) else f"{old} * 1.5 + 0.1"
            yield from made(node, first, old, f"({new})")


def chosen(number: int, seed: int) -> list[Mutant]:
    """Draw mutants, as many from each part: the same ones until their lines change."""

    def drawn(mutant: Mutant) -> bytes:
        what = f"{seed} {mutant.path} {mutant.text} {mutant.old} {mutant.new}"
        return hashlib.sha256(what.encode()).digest()

    found = []
    for i, part in enumerate(PARTS):
        paths = sorted((ROOT / SOURCE / part).rglob("*.py"))
        places = [m for path in paths for m in mutants_of(path.relative_to(ROOT))]
        share = number // len(PARTS) + (i < number % len(PARTS))
        found += sorted(places, key=drawn)[:share]
    return found


def _passes(folder: Path, tests: list[str], seconds: float) -> bool:
    """Say whether tests pass in a copy of the project; not where they take too long."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder / "src"),
        "NUMBA_CACHE_DIR": str(folder / ".numba"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, env=environment, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode in (0, 5)


def survives(mutant: Mutant, folder: Path) -> bool:
    """Try a mutant in a copy of the project, and put the file back."""
    path = folder / mutant.path
    before = path.read_bytes()
    path.write_bytes(before[: mutant.start] + mutant.new.encode() + before[mutant.end :])
    tests = [p.relative_to(folder) for p in sorted((folder / "tests").rglob("test_*.py"))]
    named = [p for p in tests if path.stem in p.stem]
    near = [p for p in tests if p.parts[1] in PARTS[mutant.part] and p not in named]
    rest = [p for p in tests if p not in named and p not in near]
    try:
        return all(_passes(folder, [*map(str, part)], 1800) for part in (named, near, rest) if part)
    finally:
        path.write_bytes(before)


def saved() -> dict[tuple[str, str, str], str]:
    """Return the outcomes of earlier runs, by the mutants' keys."""
    if not OUTCOMES.exists():
        return {}
    with OUTCOMES.open(encoding="utf-8", newline="") as file:
        return {
            (row["file"], row["start"], row["mutant"]): row["outcome"]
            for row in csv.DictReader(file)
        }


def save(outcomes: dict[tuple[str, str, str], str]) -> None:
    """Write all outcomes."""
    with OUTCOMES.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["file", "start", "mutant", "outcome"])
        table.writerows([*key, outcome] for key, outcome in outcomes.items())


def report(mutants: list[Mutant], outcomes: dict[tuple[str, str, str], str]) -> None:
    """Print how many mutants of each part were tried and killed, and those that were not."""
    tried = [mutant for mutant in mutants if mutant.key in outcomes]
    killed = {mutant for mutant in tried if outcomes[mutant.key] == "killed"}
    say("| part | mutants | tried | killed |\n| --- | --- | --- | --- |")
    for part in (*PARTS, "all"):
        some = [[m for m in group if part in (m.part, "all")] for group in (mutants, tried, killed)]
        say(f"| {part} | {' | '.join(str(len(group)) for group in some)} |")
    say("\n".join(f"{mutant}: {outcomes[mutant.key]}" for mutant in tried if mutant not in killed))


def main() -> None:
    """Make mutants, run the tests on each and print those that nothing noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", choices=PARTS, help="only mutants of this part")
    arguments = parser.parse_args()
    every = chosen(arguments.number, arguments.seed)
    mutants = [mutant for mutant in every if arguments.part in (None, mutant.part)]
    earlier = saved()
    outcomes = {mutant.key: earlier[mutant.key] for mutant in every if mutant.key in earlier}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "copy"
        for name in COPIED:
            shutil.copytree(ROOT / name, folder / name)
        for name in FILES:
            shutil.copy(ROOT / name, folder / name)
        for i, mutant in enumerate(mutants, start=1):
            if mutant.key in outcomes:
                continue
            start = time.perf_counter()
            outcomes[mutant.key] = "SURVIVES" if survives(mutant, folder) else "killed"
            save(outcomes)
            took = time.perf_counter() - start
            say(f"{i}/{len(mutants)} {outcomes[mutant.key]} {mutant} ({took:.0f} s)")
    report(every, outcomes)


if __name__ == "__main__":
    main()
