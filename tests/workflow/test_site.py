"""The folder that a static host serves: every link in it leads somewhere, and none is needed."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from config_helpers import ROOT
from workflow_helpers import Project

DOCUMENTS = ("docs", "benchmarks", "tests", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md")
"""What the documentation is of, beside what every copy of the project has."""


class Links(HTMLParser):
    """Collects what a page leads to or loads, and the places in it that can be led to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag != "base":
            self.links |= {found[name] for name in ("href", "src") if name in found}


@pytest.fixture(scope="module", name="site")
def site_fixture(miniature: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Have the workflow make the site in a copy of the miniature's run."""
    project = miniature.copy(tmp_path_factory.mktemp("site") / "project")
    for name in DOCUMENTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, project.folder / name, dirs_exist_ok=True)
        else:
            shutil.copyfile(ROOT / name, project.folder / name)
    shutil.copyfile(ROOT / "results/README.md", project.folder / "results/README.md")
    outcome = project.run("site")
    log = project.folder / "results/logs/site.log"
    assert outcome.status == 0, outcome.text + log.read_text(encoding="utf-8")
    return project.folder / "results/site"


@pytest.mark.sample
def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {path: Links(path) for path in site.rglob("*.html")}
    there = {page.relative_to(site).as_posix() for page in pages}
    assert {"index.html", "run/index.html", "run/claims/claims.html", "claims/index.html"} <= there
    assert {"run/", "run/index.html"} & pages[site / "index.html"].links
    lost = []
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or page.name == "404.html":
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            there = target.is_file() and (
                not parts.fragment
                or target not in pages
                # The playground keeps its bandit after #, ...
                or target.name == "playground.html"
                # ... and the reproduction page what is shown.
                or unquote(parts.fragment) in pages[target].anchors
            )
            lost += [] if there else [f"{page.relative_to(site)}: {link}"]
    assert lost == []


@pytest.mark.sample
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loading = re.compile(
        r"<(?:script|img|iframe|source|embed)\b[^>]*\bsrc=[\"']?(?:https?:)?//"
        r"|<link\b[^>]*\brel=[\"']?(?:stylesheet|preload|icon)[^>]*\bhref=[\"']?(?:https?:)?//"
    )
    for page in site.rglob("*.html"):
        # Notebooks hold scripts, whose texts are no elements of the page.
        text = re.sub(r"(?s)(<script\b[^>]*>).*?</script>", r"\1", page.read_text("utf-8"))
        assert loading.search(text) is None, page
