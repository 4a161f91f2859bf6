"""Imports: houses, layers in docs/design.md, plug-ins; files and rules of documents."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from docs_pages import ROOT
from penalized_replication.figures import EVERY_FIGURE

HOUSES = {
    "penalized_bandits": ROOT / "src/library",
    "penalized_replication": ROOT / "src/replication",
    "penalized_research": ROOT / "research",
}
"""The folder of each package, which imports from itself and those before it."""
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


def part_of(module: str) -> Part:
    package, inner, *_ = f"{module}.__init__".split(".")
    return package, inner


MODULES = {
    ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"): path
    for package, folder in HOUSES.items()
    for path in sorted((folder / package).rglob("*.py"))
}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            found |= {f"{node.module}", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & MODULES.keys()


PLACES = {
    "penalized_(replication|research)": "src/library tests/library",
    # Nor claims of the research.
    r"penalized_research|\b[ES]\d\d\b": "src/replication workflow config tests/replication",
}
"""Folders of each house, by what must not be named in them: what builds on it."""
ABOUT_ALL = {Path(__file__), Path(__file__).with_name("test_links.py")}


@pytest.mark.parametrize("above", PLACES)
def test_no_house_names_one_that_builds_on_it(above: str) -> None:
    places = (ROOT / place for place in PLACES[above].split())
    files = {path for place in places for path in place.rglob("*.*")} - ABOUT_ALL
    kinds = {".py", ".smk", ".yaml", ".j2", ".csv", ".js"}
    texts = {path: path.read_text("utf-8") for path in files if path.suffix in kinds}
    assert [path for path, text in texts.items() if re.search(above, text)] == []


def test_nothing_is_imported_in_a_circle() -> None:
    inner = {
        module: {other for other in imports(path) if not f"{module}.".startswith(f"{other}.")}
        for module, path in MODULES.items()
    }
    assert len([*TopologicalSorter(inner).static_order()]) == len(MODULES)


def test_every_part_is_in_a_picture() -> None:
    pictured = {package for package, _ in layers()}
    parts = {part for part in map(part_of, MODULES) if part[0] in pictured}
    assert set(layers()) == {part for part in parts if not part[1].startswith("__")}


def test_nothing_imports_from_above() -> None:
    level = layers()
    upwards = [
        f"{path.relative_to(ROOT)} imports {'.'.join(other)}"
        for module, path in MODULES.items()
        if part_of(module) in level
        for other in sorted(set(map(part_of, imports(path))))
        if level.get(other, 0) > level[part_of(module)]
    ]
    assert upwards == []


PAPERS, RESEARCH = r"penalized_replication\.", r"penalized_research\."
OF_RESEARCH = [p.name.split(".")[0] for p in (ROOT / "research").rglob("captions/*.j2")]
FIGURES = "|".join([*EVERY_FIGURE, *OF_RESEARCH])
KINDS = {
    "policy": r"penalized_bandits\.policies\.\w+\.\w+",
    "experiment": rf"{PAPERS}experiments\.(paper|theory)\.\w+|{RESEARCH}experiments\.\w+",
    "claim": rf"{PAPERS}claims\.paper\.\w+|{RESEARCH}claims\.\w+",
    "figure": rf"penalized_\w+\.figures\.({FIGURES})",
}
PLUGINS = {m: kind for kind, name in KINDS.items() for m in MODULES if re.fullmatch(name, m)}
"""The kind of each module that is a plug-in; all others are the base."""
ACROSS = {
    ("figures.figure_4", "claims.paper.figure_4"),
    # Of the research.
    ("claims.floors", "experiments.floors"),
    ("claims.minimax", "experiments.minimax"),
    ("figures.floors", "experiments.floors"),
    ("figures.minimax_rate", "experiments.minimax"),
}
"""Plug-ins that take names from one of another kind, which they are about."""


def test_plugins_are_imported_by_their_own_kind_alone() -> None:
    """The base loads them by name, from its lists; so does what a rule names (workflow/code.py)."""
    assert {*PLUGINS.values()} == {*KINDS}
    other = {
        (module.partition(".")[2], plugin.partition(".")[2])
        for module, path in MODULES.items()
        for plugin in imports(path) & PLUGINS.keys()
        if PLUGINS[plugin] != PLUGINS.get(module)
    }
    assert other == ACROSS


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


FOLDERS = (ROOT / "workflow", ROOT / "research")
UNDOCUMENTED = (
    r"IOFile|persistence|sys\.exit|os\.environ|\bcheckpoint|lambda \w*,? ?\b(input|threads)\b"
)
"""Parts of Snakemake that rules do without, and functions whose params it does not compare."""


def test_rules_and_scripts_show_what_they_read() -> None:
    for path in [p for f in FOLDERS for kind in ("*.smk", "Snakefile") for p in f.rglob(kind)]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(UNDOCUMENTED, text), path
        for rule in re.findall(r"(?ms)^rule \w+:\n.*?^    script:\n", text):
            # Code is an input, and its hash a param.
            assert "        code=code(" in rule, rule
            assert "        code=hash_of(" in rule, rule
    for path in [script for folder in FOLDERS for script in folder.glob("scripts/*.py")]:
        # Of the config a script has its params alone.
        found = re.findall(r"config\.(files|scenarios)|open\(|read_papers", path.read_text("utf-8"))
        assert not found, path
