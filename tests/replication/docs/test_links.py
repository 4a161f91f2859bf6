"""Files, paths, modules and functions that documents name."""

import re
from importlib import import_module

import pytest

import build
from docs_pages import PAGES, ROOT
from maker import equations
from penalized_replication.storage.replicates import CASES_KEY

DOCUMENTS = [
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md", "config/README.md"),
    *("docs/design.md", "docs/performance.md", "results/README.md"),
    *("research/README.md", *(f"research/docs/{name}.md" for name in build.RESEARCH)),
    *(path.relative_to(ROOT).as_posix() for path in sorted(PAGES.rglob("*.md"))),
]
FOLDERS = [ROOT, *ROOT.glob("src/*/penalized_*"), ROOT / "research/penalized_research"]
"""Where the paths of documents begin."""
THEORY = [*(PAGES / "theory").glob("*.md"), *(ROOT / "research/docs").glob("*.md")]
"""Pages with proofs."""
PATH = r"(?<![\w./-])((?:benchmarks|config|docs|profiles|src|tests|workflow)/[\w./*-]*[\w*])"


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def is_there(path: str, document: str) -> bool:
    written = re.findall(r'title="([^" ]+)', text_of(document))
    folders = [*FOLDERS, (ROOT / document).parent]
    own = [*(ROOT / document).with_suffix("").glob(f"**/{path}")]
    return path in written or bool(own) or any([*folder.glob(path)] for folder in folders)


def resolves(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    try:
        import_module(name)
    except ImportError:
        return bool(module) and hasattr(import_module(module), attribute)
    return True


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_paths_and_names_lead_somewhere(document: str) -> None:
    text = text_of(document)
    links = re.findall(r"\]\(([^)#\s]+)", text)
    folder = (ROOT / document).parent
    # What a run makes is there after one, if it is listed.
    made = text_of("results/README.md")
    links = [x for x in links if "/results/" not in x or f"`{x.split('/results/')[1]}`" not in made]
    assert [x for x in links if not x.startswith("http") and not (folder / x).exists()] == []
    # The page on the design names files of the package in backticks.
    paths = {*re.findall(PATH, text), *re.findall(r"`([a-z_]+/[a-z_/]*\.py)`", text)}
    assert [path for path in sorted(paths) if not is_there(path, document)] == []
    # The key of the fields of cases in the metadata of Parquet tables is no module.
    names = set(re.findall(r"\bpenalized_bandits(?:\.\w+)+", text)) - {CASES_KEY.decode()}
    assert [name for name in sorted(names) if not resolves(name)] == []


def test_comments_name_files_that_exist() -> None:
    missing: list[tuple[str, str]] = []
    for path in [path for kind in ("py", "js") for path in ROOT.glob(f"src/**/*.{kind}")]:
        named = re.findall(r"(?<![\w./-])[a-z_]+/[\w/]*\.(?:py|js)\b", path.read_text("utf-8"))
        folders = (*FOLDERS, *ROOT.glob("src/*"), *path.parents)
        missing += [(path.name, x) for x in named if not any((f / x).exists() for f in folders)]
    assert missing == []


def test_proofs_cite_theorems_that_exist() -> None:
    text = "\n".join(path.read_text("utf-8") for path in THEORY)
    name = r"\b(?:Lemma|Theorem|Proposition|Corollary) (?:\d+(?![.\d])(?:\([iv]+\))?|[A-Z]\b)′?"
    stated = "\n".join(re.findall(r"(?m)^(?:#+ .*|\*\*.*?\*\*)", text))
    assert {*re.findall(name, text)} - {*re.findall(name, stated)} == set()


HOMES = {"setting": ("experiments/paper/",), "figure": ("figures/",)}
"""Where the code of a kind is; of others where formulas are."""


def test_every_number_is_named_where_it_is_computed() -> None:
    numbers = equations.numbers()
    assert len(numbers) == len(set(numbers))
    assert {kind for kind, _ in numbers} == set(equations.KINDS)
    for kind, number in numbers:
        files = equations.places().get((kind, number), {})
        home = HOMES.get(kind, ("bandit/", "policies/", "theory/"))
        inner = [file.partition("/")[2] for file in files]
        assert any(file.startswith(home) for file in inner), (kind, number)
    # Nor does a docstring name one that is not listed.
    listed = set(numbers) | {("theorem", "4.4")}  # within "Theorems 4.1 to 4.8"
    named = {r for r in equations.places() if r[0] in {"equation", "theorem", "lemma"}}
    assert named - listed == set()


def test_the_page_has_a_row_for_each_with_its_function_and_claims() -> None:
    rows = equations.tables().splitlines()
    starts = [line.split(" | ")[0] for line in rows]
    for kind, number in equations.numbers():
        start = f"| **({number})**" if kind == "equation" else f"| **{kind.capitalize()} {number}**"
        assert starts.count(start) == 1, start
    (index,) = (line for line in rows if line.startswith("| **(11)**"))
    assert "policies.paper.hard_threshold_ucb.index" in index
    (fairness,) = (line for line in rows if line.startswith("| **Theorem 4.1**"))
    assert "condition_4_1" in fairness
    assert "#c02" in fairness
