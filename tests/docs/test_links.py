"""Files, paths, modules and functions that documents name."""

import re
from importlib import import_module

import pytest

from docs_pages import PAGES, ROOT
from penalized_replication.storage.replicates import CASES_KEY

DOCUMENTS = [
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md", "config/README.md"),
    *("docs/artifact.md", "docs/design.md", "docs/performance.md", "results/README.md"),
    *(path.relative_to(ROOT).as_posix() for path in sorted(PAGES.rglob("*.md"))),
]
FOLDERS = [ROOT, *ROOT.glob("src/*/penalized_*")]
"""Where the paths of documents begin."""
PATH = r"(?<![\w./-])((?:benchmarks|config|docs|profiles|src|tests|workflow)/[\w./*-]*[\w*])"


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def is_there(path: str, document: str) -> bool:
    """Return whether a path is a file of the project, of the package, or of the document's own."""
    written = re.findall(r'title="([^" ]+)', text_of(document))
    return path in written or any([*folder.glob(path)] for folder in FOLDERS)


def resolves(name: str) -> bool:
    """Return whether a dotted name is a module of the package, or an attribute of one."""
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
