"""The article: numbers from tables, the same bytes each time, and the number of pages."""

import json
import re
import sys
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typst
import yaml

from config_helpers import ROOT
from penalized_bandits import POLICIES, Bernoulli, Instance, Policy, simulate
from penalized_bandits.common.errors import UserError
from penalized_bandits.common.files import digest_of
from penalized_bandits.common.typing import PullArray
from penalized_replication.claims.results import read_results
from penalized_replication.claims.table.render import measured_text
from penalized_replication.pages.material import FIRST
from penalized_research import DRAWN, PROVED, TEXTS
from penalized_research.article import Sources, gather, markup, placed, proofs, typeset, values_of
from penalized_research.figures import SHARP
from workflow_helpers import Project

FOLDER, DOCS, PUBLISHED = ROOT / "research/article", ROOT / "research/docs", ROOT / "docs/published"
FIGURES = [str(DOCS / f"images/{figure.id}.png") for figure in SHARP]
CLAIMS = {name: DOCS / f"published/{name}.json" for name in ("extended", "sharp")}
ABOUT: dict[str, Any] = yaml.safe_load((FOLDER / "metadata.yaml").read_text(encoding="utf-8"))
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sources(smoke_run: Project) -> Sources:
    results = smoke_run.folder / "results"
    return {
        "claims": str(results / "claims/claims.json"),
        **{name: str(PUBLISHED / f"{name}.csv") for name in ("interpretations", "seeds", "design")},
        **{name: str(file) for name, file in CLAIMS.items()},
        "ratings": str(results / "movielens/provenance.json"),
        "first": str(results / f"figures/{FIRST}_column.svg"),
        "figures": [*(str(results / f"figures/{figure}.svg") for figure in DRAWN), *FIGURES],
        "comparison": str(DOCS / "published/comparison.csv"),
        "citation": str(ROOT / "CITATION.cff"),
        "proofs": [str(ROOT / page) for page in PROVED],
        "texts": [str(FOLDER / text) for text in TEXTS],
    }


@pytest.fixture(scope="module")
def small(sources: Sources) -> dict[str, Any]:
    """Return the values of the smoke run, in which many claims are not measured."""
    return gather(sources)


@pytest.fixture(scope="module")
def full(small: dict[str, Any]) -> dict[str, Any]:
    """Return the same values with the published claims."""
    results = read_results(PUBLISHED / "claims.json", *CLAIMS.values())
    claims = {result.id: values_of(result) for result in results}
    return small | {"claims": claims, "warning": ""}


def labelled(values: dict[str, Any], sources: Sources, label: str) -> Any:
    """Return the values that the text marks with a label."""
    with placed(values, sources) as main:
        return json.loads(typst.query(main, f"<{label}>", field="value", ignore_system_fonts=True))


def test_all_texts_are_known_to_the_workflow() -> None:
    assert sorted(TEXTS) == sorted(path.name for path in FOLDER.iterdir())


def test_text_and_published_claims_agree(full: dict[str, Any], sources: Sources) -> None:
    # Numbers that the text needs, and verdicts that its sentences are about.
    assert labelled(full, sources, "absent") == []
    assert labelled(full, sources, "others") == []
    # Another verdict is on the first page.
    claims = full["claims"] | {"C02": full["claims"]["C02"] | {"verdict": "holds in part"}}
    assert labelled(full | {"claims": claims}, sources, "others") == [[["C02", "fails"]]]


def test_claims_that_do_not_exist_are_left_out(full: dict[str, Any], sources: Sources) -> None:
    one = full | {"claims": {"C01": full["claims"]["C01"]}}
    assert labelled(one, sources, "others") == labelled(one, sources, "absent") == []
    assert typeset(one, sources).startswith(b"%PDF")


def test_values_that_were_not_measured_are_named(small: dict[str, Any], sources: Sources) -> None:
    assert small["warning"]
    assert "not measured" in labelled(small, sources, "absent")


