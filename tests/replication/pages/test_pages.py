"""The reproduction page: content, links, unsafe names and accessibility."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
import yaml
from PIL import Image

from config_helpers import ROOT, load_config
from pages_helpers import INJECTION, LISTED, PAGE, Reader, page_of, unpacked
from penalized_bandits.common.files import digest
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.results import ClaimResult, read_results, to_json
from penalized_replication.claims.table.render import headline_text, measured_text
from penalized_replication.claims.table.tables import groups, tally
from penalized_replication.extensions import PACKAGE
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.pages.index import SECTIONS
from penalized_replication.pages.material import WHY
from penalized_replication.pages.render import caption, formula
from smoke_run import FILES
from workflow_helpers import TINY, Project

TEMPLATES = PACKAGE / "pages/templates"
RESEARCH = "Research beyond the paper"


@pytest.fixture(scope="module")
def text(smoke_run: Project) -> str:
    return unpacked((smoke_run.folder / PAGE).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def page(text: str) -> Reader:
    return Reader(text)


@pytest.fixture(scope="module")
def results(smoke_run: Project) -> list[ClaimResult]:
    return read_results(smoke_run.folder / "results/claims/claims.json")


def test_the_bytes_are_the_same_each_time(smoke_run: Project) -> None:
    made = (smoke_run.folder / PAGE).read_bytes()
    # As digests: to show how megabytes differ takes pytest minutes.
    assert digest(page_of(smoke_run)) == digest(made)
    assert len(made) < 1_500_000


def test_nothing_is_loaded_from_anywhere(page: Reader, text: str) -> None:
    for tag, attributes in page.elements:
        for name in ("src", "srcset", "data", "poster", "action", "formaction", "ping"):
            assert (attributes.get(name) or "data:").startswith("data:"), (tag, attributes)
        if tag != "a" and (address := attributes.get("href")) is not None:
            assert address.startswith(("#", "data:")), (tag, attributes)
        assert "http" not in (attributes.get("style") or "")
    assert {tag for tag, _ in page.elements} & {"iframe", "object", "embed", "base"} == set()
    style = re.findall(r"(?s)<style[^>]*>(.*?)</style>", text)
    assert not any("@import" in sheet or "http" in sheet for sheet in style)
    policy = next(m for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert (policy["content"] or "").startswith("default-src 'none';")


def test_links_to_the_page_have_a_picture(page: Reader, smoke_run: Project) -> None:
    about = {meta.get("property"): meta.get("content") for meta in page.all("meta")}
    assert about["og:image"] == "https://example.org/bandits/preview.png"
    with Image.open(smoke_run.folder / "results/preview.png") as picture:
        assert picture.size == (1200, 630)


def test_every_link_leads_somewhere(page: Reader, smoke_run: Project) -> None:
    ids = {a["id"] for _, a in page.elements if "id" in a}
    folder = (smoke_run.folder / PAGE).parent
    followed = set()
    for attributes in page.all("a"):
        address = attributes["href"]
        assert address
        if address.startswith("#"):
            assert address[1:] in ids, address
        elif address.startswith("https://"):
            assert address == "https://arxiv.org/abs/2211.08311"
        else:
            assert not Path(address).is_absolute()
            assert (folder / address).is_file(), address
            followed.add(address)
    for kind in ("csv", "json", "svg", "pdf", "png", "parquet"):
        assert any(address.endswith(kind) for address in followed), kind


def test_no_two_elements_share_an_id(page: Reader) -> None:
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert not any(re.search(r"\s", name or "") for name in ids)
    # What points to an id within the page finds it.
    for _, attributes in page.elements:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert attributes.get(name) is None or attributes[name] in ids, attributes


def caption_of(project: Project, figure: str) -> list[str]:
    """Return what a figure's caption begins with, and the rest, as HTML."""
    folder = "docs/images" if EVERY_FIGURE[figure].scenarios else "results/figures"
    text = (project.folder / f"{folder}/{figure}.md").read_text("utf-8")
    _, begins, rest = text.split("**", 2)
    return [caption(re.sub(r"^Figure \d\. ", "", begins).rstrip(".")), caption(rest)]


