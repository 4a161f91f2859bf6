"""Scenarios joined: verdicts beside the paper's; new bandits, a frozen register, seeds together."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from config_helpers import PAPER, ROOT
from git_history import brought, out_of_order, skip_without_history
from penalized_bandits.bandit.rewards import Gaussian
from penalized_replication.claims import claim
from penalized_replication.claims.base import DECLARED, Evidence, Measured
from penalized_replication.claims.joined.confirmation import confirm
from penalized_replication.claims.joined.verdicts import NEEDED, dependent, verdicts_table
from penalized_replication.claims.ledger import register as ledger
from penalized_replication.claims.ledger.register import digest_of as rule_digest_of
from penalized_replication.claims.parts import above, below
from penalized_replication.claims.results import ClaimResult
from penalized_replication.config.model import parse_config
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.datasets.counts import BUNDLED_COUNTS
from penalized_replication.experiments.base import Case, Context
from penalized_replication.experiments.catalogue import beyond
from penalized_replication.experiments.new_bandits import NOISE, frozen_digest, on_new_bandits
from publish import write_confirmed
from rule_helpers import result
from tiny_sections import TINY_EXTENDED

# --- The confirmation --------------------------------------------------------------

COUNTS = str(BUNDLED_COUNTS)
FROZEN = ledger.CONFIRMED.with_name("frozen.csv")
ALL = Scenarios(PAPER, ROOT / "config/scenarios.yaml")
CONFIRM = {folder: ALL.config(folder) for folder in ALL.folders("confirm")}
FIRST = next(iter(CONFIRM))


def cases_of(name: str, seed: int = 5, *, new: bool = True) -> dict[str, Case]:
    config = parse_config({**PAPER, **TINY_EXTENDED})
    experiment = on_new_bandits(beyond()[name]) if new else beyond()[name]
    section = config.section(name)
    context = Context(seed, config.readings, 0, 4, COUNTS)
    return {case.id: case for case in experiment.all_cases(section, context)}


@pytest.mark.parametrize("name", TINY_EXTENDED)
def test_new_bandits_have_the_same_runs(name: str) -> None:
    old, new, other = cases_of(name, new=False), cases_of(name), cases_of(name, seed=6)
    assert list(new) == list(old)
    for key, case in new.items():
        before = old[key]
        assert case.fairness.sum() == pytest.approx(before.fairness.sum())
        assert case.means.shape == case.fairness.shape
        assert len(set(case.fairness)) == len(case.fairness)
        case.rewards.code(case.means)
        if case.rewards.id == "categorical":
            np.testing.assert_array_equal(case.means, before.means)
        else:
            assert not np.isin(case.means, before.means).any()
            assert not np.isin(case.means, other[key].means).any()
        if isinstance(case.rewards, Gaussian):
            assert NOISE[0] <= case.rewards.sd < NOISE[1]
        assert not np.isin(case.fairness, other[key].fairness).any()
        for run, given in zip(case.runs, before.runs, strict=True):
            assert vars(replace(run, penalties=None)) == vars(replace(given, penalties=None))
            if not isinstance(given.penalties, np.ndarray):
                assert run.penalties == given.penalties
                continue
            rates = np.asarray(run.penalties)
            assert rates.shape == case.means.shape
            assert 0 <= rates.min() < rates.max() < np.ptp(case.means)


def test_a_bandit_is_the_same_at_all_horizons() -> None:
    for name in ("long_runs", "shrinking_fairness"):
        cases = cases_of(name)
        stems = {key.rpartition("_T")[0] for key in cases}
        means = {tuple(case.means) for case in cases.values()}
        shares = {tuple((c.fairness / c.fairness.sum()).round(9)) for c in cases.values()}
        movies = sum(stem.startswith("m0") for stem in stems)
        assert len(means) == len(shares) == len(stems)
        assert len(stems) > movies


def test_what_is_frozen_is_what_is_run() -> None:
    config = CONFIRM[FIRST]
    sections = {e: config.section(e).model_dump(mode="json") for e in ALL.keys()[FIRST]}
    seeds = [config.seed for config in CONFIRM.values()]
    *_, (_, last) = csv.reader(FROZEN.read_text(encoding="utf-8").splitlines())
    assert last == frozen_digest(sections, seeds, COUNTS), (
        "a scenario of the set confirm or the bandits that it draws changed: take new seeds, and "
        "add a line to claims/ledger/frozen.csv before the run"
    )


def test_seeds_share_the_level_and_each_has_its_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = {seed: Evidence({}, {}) for seed in (5, 6, 7)}
    highs = {id(one): high for one, high in zip(evidence.values(), (-1.0, 2.0, -1.0), strict=True)}

    def measure(one: Evidence) -> Measured:
        high = highs[id(one)]
        yield below((-2.0, -3.0, high), 0.0, case="a", label="a")
        yield {"ratios": {"law": [0.25, 3.0, 4.0] if high > 0 else [0.5, 2.0, 0.5]}}

    measured = replace(claim("E08"), measure=measure)
    monkeypatch.setitem(DECLARED, "E08", measured)
    result = confirm("E08", evidence, "f" * 12)
    assert [one.level for one in evidence.values()] == [pytest.approx(0.05 / 3)] * 3
    assert result.facts["by_seed"] == ["reproduced", "undecided", "reproduced"]
    assert (result.verdict, result.statuses["holds"]) == ("partly", 2)
    assert [part.name for part in result.parts] == [f"seed {s}, a" for s in (5, 6, 7)]
    assert result.facts["ratios"] == {"law": [0.25, 3.0, pytest.approx(1.0)]}


def test_what_came_out_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ledger, "CONFIRMED", tmp_path / "confirmed.csv")
    assert ledger.in_short("E06") == "not yet confirmed"
    facts = {"by_seed": ["a", "b"], "frozen": "f" * 12}
    part = below((2.0, 1.0, 3.0), 0.0, case="a|b")
    texts = {"quantity": 'regret "x"', "verdict": "not reproduced"}
    digests = {"rule_digest": rule_digest_of(claim("E06"))}
    write_confirmed([result("E06", part, facts=facts | digests, **texts)], ledger.CONFIRMED)
    assert ledger.confirmed()["E06"]["worst"] == 'regret "x" (a|b): 2.0 [1.0, 3.0]'
    facts |= {"rule_digest": "0" * 12}
    write_confirmed([result("E06", part, facts=facts, **texts)], ledger.CONFIRMED)
    assert ledger.in_short("E06") == "not reproduced (by an earlier rule)"


def test_rules_and_config_were_committed_before_the_results() -> None:
    skip_without_history()
    results, freeze = (str(file.relative_to(ROOT)) for file in (ledger.CONFIRMED, FROZEN))
    for name, row in ledger.confirmed().items():
        if not brought(row["rule_digest"], results):
            pytest.skip("the results are not committed yet")
        assert out_of_order(row["rule_digest"], results) == "", name
        assert out_of_order(row["frozen"], results, freeze) == "", name


# --- Verdicts of a set's scenarios beside the paper's ------------------------------

HOLDS, FAILS = below((1.0, 0.5, 1.5), 2.0, case="a"), below((5.0, 4.0, 6.0), 2.0, case="a")
OTHER = above((0.5, 0.2, 0.9), 1.0, case="b")
CHANGES = {"lfg": "readings.lfg: original", "seed_1": "seed: 1"}
OF_PAPER = [result("C07", HOLDS, verdict="reproduced"), result("C25", HOLDS, verdict="reproduced")]


def failed(name: str) -> ClaimResult:
    return result(name, FAILS, verdict="not reproduced")


def test_a_changed_verdict_is_beside_the_papers() -> None:
    scenarios = {"lfg": [failed("C07"), OF_PAPER[1]], "seed_1": [failed("C07")]}
    table = verdicts_table(OF_PAPER, scenarios, CHANGES)
    assert set(NEEDED) <= set(table.columns)
    assert table["scenario"].to_list() == ["lfg", "lfg", "seed_1"]
    changed, same, _ = table.to_dict("records")
    assert (changed["verdict"], changed["paper_verdict"]) == ("not reproduced", "reproduced")
    assert [changed[name] for name in ("estimate", "ci_low", "ci_high")] == [5, 4, 6]
    assert [changed[name] for name in ("hold", "fail", "undecided")] == [0, 1, 0]
    assert (changed["part"], changed["paper_estimate"]) == ("a", 1.0)
    assert (changed["changed"], same["changed"]) == (True, False)
    texts = [f"{changes}: not reproduced" for changes in CHANGES.values()]
    assert dependent(table) == {"C07": texts}


@pytest.mark.parametrize(
    ("scenario", "paper_verdict", "changed"),
    [
        # A claim that the paper's run lacks, a part that it lacks, and a claim without parts.
        (failed("C24"), "", False),
        (result("C07", OTHER, verdict="not reproduced"), "reproduced", True),
        (result("C07", verdict="not measured"), "reproduced", True),
    ],
)
def test_what_has_no_counterpart_in_the_papers_run(
    scenario: ClaimResult, paper_verdict: str, changed: bool
) -> None:
    table = verdicts_table(OF_PAPER, {"lfg": [scenario]}, CHANGES)
    (row,) = table.to_dict("records")
    assert np.isnan(table["paper_estimate"].astype(float)).all()
    assert (row["paper_verdict"], row["changed"]) == (paper_verdict, changed)
    assert list(dependent(table)) == [scenario.id] * changed