def test_command_that_brings_typst(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(
        UserError, match="--extra article snakemake -s research/Snakefile --cores all article"
    ):
        typeset({}, sources)


def test_proofs_have_no_link_into_the_documentation(sources: Sources) -> None:
    found = proofs(sources["proofs"])
    assert found.count("== Theorem 2′") == 1
    assert not re.search(r"\.md|#link\(\"#|\$\$", found)


def test_numbers_are_those_of_the_claims(small: dict[str, Any], sources: Sources) -> None:
    for result in read_results(sources["claims"]):
        claim = small["claims"][result.id]
        assert claim["verdict"] == result.verdict
        assert claim["measured"] == measured_text(result)
        cases = [one["case"] for one in claim["comparisons"]]
        assert cases == [one.case for one in result.comparisons]
    for figure in DRAWN:
        (path,) = (Path(p) for p in sources["figures"] if Path(p).stem == figure)
        named = small["figures"][figure]
        assert (named["target"], named["mark"]) == (figure, digest_of(path)[:8])


def test_no_semicolon_is_read_as_the_end_of_code() -> None:
    call = r"#[\w-]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?(?:\[[^\[\]]*\])?;"
    texts = [path.read_text("utf-8") for path in FOLDER.glob("*.typ")]
    assert [found for text in texts for found in re.findall(call, text)] == []


def test_text_from_data_is_no_markup() -> None:
    unsafe = '#panic("x") *a* [b] $c$ \\* "quoted" _d_'
    plain = typst.query({"main.typ": f"#metadata[{markup(unsafe)}]<it>".encode()}, "<it>")  # type: ignore[arg-type]
    texts = re.findall(r'"text": ?"((?:[^"\\]|\\.)*)"', plain)
    assert "#panic(“x”) *a* [b]" in "".join(texts)


@pytest.mark.parametrize("whose", ["full", "small"])
def test_same_bytes_twice_without_a_date_and_on_so_many_pages(
    request: pytest.FixtureRequest, sources: Sources, tmp_path: Path, whose: str
) -> None:
    values, sources = request.getfixturevalue(whose), {**sources, "proofs": []}
    with chdir(tmp_path):
        pdf = typeset(values, sources)
    assert pdf == typeset(values, sources)
    assert not re.search(rb"CreationDate|ModDate|CreateDate", pdf)
    pages = re.search(rb"NPages>(\d+)<", pdf)
    assert pages is not None
    # Twelve, and three of the supplement, without its proofs.
    assert 8 <= int(pages[1]) <= 15


@pytest.mark.slow
def test_the_target_writes_it(smoke_run: Project, tmp_path: Path) -> None:
    project = replace(smoke_run.copy(tmp_path / "project"), snakefile="research/Snakefile")
    project.make("article")
    path = project.folder / "results/article.pdf"
    assert path.read_bytes().startswith(b"%PDF")


def test_metadata_are_those_of_the_citation() -> None:
    paper = next(r for r in CITATION["references"] if "Penalization" in r["title"])
    assert ABOUT["title"] == f"[Re] {paper['title']}"
    people = CITATION["authors"]
    names = [a.get("name") or f"{a['given-names']} {a['family-names']}" for a in people]
    assert [author["name"] for author in ABOUT["authors"]] == names
    assert ABOUT["keywords"].split(", ") == CITATION["keywords"]
    original = {key: value for entry in ABOUT["replication"] for key, value in entry.items()}
    assert original["url"] == paper["url"]
    assert original["doi"] == paper.get("doi", original["doi"])
    for author in paper["authors"]:
        assert f"{author['given-names']} {author['family-names']}" in original["cite"]


# --- The variability of pulls, as related work has it: floors beside a wider radius -----

HORIZON, GAPS = 10_000, (0.02, 0.04, 0.08, 0.16, 0.32)


def pulls(policy: Policy, gap: float = 0.0, floor: float = 0.0) -> PullArray:
    bandit = Instance([0.5 + gap / 2, 0.5 - gap / 2], floor, 0.5, Bernoulli())
    tuning = 0.0 if policy.tuning else None
    return simulate(policy, bandit, HORIZON, replicates=400, seed=1, tuning=tuning).at(HORIZON)


def share_sd(policy: Policy, floor: float = 0.0) -> str:
    return f"{pulls(policy, floor=floor)[:, 0].std(ddof=1) / HORIZON:.3f}"


def test_the_article_says_what_is_simulated() -> None:
    text = " ".join((FOLDER / "related.typ").read_text(encoding="utf-8").split())
    (said,) = re.findall(r"The variability of pulls.*?no remedy", text)
    wider = [replace(POLICIES["ucb1"], id=f"ucb_{c:.0f}", exploration=c) for c in (2.0, 8.0, 32.0)]
    worst = [max(gap * pulls(rule, gap)[:, 1].mean() for gap in GAPS) for rule in wider]
    stable = [share_sd(rule) for rule in wider]
    floors = {POLICIES[rule] for rule in ("hard_threshold_ucb", "fair_learn")}
    kept = [{share_sd(rule, floor) for rule in floors} for floor in (0.1, 0.25, 0.4)]
    assert kept == [{stable[0]}, {stable[0]}, {"0.065"}]
    assert f"is {stable[0]} with UCB1" in said
    assert f"as wide makes it {stable[1]}, four times {stable[2]}" in said
    assert f"from 0.02 to 0.32 is {worst[0]:.0f}, {worst[1]:.0f} and {worst[2]:.0f}" in said
    assert f"leave {stable[0]}, of 0.4 make it 0.065" in said
