"""The extended claims on generated replicates, and the comparison of policies."""

from collections.abc import Callable

import numpy as np
import pytest

from extended_factories import (
    BETTER,
    KL,
    SIGMA,
    Generated,
    against,
    as_log,
    as_predicted,
    as_root,
    evidence,
    growing,
    noisier,
    run,
    same_as_ucb1,
    shrinking,
    tradeoffs,
    wasting,
    with_a_better_tuning_of_ours,
)
from outcome_factories import N
from penalized_bandits.claims import claim
from penalized_bandits.claims.deciding import decide, measure
from penalized_bandits.claims.extended.comparison import (
    by_case,
    comparison,
    regrets_of,
    side_information,
)
from penalized_bandits.claims.extended.ledger import comparison_page
from penalized_bandits.claims.extended.less_regret import MARGIN, all_regrets
from penalized_bandits.policies import PAPER_POLICY


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
        ("E03", with_a_better_tuning_of_ours, "not reproduced", "ffff"),
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
