"""The extended claims on generated replicates, and the comparison of policies."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from extended_helpers import TINY_EXTENDED
from outcome_factories import N, outcome
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims import claim
from penalized_replication.claims.deciding import decide, measure
from penalized_replication.claims.evidence import Evidence
from penalized_replication.claims.extended.less_regret import MARGIN, all_regrets
from penalized_replication.claims.joined.policies import (
    by_case,
    comparison,
    comparison_page,
    side_information,
)
from penalized_replication.claims.measures.comparison import regrets_of
from penalized_replication.storage.replicates import Outcome

SIGMA, KL = "hard_threshold_sigma", "kl_hard_threshold"
LONG = [4000, 10_000, 30_000, 100_000, 300_000]
RIVALS = ("lfg", "fair_learn", "soft_threshold_ucb")
Growth = Callable[[int], float]


def run(case: str, policy: str, horizon: int, regret: float, **changes: Any) -> Outcome:
    """Return an outcome with about this mean regret, replicates spread around it.

    Arm 2 has Delta - A = 0.3 and is to be left below its level: each pull of it costs 0.3.
    """
    rng = np.random.default_rng([len(case), len(policy), horizon])
    others = np.round(regret * rng.uniform(0.99, 1.01, (N, 1)) / 0.3)
    assert (others <= 0.4 * horizon).all()
    made = outcome(others, horizon, (0.9, 0.5), (0.4, 0.4), 0.1, case=case, policy=policy)
    return replace(made, **{"scale": 1.0, **changes})


class Generated(Evidence):
    """Policies with known regrets: in long_runs by the horizon, in all else a level."""

    def __init__(
        self, growth: Mapping[str, Growth], level: Mapping[str, float], tuned: float = 0.5
    ) -> None:
        sections: dict[str, Any] = {name: {**values} for name, values in TINY_EXTENDED.items()}
        for name, section in sections.items():
            section["policies"] = list(growth if name.startswith("long_runs") else level)
        sections["heavy_tails"]["policies"] = [PAPER_POLICY]
        sections["long_runs"]["horizons"] = LONG
        sections["long_runs_kl"] |= {"policies": list(growth)[:1], "horizons": LONG}
        super().__init__(sections, {})
        self.made = self._outcomes
        self.made["long_runs"] = [
            run(f"one_T{t}", policy, t, grow(t)) for policy, grow in growth.items() for t in LONG
        ]
        for name in ("extended_1", "extended_regret"):
            self.made[name] = [
                # The tuned run is twice as good, or that of the paper's policy by more.
                run(case, policy, 400, value * share, scale=scale)
                for case in ("a", "bb")
                for policy, value in level.items()
                for scale, share in ((1.0, 1.0), (0.25, tuned if policy == PAPER_POLICY else 0.5))
            ]

    def add(self, experiment: str, *outcomes: Outcome) -> "Generated":
        """Put outcomes in the place of an experiment's, and their policies in its section."""
        self.made[experiment] = list(outcomes)
        policies = list(dict.fromkeys(one.policy for one in outcomes))
        section = self._sections[experiment].model_copy(update={"policies": policies})
        self._sections[experiment] = section
        return self


def as_log(t: int) -> float:
    return 20 * float(np.log(t))


def as_predicted(t: int) -> float:
    """Regret of the hard threshold on the bandit of `run`; sigma = 1 is its own bonus."""
    return float(predicted_regret(instance_of((0.9, 0.5), (0.4, 0.4), 0.1), t))


def as_root(t: int) -> float:
    return 2 * float(np.sqrt(t))


BETTER = {PAPER_POLICY: 20.0, SIGMA: 10.0, "ucb1": 30.0}


def evidence(
    ours: Growth = as_log,
    sigma: Growth = as_log,
    *,
    kl: float | None = None,
    level: float = 10.0,
    tuned: float = 0.5,
) -> Generated:
    """Return evidence in which sigma's policy is better, by default; with KL's where asked for."""
    growth, levels = {PAPER_POLICY: ours, SIGMA: sigma}, {**BETTER, SIGMA: level}
    if kl is not None:
        growth[KL], levels[KL] = as_log, kl
    return Generated(growth, levels, tuned)


def against(experiment: str, ours: float, theirs: float) -> Generated:
    """The paper's policy and its rivals at two horizons."""
    rivals = ("ucb1",) if experiment == "many_arms" else RIVALS
    level = {PAPER_POLICY: ours, **dict.fromkeys(rivals, theirs)}
    runs = [run("a", policy, t, value) for policy, value in level.items() for t in (100, 400)]
    return evidence().add(experiment, *runs)


