"""Claims of the research: declarations, rules before results, pages, the confirmation."""

import csv
import os
import re
import shutil
from dataclasses import replace
from itertools import chain
from pathlib import Path
from shutil import copy

import numpy as np
import pytest
from research import publish
from research.publish import write_confirmed

from config_helpers import PAPER, ROOT
from declaration_checks import checks_of
from git_history import OF_RESEARCH, brought, out_of_order, skip_without_history
from penalized_replication.claims import experiments_of
from penalized_replication.claims.base import DECLARED, Evidence, claim_of
from penalized_replication.claims.comparisons import Measured, Measurement, Place
from penalized_replication.claims.results import read_results, to_json
from penalized_replication.claims.table.preregistration import confirmed, forms_of, in_short
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.datasets.counts import BUNDLED_COUNTS
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.extensions import HOMES
from penalized_research import PROVED
from penalized_research.confirmation import confirm, frozen_digest
from rule_helpers import above, alternating, result
from tiny_sections import CLAIMS_OF, ENTRIES, HOME, NAME, TINY_SETS

DOCS = ROOT / "research/docs"
PUBLISHED = [f"research/docs/published/{name}.json" for name in TINY_SETS if name != "confirm"]
OF_HOUSE = HOME / "claims", HOME / "claims/notes", OF_RESEARCH
CHECKS = checks_of([*ENTRIES.values()], *OF_HOUSE, *PUBLISHED, table="comparison_by_case.csv")


@pytest.mark.parametrize("what", CHECKS)
def test_claims_are_declared_preregistered_and_published(what: str) -> None:
    CHECKS[what]()


def test_every_experiment_of_a_claim_is_there() -> None:
    assert set(experiments_of(ENTRIES.values())) <= EXPERIMENTS.keys()


def test_every_claim_has_a_title_and_a_set() -> None:
    assert [*publish.TITLES] == [*ENTRIES]
    assert [*chain(*CLAIMS_OF.values())] == sorted(ENTRIES)


@pytest.mark.parametrize("name", publish.PAGES)
def test_page_is_that_of_the_published_claims_and_captions(name: str) -> None:
    page, figures = publish.PAGES[name]
    results = read_results(DOCS / f"published/{name}.json")
    captions = {f.id: (DOCS / f"images/{f.id}.md").read_text(encoding="utf-8") for f in figures}
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    assert text == page(results, captions), "uv run python research/publish.py"


