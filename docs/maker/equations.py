"""Write where each equation, theorem and section of the paper is in the code.

There is a table for each kind of number in ``docs/equations.csv``.  Places are found in the
docstrings of the package, which say "eq. (11)", "Theorem 4.2" or "Settings 3 and 5"; claims by
what they say of their place.
"""

import ast
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from penalized_bandits.claims import CLAIMS

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src/penalized_bandits"
NUMBERS = ROOT / "docs/equations.csv"
CLAIM_FILES = "claims/paper/"
"""Files of single claims have a column of their own."""
COMPUTED = ("bandit/", "policies/", "theory/")
HOMES = {"setting": ("experiments/paper/",), "figure": ("figures/",)}
"""Where the code of a kind is, if not in ``COMPUTED``; other files only use it."""

KINDS = {
    "equation": ("Equations", r"[Ee]qs?\.", r"\((\d+)\)"),
    "theorem": ("Theorems", r"Theorems?", r"(4\.\d)"),
    "lemma": ("Lemmas", r"Lemmas?", r"(4\.\d)"),
    "observation": ("Observations before Theorem 4.5", r"Observations?", r"(\d)"),
    "algorithm": ("Algorithms", r"Algorithms?", r"(\d)"),
    "section": ("Sections and their remarks", r"[Ss]ections?", r"(\d)(?!\.\d)"),
    "setting": ("Settings", r"Settings?", r"(\d)"),
    "figure": ("Figures", r"Figures?", r"(\d)"),
}
"""Title of the table; the word before the numbers, and a number, as regular expressions."""

Reference = tuple[str, str]
"""A kind and a number, such as ``("theorem", "4.2")``."""


@dataclass(frozen=True)
class Place:
    """A docstring, and the part of the paper that it names."""

    file: str
    """Below the package's folder."""
    name: str
    """What the docstring is of, within its file; empty for the file itself."""
    first: bool
    """Whether the docstring names it in its first paragraph, or begins the next with it."""

    @property
    def link(self) -> str:
        """The name, with a link where the site has one."""
        module = self.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        target = f"penalized_bandits.{module}.{self.name}"
        return f'<autoref identifier="{target}" optional><code>{self.name}</code></autoref>'


def numbers() -> list[Reference]:
    """Return the parts of the paper that the code must name, by kind and number."""
    with NUMBERS.open(encoding="utf-8", newline="") as file:
        return [(row["kind"], row["number"]) for row in csv.DictReader(file)]


def references(text: str) -> set[Reference]:
    """Return the parts of the paper that a text names; "4.6 to 4.8" is three of them."""
    found: set[Reference] = set()
    for kind, (_, word, number) in KINDS.items():
        several = rf"{word}\s+({number}(?:(?:,\s+|\s+and\s+|\s+or\s+|\s+to\s+){number})*)"
        for match in re.finditer(several, text):
            last = ""
            for part in re.finditer(rf"(to\s+)?{number}", match[1]):
                if part[1]:
                    found |= {(kind, between) for between in _between(last, part[2])}
                last = part[2]
                found.add((kind, last))
    return found


def _between(first: str, last: str) -> list[str]:
    head, digit = first[:-1], first[-1]
    return [f"{head}{n}" for n in range(int(digit) + 1, int(last[-1]))]


def _docstrings(node: ast.AST, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield what has a docstring and the docstring: modules, classes, functions, constants."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        yield name, ast.get_docstring(node) or ""
    body = getattr(node, "body", [])
    for statement, following in zip(body, [*body[1:], None], strict=True):
        inner = f"{name}.{getattr(statement, 'name', '')}".strip(".")
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            yield from _docstrings(statement, inner)
        match statement, following:
            case (
                ast.Assign(targets=[ast.Name(target)]) | ast.AnnAssign(target=ast.Name(target)),
                ast.Expr(ast.Constant(str(text))),
            ):
                yield f"{name}.{target}".strip("."), text


@cache
def places() -> dict[Reference, list[Place]]:
    """Return where the docstrings of the package name each part of the paper."""
    found: dict[Reference, list[Place]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        for name, text in _docstrings(ast.parse(path.read_text(encoding="utf-8"))):
            head, _, rest = text.partition("\n\n")
            opening = references(f"{head} {re.split(r'[:.] ', rest)[0]}")
            for reference in sorted(references(text)):
                place = Place(file, name, reference in opening)
                found.setdefault(reference, []).append(place)
    return found


@cache
def claims() -> dict[Reference, list[str]]:
    """Return the claims about each part of the paper."""
    found: dict[Reference, list[str]] = {}
    for claim, entry in CLAIMS.items():
        module = import_module(f"penalized_bandits.{CLAIM_FILES.replace('/', '.')}{entry.module}")
        for reference in references(module.CLAIM.where):
            found.setdefault(reference, []).append(claim)
    return found


def tables() -> str:
    """Return a table for each kind, with a row for each number."""
    sections = []
    for kind, (title, _, _) in KINDS.items():
        rows = [row(kind, number) for kind_, number in numbers() if kind_ == kind]
        head = "| | computed or defined in | used or named in | claims |\n|---|---|---|---|"
        sections.append("\n".join([f"## {title}\n", head, *rows]))
    return "\n\n".join(sections)


def homes(kind: str, number: str) -> list[Place]:
    """Return the places that compute or define a part of the paper."""
    folders = HOMES.get(kind, COMPUTED)
    found = [p for p in places().get((kind, number), []) if p.file.startswith(folders)]
    return [place for place in found if place.first] or found


def row(kind: str, number: str) -> str:
    """Return the row of one part of the paper."""
    shown: dict[str, list[str]] = {}
    for place in homes(kind, number):
        shown.setdefault(place.file, []).extend([place.link] if place.name else [])
    others = dict.fromkeys(
        f"`{place.file}`"
        for place in places().get((kind, number), [])
        if place.file not in shown and not place.file.startswith(CLAIM_FILES)
    )
    cells = (
        f"**({number})**" if kind == "equation" else f"**{kind.capitalize()} {number}**",
        "<br>".join(" ".join([f"`{file}`", *links]) for file, links in shown.items()),
        "<br>".join(others),
        ", ".join(f"[{c}](../claims.md#{c.lower()})" for c in claims().get((kind, number), [])),
    )
    return f"| {' | '.join(cells)} |"