def test_every_figure_is_there(page: Reader, text: str, smoke_run: Project) -> None:
    ids = {a["id"] for _, a in page.elements if "id" in a}
    for figure in EVERY_FIGURE.keys() - {WHY}:
        assert {figure, f"{figure}-caption"} <= ids
        assert f"uv run snakemake --cores 1 {figure}" in page.text
        assert all(part in text for part in caption_of(smoke_run, figure))


def test_a_figure_without_an_entry_is_shown_with_its_caption(
    smoke_run: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {name: section for name, section in SECTIONS.items() if name != "figure_4"}
    monkeypatch.setattr("penalized_replication.pages.index.SECTIONS", others)
    text = page_of(smoke_run)
    assert formula(SECTIONS["figure_4"]) not in text
    assert all(part in text for part in caption_of(smoke_run, "figure_4"))
    assert formula(SECTIONS["figure_5"]) in text


def test_entries_and_figures_name_claims_and_figures_that_exist() -> None:
    assert set(SECTIONS) <= set(EVERY_FIGURE)
    assert {name for figure in EVERY_FIGURE.values() for name in figure.claims} <= set(CLAIMS)


def test_every_claim_with_its_verdict_and_its_comparisons(
    page: Reader, results: list[ClaimResult], text: str
) -> None:
    bodies = {a["id"]: a for tag, a in page.elements if tag == "tbody" and "id" in a}
    assert list(bodies) == LISTED
    for result in results:
        assert bodies[result.id]["data-verdict"] == result.verdict.replace(" ", "-")
        assert formula(result.rule) in text
        assert formula(headline_text(result)) in text
        has_comparisons = f"<caption>Comparisons of {result.id}, the worst first" in text
        assert has_comparisons == bool(result.comparisons), result.id
        assert all(formula(one.name) in text for one in result.comparisons)
        assert measured_text(result) in page.text


def test_counts_of_verdicts(results: list[ClaimResult], page: Reader) -> None:
    for title, claims in groups(results):
        assert f"{title}: {tally(claims)}" in page.text


def test_published_verdicts_under_alternative_interpretations(page: Reader, text: str) -> None:
    table = pd.read_csv(ROOT / "docs/published/interpretations.csv")
    changed = int(table["changed"].sum())
    pairs = f"{len(table)} pairs of claim and choice, as published"
    assert f"{pairs}; in {changed} of them the verdict" in page.text
    assert text.count("<strong>changes</strong>") == changed
    unaffected = set(LISTED) - set(table["id"])
    assert text.count("No interpretation affects this claim.") == len(unaffected)


def test_how_it_was_made(page: Reader, text: str) -> None:
    assert "<dt>Seed</dt><dd>7</dd>" in text
    assert "uv run snakemake --cores all --configfile mine.yaml" in page.text
    assert re.search("hash of the code that the page stands on: [0-9a-f]{12}", page.text)
    assert "movielens_1m, source bundled (asked for: bundled)" in page.text
    # A run of the smoke run says so, before all else and at each claim.
    warning, title = (page.text.index(t) for t in ("Not the paper's config.", "A replication"))
    assert warning < title < page.text.index("Under this config")
    assert "have fewer replicates, as few as 3." in page.text
    assert "Setting 1 (3 replicates)" in page.text
    assert not re.search(r"\d{4}-\d\d-\d\d[T ]\d\d:", page.text), "a time differs each time"


def test_the_keys_that_differ_make_the_same_config_again(
    smoke_run: Project, text: str, tmp_path: Path
) -> None:
    keys = re.search(r"(?s)<code>(seed: 7\n.*?)</code>", text)
    assert keys is not None
    (tmp_path / "mine.yaml").write_text(unescape(keys[1]), encoding="utf-8")
    published = smoke_run.folder / "config/config.yaml"
    again, used = (
        load_config(published, path).model_dump(exclude={"simulation", "pages"})
        for path in (tmp_path / "mine.yaml", smoke_run.folder / "tiny.yaml")
    )
    assert again == used
    assert set(yaml.safe_load(unescape(keys[1]))) <= set(TINY)


def test_the_replications_own_config_is_no_other(smoke_run: Project, tmp_path: Path) -> None:
    used = load_config(smoke_run.folder / "config/config.yaml", smoke_run.folder / "tiny.yaml")
    published = tmp_path / "config.yaml"
    published.write_text(yaml.safe_dump(used.model_dump(mode="json")), encoding="utf-8")
    made = Reader(page_of(smoke_run, papers=published)).text
    words = ("Not the paper's config.", "--configfile mine", "have fewer replicates", "Under this")
    assert not any(text in made for text in words)


def test_a_config_that_lacks_experiments_has_a_page_of_the_others(
    smoke_run: Project, tmp_path: Path, results: list[ClaimResult]
) -> None:
    without = {"setting_3", "setting_5"}
    claims = [result for result in results if not without & {*CLAIMS[result.id].experiments}]
    (tmp_path / "claims.json").write_text(to_json(claims), encoding="utf-8")
    lacking = ("figure_3", "figure_5", "figure_5_panels", "regret_decomposition")
    every = FILES.shown()
    files = [file for file in every if not any(f"/{figure}" in file for figure in lacking)]
    changes = {"claims": str(tmp_path / "claims.json"), "results": files}
    text = page_of(smoke_run, lacking=[*without], **changes)
    assert "The config has no section setting_3, setting_5" in text
    shown = {figure for figure in EVERY_FIGURE if f'<article id="{figure}"' in text}
    assert shown == EVERY_FIGURE.keys() - {*lacking}


def page_with_ratings(project: Project, folder: Path, **changes: str) -> str:
    origin = json.loads((project.folder / "results/movielens/provenance.json").read_text("utf-8"))
    (folder / "ratings.json").write_text(json.dumps({**origin, **changes}), encoding="utf-8")
    return page_of(project, ratings=str(folder / "ratings.json"))


def test_own_ratings_are_not_movielens(smoke_run: Project, text: str, tmp_path: Path) -> None:
    own = {"dataset": "<b>films</b>.csv", "source_used": "table", "source_requested": "table"}
    made = page_with_ratings(smoke_run, tmp_path, **own)
    assert "Not MovieLens 1M." in made
    assert "<b>films</b>" not in made
    assert "Not MovieLens 1M." not in text


def test_links_to_files_of_the_run_alone(smoke_run: Project) -> None:
    figures = [file for file in FILES.shown() if "/figures/" in file]
    bare = unpacked(page_of(smoke_run, results=figures, docs={}))
    assert "Notebook" not in bare
    assert "summaries/lfg_fairness.csv</code>" in bare
    assert "claims.md" not in bare
    tour = {"A tour <1>": "results/notebooks/tour.html"}
    assert "Documentation" not in Reader(bare).texts
    docs = {"Documentation": "docs/pages/index.md", RESEARCH: "research/README.md"}
    full = page_of(smoke_run, docs=docs, notebooks=tour)
    assert '<a href="notebooks/tour.html">A tour &lt;1&gt;</a>' in full
    assert '<a href="playground.html">Drag it yourself</a>' in full
    assert '<a href="../docs/pages/index.md">Documentation</a>' in full
    assert full.count('<a href="../research/README.md">') == 1


def test_bundled_counts_are_named(smoke_run: Project, tmp_path: Path) -> None:
    failed = "download failed: [Errno -2] Name or service not known"
    made = page_with_ratings(smoke_run, tmp_path, reason=failed)
    assert "Errno" not in made
    assert re.search(r'<dd id="ratings">.*stand in for the archive', made)


def test_hostile_claims(smoke_run: Project, tmp_path: Path, results: list[ClaimResult]) -> None:
    first = next(result for result in results if result.comparisons)
    comparison = replace(first.comparisons[0], label=INJECTION, detail=INJECTION)
    texts = dict.fromkeys(("statement", "rule", "note", "quantity", "where", "evidence"), INJECTION)
    changed = replace(first, comparisons=(comparison,), **texts)
    rest = [changed if result is first else result for result in results]
    (tmp_path / "claims.json").write_text(to_json(rest), encoding="utf-8")
    read = Reader(unpacked(page_of(smoke_run, claims=str(tmp_path / "claims.json"))))
    assert "onerror" not in {name for _, attributes in read.elements for name in attributes}
    assert read.comments == []
    assert read.text.count("window.hacked=1") >= len(texts)


def test_templates_mark_no_text_as_safe() -> None:
    for path in TEMPLATES.glob("*.j2"):
        # Safe text is marked where it is made, not by a filter.
        assert "safe" not in re.findall(r"\|\s*(\w+)", path.read_text(encoding="utf-8")), path
    for name in ("chart.js", "page.js", "page.css"):
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        assert not re.search(r"</(script|style)|<!--|https?:", text), name