def test_overview_has_every_theorem_with_its_claims() -> None:
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| .*\]\(.*$", text)
    for path in (ROOT / page for page in PROVED):
        link = os.path.relpath(path, DOCS.parent)
        kinds = r"(?m)^##+ (Theorem|Lemma|Proposition|Corollary)\b.*\{ #(\S+) \}$"
        for kind, anchor in re.findall(kinds, path.read_text(encoding="utf-8")):
            if re.match(r"theorem-4-[1-8]$", anchor):
                continue  # a section on the paper's
            (row,) = (row for row in rows if f"]({link}#{anchor})" in row)
            assert kind == "Lemma" or re.search(r"\.md#[ces]\d\d", row), anchor


def test_overview_has_what_was_confirmed() -> None:
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    verdicts: dict[str, list[str]] = {}
    for row in confirmed().values():
        verdicts.setdefault(row["verdict"], []).append(row["id"])
    for verdict, claims in verdicts.items():
        assert f"- {verdict}: {', '.join(claims)}\n" in text


def test_a_run_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, docs = tmp_path / "scenarios", tmp_path / "docs"
    monkeypatch.setattr(publish, "SCENARIOS", run)
    monkeypatch.setattr(publish, "DOCS", docs)
    monkeypatch.setattr(publish, "CONFIRMED", tmp_path / "confirmed.csv")
    ledgers, figures = run / "sharp/claims", run / "sharp/figures"
    for folder in (ledgers, figures, docs / "images", docs / "published"):
        folder.mkdir(parents=True)
    shutil.copyfile(DOCS / "published/sharp.json", ledgers / "claims.json")
    for path in (DOCS / "images").iterdir():
        shutil.copyfile(path, figures / path.name)
    facts = {"by_seed": ["holds in part"], "rule_digest": "1", "frozen": "2"}
    results = read_results(DOCS / "published/extended.json")
    again = [replace(result, facts={**result.facts, **facts}) for result in results]
    (run / "confirm.json").write_text(to_json(again), encoding="utf-8")
    publish.main()
    assert (docs / "sharp.md").read_bytes() == (DOCS / "sharp.md").read_bytes()
    assert not (docs / "extended.md").exists()
    shown = {f"{figure.id}{form}" for figure in publish.SHARP for form in publish.FORMS}
    assert {path.name for path in (docs / "images").iterdir()} == shown
    lines = publish.CONFIRMED.read_text(encoding="utf-8").splitlines()
    assert (lines[0], len(lines)) == (",".join(publish.COLUMNS), len(results) + 1)


COUNTS = str(BUNDLED_COUNTS)
CONFIRMED, FROZEN = (HOME / f"claims/{name}.csv" for name in ("confirmed", "frozen"))


def test_what_is_frozen_is_what_is_run() -> None:
    every = Scenarios(PAPER)
    first, *_ = folders = every.folders("confirm")
    config, seeds = every.config(first), [every.config(folder).seed for folder in folders]
    sections = {e: config.section(e).model_dump(mode="json") for e in every.keys()[first]}
    *_, (_, last) = csv.reader(FROZEN.read_text(encoding="utf-8").splitlines())
    assert last == frozen_digest(sections, seeds, COUNTS), (
        "a scenario of the set confirm or the bandits that it draws changed: take new seeds, and "
        "add a line to claims/frozen.csv before the run"
    )


def test_seeds_share_the_level_and_each_has_its_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = {seed: Evidence({}, {}) for seed in (5, 6, 7)}
    # The second, alone, would have p = 0.027.
    means = dict(zip(map(id, evidence.values()), (490.0, 492.5, 490.0), strict=True))

    def measure(one: Evidence) -> Measured:
        ours = alternating(mean := means[id(one)], 26, 400)
        yield Measurement((ours, np.full(400, 500.0)), Place(case="a", label="a"))
        yield {"ratios": {"law": [0.5, 2.0, 0.5] if mean < 491 else [0.25, 3.0, 4.0]}}

    monkeypatch.setitem(DECLARED, "E09", replace(claim_of("E09"), measure=measure))
    result = confirm("E09", evidence, "f" * 12)
    assert result.facts["by_seed"] == ["holds", "undecided", "holds"]
    assert (result.verdict, result.statuses["holds"]) == ("holds in part", 2)
    assert [one.name for one in result.comparisons] == [f"seed {s}, a" for s in (5, 6, 7)]
    assert result.facts["ratios"] == {"law": [0.25, 3.0, pytest.approx(1.0)]}


def test_what_came_out_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert in_short("S01") == "not confirmed"
    one, last = above((2.0, 1.0, 3.0), 4.0, case="a|b"), forms_of("E06")[-1]
    about = {"by_seed": ["a", "b"], "frozen": "f" * 12}
    texts = {"quantity": 'regret "x"', "verdict": "fails"}
    earlier = "0" * 12, " (by an earlier rule)"
    for digest, said in ((last["digest"], ""), (last["same"], ""), earlier):
        folder = tmp_path / digest / "claims"
        folder.mkdir(parents=True)
        copy(HOME / "claims/rules.csv", folder)
        made = result("E06", one, facts={**about, "rule_digest": digest}, **texts)
        write_confirmed([made], folder / "confirmed.csv")
        with monkeypatch.context() as patched:
            patched.setitem(HOMES, NAME, folder.parent)
            assert confirmed()["E06"]["worst"] == 'regret "x" (a|b): 2.0 [1.0, 3.0]'
            assert in_short("E06") == f"fails{said}"


def test_rules_and_config_were_committed_before_the_results() -> None:
    skip_without_history()
    results, freeze = (file.relative_to(ROOT).as_posix() for file in (CONFIRMED, FROZEN))
    for name, row in confirmed().items():
        if not brought(row["rule_digest"], results):
            pytest.skip("the results are not committed yet")
        assert out_of_order(row["rule_digest"], results, OF_RESEARCH) == "", name
        assert out_of_order(row["frozen"], results, freeze) == "", name