def growing(experiment: str, exponent: float, *policies: str) -> Generated:
    """Regret that grows as a power of T, in each case of an experiment of few horizons."""
    shrinks = experiment == "shrinking_fairness"
    runs = [
        run(case + (f"_T{t}" if shrinks else ""), policy, t, level * (t / 100) ** exponent)
        for case in (["K5_b0.5"] if shrinks else ["K5_tail1.5", "K5_tail10"])
        for policy, level in {PAPER_POLICY: 2.0, **dict.fromkeys(policies, 3.0)}.items()
        for t in (100, 400)
    ]
    return evidence().add(experiment, *runs)


def shrinking(exponent: float) -> Generated:
    """Regret that is the prediction of the hard threshold times a power of T."""
    horizons = [1000, 4000, 16_000]
    runs = [
        run(f"K5_b0.5_T{t}", policy, t, as_predicted(t) * (t / 4000) ** exponent + extra)
        for policy, extra in ((PAPER_POLICY, 0.0), ("ucb1", 3.0))
        for t in horizons
    ]
    made = evidence().add("shrinking_fairness", *runs)
    section = made.section("shrinking_fairness")
    made._sections["shrinking_fairness"] = section.model_copy(update={"horizons": horizons})
    return made


def same_as_ucb1() -> Generated:
    """The hard threshold has the pulls of UCB1 where fractions shrink."""
    pulls = run("K5_b0.5_T400", PAPER_POLICY, 400, 2.0).pulls
    runs = [
        run(f"K5_b0.5_T{t}", policy, t, 2.0, pulls=pulls)
        for policy in (PAPER_POLICY, "ucb1")
        for t in (100, 400)
    ]
    return evidence().add("shrinking_fairness", *runs)


def wasting(wasted: float) -> Generated:
    """Of 30 pulls in all sigma's policy wastes some: arm 2 costs reward, arm 3 is unfair."""
    made = evidence()
    for name in ("extended_3", "extended_5"):
        runs = []
        for policy, extra in ((PAPER_POLICY, 30.0 - wasted), (SIGMA, wasted)):
            for i, third in enumerate((80.0, 60.0, 20.0)):
                noise = np.random.default_rng(i).integers(-2, 3, (N, 1))
                others = np.hstack([np.full((N, 1), 80 + extra), third + noise])
                bandit = ((0.9, 0.6, 0.2), (0.2,) * 3, None)
                runs.append(outcome(others, 400, *bandit, case="a", policy=policy, tuning=float(i)))
        made.add(name, *runs)
    return made


def noisier(sigma: float) -> Generated:
    """Evidence whose rewards have another standard deviation."""
    made = evidence()
    made.made["long_runs"] = [
        replace(one, info=replace(one.info, parameters={"sd": sigma}))
        for one in made.made["long_runs"]
    ]
    return made


def tradeoffs(made: Generated, *policies: str) -> Generated:
    """Curves of three points; UCB1 has one."""
    for name in ("extended_3", "extended_5"):
        made.add(
            name,
            *(
                run("a", policy, 400, regret, tuning=float(i), penalties=None)
                for policy in policies
                for i, regret in enumerate((8.0,) if policy == "ucb1" else (1.0, 8.0, 20.0))
            ),
        )
    return made


@pytest.mark.parametrize(
    ("name", "made", "verdict", "statuses"),
    [
        ("E01", evidence, "reproduced", "hhhh"),
        ("E01", lambda: evidence(level=25.0), "not reproduced", "ffff"),
        # Whatever the laws: they are E02's.
        ("E01", lambda: evidence(sigma=as_root), "reproduced", "hhhh"),
        # The same within a hundredth: that is no difference.
        ("E01", lambda: evidence(level=20.0), "undecided", "vvvv"),
        ("E02", lambda: evidence(as_predicted, as_predicted), "reproduced", "hh"),
        ("E02", lambda: evidence(as_predicted, as_root), "partly", "hf"),
        ("E02", lambda: evidence(as_log, as_log), "not reproduced", "ff"),
        ("E03", lambda: evidence(kl=15.0), "reproduced", "hhhh"),
        ("E03", lambda: evidence(kl=15.0, tuned=0.1), "not reproduced", "ffff"),
        ("E04", evidence, "reproduced", "hh"),
        # Of the published policy's radius no limit is known at so much noise.
        ("E04", lambda: noisier(2.0), "partly", "uh"),
        ("E04", lambda: noisier(0.5), "partly", "fh"),
        ("E05", lambda: wasting(30.0), "reproduced", "hh"),
        ("E05", lambda: wasting(0.0), "not reproduced", "ff"),
        ("E06", lambda: against("heterogeneous_penalties", 2.0, 4.0), "reproduced", "hhh"),
        ("E06", lambda: against("heterogeneous_penalties", 4.0, 2.0), "not reproduced", "fff"),
        ("E07", lambda: shrinking(0.0), "reproduced", "h"),
        ("E07", lambda: shrinking(0.1), "not reproduced", "f"),
        ("E07", same_as_ucb1, "undecided", "v"),
        ("E08", lambda: growing("heavy_tails", 0.2), "reproduced", "hh"),
        ("E08", lambda: growing("heavy_tails", 0.9), "not reproduced", "ff"),
        ("E09", lambda: against("many_arms", 2.0, 4.0), "reproduced", "hh"),
        ("E09", lambda: against("many_arms", 4.0, 2.0), "not reproduced", "ff"),
        ("E10", lambda: evidence(kl=15.0), "reproduced", "hhhh"),
        ("E10", lambda: evidence(kl=25.0), "not reproduced", "ffff"),
    ],
)
def test_the_rule_decides(
    name: str, made: Callable[[], Generated], verdict: str, statuses: str
) -> None:
    result = decide(measure(name, made()))
    assert "".join(part.status[0] for part in result.parts) == statuses
    assert result.verdict == verdict


