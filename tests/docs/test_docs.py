"""The documentation site: no warning, no other host, and all pages, links and formulas."""

import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from typer.main import get_command

import build
from browser_helpers import chromium, needs_browser
from docs_pages import PAGES, ROOT, read
from penalized_bandits.cli import app
from penalized_bandits.figures import EVERY_FIGURE
from penalized_bandits.policies import POLICIES

FOREIGN = re.compile(
    r"<(?:audio|embed|iframe|img|link|object|script|source|use|video)\b[^>]*"
    r"\b(?:src|href|data)=[\"']?(?:https?:)?//|(?:url\(|@import)\s*['\"]?(?:https?:)?//"
)
"""An address on another host that a browser loads for an element or a style."""


@pytest.fixture(scope="module", name="built")
def built_fixture(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Build the site; return its folder and the builder's output."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "docs/build.py", "--folder", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
    return folder / "site", done.stdout


def _pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_no_warning(built: tuple[Path, str]) -> None:
    _, output = built
    assert "No issues found" in output, output


def test_every_page_is_there(built: tuple[Path, str]) -> None:
    site, _ = built
    names = {page.relative_to(site).as_posix() for page in _pages(site)}
    for page in sorted(PAGES.rglob("*.md")):
        place = page.relative_to(PAGES).with_suffix("")
        place = place.parent if place.name == "index" else place
        assert (place / "index.html").as_posix() in names
    assert {f"{name}/index.html" for name in ("claims", "design", "reference/config")} <= names


def test_nothing_is_loaded_from_another_host(built: tuple[Path, str]) -> None:
    assert FOREIGN.search('<script async src="https://example.org/a.js">')
    site, _ = built
    for path in (*_pages(site), *site.rglob("*.css")):
        assert not FOREIGN.search(path.read_text(encoding="utf-8")), path


def test_pages_of_a_run_are_published_with_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, table = tmp_path / "results/index.html", tmp_path / "results/claims/claims.csv"
    table.parent.mkdir(parents=True)
    table.write_text("id\n", encoding="utf-8")
    links = ("claims/claims.csv", "../docs/pages/tutorial.md", "../docs/claims.md", "#ledger")
    index.write_text("".join(f'<a href="{link}">' for link in links), encoding="utf-8")
    pages = tmp_path / "docs/pages"
    for name, value in {"ROOT": tmp_path, "PAGES": pages, "RUN_PAGES": [index]}.items():
        monkeypatch.setattr(build, name, value)
    build.copy_run(tmp_path / "site")
    assert (tmp_path / "site/results/claims/claims.csv").read_bytes() == table.read_bytes()
    text = (tmp_path / "site/results/index.html").read_text(encoding="utf-8")
    led = ("claims/claims.csv", "../tutorial/index.html", "../claims/index.html", "#ledger")
    assert re.findall(r'href="(.*?)"', text) == list(led)


def test_search_knows_pages_and_functions(built: tuple[Path, str]) -> None:
    site, _ = built
    index = (site / "search.json").read_text(encoding="utf-8")
    for location in ("tutorial/", "claims/", " C29 ", "penalized_bandits.engine.simulate.simulate"):
        assert location in index
    for figure in EVERY_FIGURE:
        assert figure in index


def test_roles_of_docstrings_became_links(built: tuple[Path, str]) -> None:
    site, _ = built
    reference = [page for page in _pages(site) if "reference/api" in page.as_posix()]
    assert reference
    for page in reference:
        assert not re.search(r":(func|class|mod|attr):", page.read_text(encoding="utf-8")), page
    policies = (site / "reference/api/policies/index.html").read_text(encoding="utf-8")
    assert 'href="#penalized_bandits.policies.base.Arm"' in policies


def test_help_is_that_of_the_program(built: tuple[Path, str]) -> None:
    site, _ = built
    text = (site / "command-line/index.html").read_text(encoding="utf-8")
    for name in getattr(get_command(app), "commands", {}):
        assert f'<h2 id="{name}">' in text
        assert f"Usage: penalized-bandits {name} " in text


def test_every_policy_has_its_card(built: tuple[Path, str]) -> None:
    site, _ = built
    page = (site / "background/policies/index.html").read_text(encoding="utf-8")
    page = re.sub("<sub>(.)</sub>", r"_\1", page)
    assert re.findall(r"<p><code>(\w+)</code>: ", page) == list(POLICIES)
    for policy in POLICIES.values():
        for text in vars(policy.card).values():
            assert text, policy.id
            # Signs of Markdown apart, such as the star of μ*.
            assert html.escape(text, quote=False) in page, policy.id


def test_equations_link_to_their_functions(built: tuple[Path, str]) -> None:
    site, _ = built
    page = (site / "reference/equations/index.html").read_text(encoding="utf-8")
    for function in ("bandit.regret.penalized_regret", "theory.bounds.gap_dependent_bound"):
        assert re.search(rf'href="[^"]*#penalized_bandits\.{re.escape(function)}"', page)
    assert 'href="../../claims/#c07"' in page


def test_formulas_are_set(built: tuple[Path, str]) -> None:
    site, _ = built
    pages = _pages(site / "theory")
    assert len(pages) == len(list((PAGES / "theory").glob("*.md")))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert text.count("<math") == text.count('class="arithmatex') > 0, page
        article = re.sub(r"(?s)<(script|code|style).*?</\1>", "", text)
        assert not re.search(r"\$|\\[a-zA-Z(\[]", article), page


def test_every_theorem_is_in_the_table_with_its_claims() -> None:
    rows = re.findall(r"(?m)^\| \[.*$", read("theory/index.md"))
    for path in sorted((PAGES / "theory").glob("*.md")):
        kinds = r"(?m)^##+ ((?:Theorem|Proposition|Corollary|Lemma) .*)$"
        for heading in re.findall(kinds, path.read_text(encoding="utf-8")):
            anchor = re.search(r"\{ #(\S+) \}$", heading)
            assert anchor, heading
            target = path.name if path.name == "lemmas.md" else f"{path.name}#{anchor[1]}"
            (row,) = (r for r in rows if f"]({target})" in r)
            tool = path.name in {"lemmas.md", "scale.md"}
            assert tool or re.search(r"\.md#[ce]\d\d", row), heading


class Quiet(SimpleHTTPRequestHandler):
    """A server of files without a log."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve the site on this machine alone; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.slow
@needs_browser
def test_formulas_fit_a_phone(built: tuple[Path, str]) -> None:
    # Displays scroll in a box of their own; a formula in a line has to be short.
    wide = (
        "all => all.filter(x => !x.closest('table') &&"
        " x.getBoundingClientRect().right > innerWidth).map(x => x.textContent)"
    )
    with served(built[0]) as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 800})
        for path in sorted((PAGES / "theory").glob("*.md")):
            page.goto(f"{address}theory/{path.stem.replace('index', '')}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
            assert page.eval_on_selector_all("span.arithmatex:not(.display)", wide) == [], path


@pytest.mark.sample
@needs_browser
def test_no_page_asks_another_host(built: tuple[Path, str]) -> None:
    asked: list[str] = []
    with served(built[0]) as address, chromium() as browser:
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        for path in ("", "tutorial/", "claims/", "theory/lemmas/", "reference/api/simulation/"):
            page.goto(address + path)
        page.keyboard.press("/")
        page.wait_for_timeout(500)
    assert any("search" in url for url in asked)
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def test_verdicts_on_the_first_page_are_those_of_the_ledger() -> None:
    ledger = json.loads((ROOT / "docs/published/claims.json").read_text(encoding="utf-8"))
    verdicts = {row["id"]: row["verdict"] for row in ledger}
    sections = re.findall(r"(?ms)^### ([\w ]+)\n(.*?)(?=^###|^All verdicts)", read("index.md"))
    for title, text in sections:
        claims = re.findall(r"\[(C\w+)\]", text)
        assert claims
        if title != "Our own questions":
            assert {verdicts[claim] for claim in claims} == {title.lower()}
