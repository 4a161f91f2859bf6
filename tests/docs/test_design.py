"""Layers in docs/design.md and the imports of the packages; files and rules that documents name."""

import ast
import re
from pathlib import Path

import pytest

from docs_pages import ROOT

SOURCES = [ROOT / "src/replication", ROOT / "src/library"]
Part = tuple[str, str]
"""A package, and a folder or file of it."""


def layers() -> dict[Part, int]:
    """Return the line that each part stands in, from the bottom: the library is below all else."""
    text = (ROOT / "docs/design.md").read_text(encoding="utf-8")
    pictures = re.findall(r"(?s)```text (penalized_\w+)\n(.*?)```", text)
    # After the names and a wide gap stands what they are for.
    lines = [
        [(package, name) for name in re.split(r" {6,}", line)[0].split()]
        for package, picture in pictures
        for line in picture.splitlines()
    ]
    return {part: level for level, parts in enumerate(reversed(lines)) for part in parts}


def part_of(path: Path) -> Part:
    """Return the part that a file is in."""
    package, inner, *_ = path.relative_to(ROOT / "src").parts[1:]
    return package, inner.removesuffix(".py")


def imports(path: Path) -> set[Part]:
    """Return the parts that a file imports, anywhere in it."""
    found: set[Part] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        named = (m.split(".") for m in modules if m.startswith("penalized_") and "." in m)
        found |= {(package, part) for package, part, *_ in named}
    return found


FILES = [path for folder in SOURCES for path in sorted(folder.rglob("*.py"))]


def test_every_part_is_in_a_picture() -> None:
    parts = {part_of(path) for path in FILES}
    assert set(layers()) == {part for part in parts if not part[1].startswith("__")}


def test_nothing_imports_from_above() -> None:
    level = layers()
    upwards = [
        f"{path.relative_to(ROOT)} imports {'.'.join(other)}"
        for path in FILES
        if part_of(path) in level
        for other in sorted(imports(path))
        if level[other] > level[part_of(path)]
    ]
    assert upwards == []


def test_library_and_its_tests_name_no_part_of_the_replication() -> None:
    folders = [name for package, name in layers() if package == "penalized_bandits"]
    tests = [path for name in folders for path in (ROOT / "tests" / name).glob("*.py")]
    library = [*tests, *(path for path in FILES if path.is_relative_to(SOURCES[1]))]
    assert [p for p in library if "penalized_replication" in p.read_text("utf-8")] == []


@pytest.mark.parametrize(
    ("file", "lines"),
    [
        ("results/README.md", r"^\| .* \| (`\w+`(?:, `[\w<>]+`)*) \|$"),
        ("profiles/slurm/config.yaml", r"^  (\w+): (?:tables|claims|figures)$"),
    ],
)
def test_rules_that_a_file_names_are_there(file: str, lines: str) -> None:
    cells = re.findall(rf"(?m){lines}", (ROOT / file).read_text(encoding="utf-8"))
    in_backticks = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    named = in_backticks if file.endswith(".md") else cells
    assert named
    rules = "".join(path.read_text("utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    defined = re.findall(r"rule (\w+):| as (\w+) with:", rules)
    assert set(named) <= {name for pair in defined for name in pair}