def test_e05_says_nothing_where_nobody_can_be_better() -> None:
    # Two arms: reward follows from unfairness.
    made = tradeoffs(evidence(), PAPER_POLICY, SIGMA, "ucb1")
    parts = measure("E05", made).parts
    assert {part.status for part in parts} <= {"vacuous", "undecided"}
    assert len(parts) == 4


def test_the_policies_are_fixed_by_name() -> None:
    for name, policy in (("E01", SIGMA), ("E10", KL), ("E03", KL)):
        parts = measure(name, evidence(kl=15.0)).parts
        assert policy in claim(name).statement
        assert {(part.policy, part.rival) for part in parts} == {(policy, PAPER_POLICY)}
        for part in parts:
            assert part.low < part.estimate < part.high < part.most < 0
            assert part.most == pytest.approx(-MARGIN * part.reference_scale)


def test_limits_are_held_against_the_bound() -> None:
    """The limit is 2/0.3, the bound's constant 2 sigma^2/0.3; the scaled policy meets it."""
    parts = measure("E04", noisier(0.5)).parts
    assert [part.estimate for part in parts] == pytest.approx([4, 1])


def test_tuning_is_chosen_on_one_half_and_measured_on_the_other() -> None:
    made = evidence()
    even = np.arange(N)[:, None] % 2 == 0
    lucky = np.where(even, 10, 150).astype(np.int32)
    pulls = np.hstack([400 - lucky, lucky])
    made.made["extended_1"].append(
        run("a", PAPER_POLICY, 400, 20.0, pulls=pulls, scale=None, tuning=7.0)
    )
    found = regrets_of(made, "extended_1", "a", PAPER_POLICY)
    # The even half chooses what is bad on the odd one; the odd half the scaled run.
    assert found.chosen == "tuning 7 (the last tried) / exploration x 0.25"
    np.testing.assert_allclose(found.tuned[1::2], 45.0)
    assert found.tuned[::2].mean() == pytest.approx(10, rel=0.1)
    assert found.published.mean() == pytest.approx(20, rel=0.1)
    assert found.tuned.shape == found.published.shape == (N,)
    assert len(all_regrets(made, PAPER_POLICY)) == 4


def test_the_table_of_the_comparison() -> None:
    made = tradeoffs(evidence(), PAPER_POLICY, SIGMA, "ucb1")
    table = comparison(by_case(made)).set_index("policy")
    assert list(table.index) == [PAPER_POLICY, SIGMA, "ucb1"]
    shown, bound = comparison_page(table.reset_index()), 2 / 0.3 * np.log(400)
    for policy, regret in BETTER.items():
        row = table.loc[policy].to_dict()
        assert row["extended_1_over_bound_published"] == pytest.approx(regret / bound, rel=0.1)
        assert row["extended_1_over_bound_tuned"] == pytest.approx(regret / 2 / bound, rel=0.1)
        assert f"| {row['label']} |" in shown
    # Gaussian rewards of sigma = 1: the two thresholds are one; regret of UCB1 is linear.
    assert table["extended_1_over_bound_limit"].to_list() == pytest.approx([1, 1, np.inf])
    short = (0.4 * 400 - BETTER[PAPER_POLICY] / 0.3) / (0.8 * 400)
    assert table["extended_1_unfairness"].iloc[0] == pytest.approx(short, rel=0.02)
    assert table["side_information"].iloc[0] == "A"
    assert table["one_point"].to_list() == [False, False, True]


@pytest.mark.parametrize(("policy", "known"), [("ucb1", ""), ("lfg", "T"), ("ucb_sigma", "σ")])
def test_what_policies_know(policy: str, known: str) -> None:
    assert side_information(policy) == known


@pytest.mark.parametrize(("changed", "bandits"), [("", 1), ("means", N), ("penalties", N)])
def test_replicates_keep_bandits_of_their_own(changed: str, bandits: int) -> None:
    one = run("a", PAPER_POLICY, 400, 20.0)
    if changed:
        values = getattr(one, changed).copy()
        values[-1] /= 2
        one = replace(one, **{changed: values})
    found = evidence().add("extended_1", one)
    both = found.bandits("extended_1", "a")
    assert len(both.means) == len(both.penalties) == bandits
