"""The confirmation: new bandits, a frozen config, seeds together."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from research.publish import write_confirmed

from config_helpers import PAPER, ROOT
from git_history import OF_RESEARCH, brought, out_of_order, skip_without_history
from penalized_bandits.bandit.rewards import Gaussian
from penalized_replication.claims import claim
from penalized_replication.claims.base import DECLARED, Evidence, Measured
from penalized_replication.claims.ledger import register as ledger
from penalized_replication.claims.ledger.register import digest_of as rule_digest_of
from penalized_replication.claims.parts import below
from penalized_replication.config.model import parse_config
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.datasets.counts import BUNDLED_COUNTS
from penalized_replication.experiments.base import Case, Context
from penalized_replication.experiments.catalogue import ADDED
from penalized_replication.experiments.new_bandits import NOISE, on_new_bandits
from penalized_replication.extensions import HOMES
from penalized_research.confirmation import confirm, frozen_digest
from rule_helpers import result
from tiny_sections import HOME, NAME, TINY_EXTENDED

COUNTS = str(BUNDLED_COUNTS)
CONFIRMED, FROZEN = (HOME / f"claims/{name}.csv" for name in ("confirmed", "frozen"))


def cases_of(name: str, seed: int = 5, *, new: bool = True) -> dict[str, Case]:
    config = parse_config({**PAPER, **TINY_EXTENDED})
    experiment = on_new_bandits(ADDED[name]) if new else ADDED[name]
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
    assert ledger.in_short("S01") == ""
    (tmp_path / "claims").mkdir()
    monkeypatch.setitem(HOMES, NAME, tmp_path)
    written = tmp_path / "claims/confirmed.csv"
    facts = {"by_seed": ["a", "b"], "frozen": "f" * 12}
    part = below((2.0, 1.0, 3.0), 0.0, case="a|b")
    texts = {"quantity": 'regret "x"', "verdict": "not reproduced"}
    digests = {"rule_digest": rule_digest_of(claim("E06"))}
    write_confirmed([result("E06", part, facts=facts | digests, **texts)], written)
    assert ledger.confirmed()["E06"]["worst"] == 'regret "x" (a|b): 2.0 [1.0, 3.0]'
    facts |= {"rule_digest": "0" * 12}
    write_confirmed([result("E06", part, facts=facts, **texts)], written)
    assert ledger.in_short("E06") == "not reproduced (by an earlier rule)"


def test_rules_and_config_were_committed_before_the_results() -> None:
    skip_without_history()
    results, freeze = (file.relative_to(ROOT).as_posix() for file in (CONFIRMED, FROZEN))
    for name, row in ledger.confirmed().items():
        if not brought(row["rule_digest"], results):
            pytest.skip("the results are not committed yet")
        assert out_of_order(row["rule_digest"], results, OF_RESEARCH) == "", name
        assert out_of_order(row["frozen"], results, freeze) == "", name
