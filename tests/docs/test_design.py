"""Layers in docs/design.md and the imports of the package; files and rules that documents name."""

import ast
import re
from pathlib import Path

import pytest

from docs_pages import ROOT

PACKAGE = ROOT / "src/penalized_bandits"


def layers() -> dict[str, int]:
    """Return the line of the picture that each part of the package stands in, from the bottom."""
    text = (ROOT / "docs/design.md").read_text(encoding="utf-8")
    picture = re.search(r"(?s)## The layers.*?```text\n(.*?)```", text)
    assert picture is not None
    # After the names and a wide gap stands what they are for.
    lines = [re.split(r" {6,}", line)[0].split() for line in picture[1].splitlines()]
    return {name: level for level, names in enumerate(reversed(lines)) for name in names}


def part_of(path: Path) -> str:
    """Return the part of the package that a file is in: a folder, or the file itself."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Return the parts of the package that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        found |= {m.split(".")[1] for m in modules if m.startswith("penalized_bandits.")}
    return found


def test_every_part_is_in_the_picture() -> None:
    parts = {part_of(path) for path in PACKAGE.rglob("*.py")} - {"__init__", "__main__"}
    assert set(layers()) == parts


def test_nothing_imports_from_above() -> None:
    level = layers()
    upwards = [
        f"{path.relative_to(PACKAGE)} imports {other}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if part_of(path) in level
        for other in sorted(imports(path))
        if level[other] > level[part_of(path)]
    ]
    assert upwards == []


@pytest.mark.parametrize(
    ("file", "lines"),
    [
        ("docs/design.md", r"^\| `\w+/`[^|]*\|([^|]*)\|"),
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
