"""The confirmation: new bandits, a frozen config, seeds together."""

import csv
from dataclasses import replace
from pathlib import Path
from shutil import copy

import numpy as np
import pytest
from research.publish import write_confirmed

from config_helpers import PAPER, ROOT
from git_history import OF_RESEARCH, brought, out_of_order, skip_without_history
from penalized_bandits.bandit.rewards import Gaussian
from penalized_replication.claims import claim
from penalized_replication.claims.base import DECLARED, Evidence
from penalized_replication.claims.comparisons import Measured, Measurement, Place
from penalized_replication.claims.table.preregistration import confirmed, forms_of, in_short
from penalized_replication.config.model import parse_config
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.datasets.counts import BUNDLED_COUNTS
from penalized_replication.experiments.base import Case, Context
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.new_bandits import NOISE, on_new_bandits
from penalized_replication.extensions import HOMES
from penalized_research.confirmation import confirm, frozen_digest
from rule_helpers import above, alternating, result
from tiny_sections import HOME, NAME, TINY_EXTENDED

COUNTS = str(BUNDLED_COUNTS)
CONFIRMED, FROZEN = (HOME / f"claims/{name}.csv" for name in ("confirmed", "frozen"))


def cases_of(name: str, seed: int = 5, *, new: bool = True) -> dict[str, Case]:
    config = parse_config({**PAPER, **TINY_EXTENDED})
    experiment = on_new_bandits(EXPERIMENTS[name]) if new else EXPERIMENTS[name]
    section = config.section(name)
    context = Context(seed, config.interpretations, 0, 4, COUNTS)
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
    # The second, alone, would have p = 0.027.
    means = dict(zip(map(id, evidence.values()), (490.0, 492.5, 490.0), strict=True))

    def measure(one: Evidence) -> Measured:
        ours = alternating(mean := means[id(one)], 26, 400)
        yield Measurement((ours, np.full(400, 500.0)), Place(case="a", label="a"))
        yield {"ratios": {"law": [0.5, 2.0, 0.5] if mean < 491 else [0.25, 3.0, 4.0]}}

    monkeypatch.setitem(DECLARED, "E09", replace(claim("E09"), measure=measure))
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
