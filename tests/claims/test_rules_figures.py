"""Rules can fail: claims on Setting 2 met by replicates that keep the law, or break it."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from made_up import Case, MadeUp, cases, check_can_fail, check_case, decided, outcome, statuses
from penalized_bandits.claims import claim, claims_of
from penalized_bandits.common.errors import NotMeasuredError
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.fluid import break_points

POLICIES = (PAPER_POLICY, "fair_learn", "lfg")

# --- Figure 2: C26, C27, C32 ----------------------------------------------------------------

MEANS = (0.9, 0.7, 0.6, 0.4)
TAU = (0.1, 0.1, 0.1, 0.05)
GAPS = (0.0, 0.2, 0.3, 0.5)
GRID = [i / 20 for i in range(21)]
Shortfall = Callable[[float, int, np.random.Generator], float]


def path(
    shortfall: Shortfall,
    policy: str = PAPER_POLICY,
    *,
    n: int = 60,
    grid: Sequence[float] = GRID,
    means: Sequence[float] = MEANS,
    tuned: float | None = None,
) -> list[Outcome]:
    """Outcomes along the scale whose arm k lacks ``shortfall(eta, k, generator)`` pulls.

    With ``tuned`` the policy has a tuning of its own: so much at eta = 0, and 0 at eta = 1.
    """
    generator = np.random.default_rng(1)
    level = np.array(TAU) * 10_000
    runs = []
    for eta in grid:
        lacks = [[shortfall(eta, k, generator) for _ in range(n)] for k in range(1, 4)]
        others = level[1:] - np.clip(np.transpose(lacks), 0, level[1:] - 1)
        shown = eta if tuned is None else tuned * (1 - eta)
        bandit = (means, TAU, None)
        runs.append(outcome(others, 10_000, *bandit, policy=policy, scale=eta, tuning=shown))
    return runs


def breaking_at(*places: float) -> Shortfall:
    """Arm k lacks pulls below its place, the more the further below."""

    def shortfall(eta: float, k: int, generator: np.random.Generator) -> float:
        below = places[k] - eta
        return 20 + 500 * below + generator.normal(0, 3) if below > 1e-9 else -generator.random()

    return shortfall


def setting_2(*runs: Sequence[Outcome]) -> MadeUp:
    return MadeUp({"setting_2": [run for part in runs for run in part]})


PREDICTED = break_points(MEANS, TAU, 10_000.0)
ONE_BY_ONE, AT_ONCE = breaking_at(*GAPS), breaking_at(0, 1, 1, 1)


def rising(eta: float, k: int, generator: np.random.Generator) -> float:
    """Arm 3 is unfair again at a large eta."""
    return 40.0 if k == 2 and eta == 0.8 else ONE_BY_ONE(eta, k, generator)


def leaving(eta: float, k: int, generator: np.random.Generator) -> float:
    """Arm 2 leaves the fair set for good."""
    return 25.0 if k == 1 and eta > 0.7 else ONE_BY_ONE(eta, k, generator)


def at_random(share: float) -> Shortfall:
    """Arms that are unfair at random at any scale."""
    return lambda eta, k, generator: 30.0 if generator.random() < share else 0.0


def rivals(
    fair_learn: Shortfall, lfg: Shortfall, tuned: tuple[float, float] = (1e3, 1e4)
) -> MadeUp:
    return setting_2(
        path(fair_learn, "fair_learn", tuned=tuned[0]), path(lfg, "lfg", tuned=tuned[1])
    )


def three(*shortfalls: Shortfall) -> MadeUp:
    return setting_2(*(path(one, p) for one, p in zip(shortfalls, POLICIES, strict=True)))


def one_replicate() -> MadeUp:
    return setting_2(
        path(ONE_BY_ONE, n=1),
        path(AT_ONCE, "fair_learn", n=1, tuned=1e3),
        path(AT_ONCE, "lfg", n=1, tuned=1e4),
    )


RULES = {
    # Two parts on order, three on paths.
    "C26": [
        Case(lambda: setting_2(path(ONE_BY_ONE)), "reproduced", "hhhhh"),
        # In order, wherever that is.
        Case(lambda: setting_2(path(breaking_at(0, 0.1, 0.2, 0.4))), "reproduced", "hhhhh"),
        Case(lambda: setting_2(path(breaking_at(0, 0.8, 0.6, 0.1))), "partly", "ffhhh"),
        # All at once.
        Case(lambda: setting_2(path(breaking_at(0, 0.3, 0.3, 0.3))), "partly", "ffhhh"),
        Case(lambda: setting_2(path(rising)), "partly"),
        # Arms that never change.
        Case(lambda: setting_2(path(breaking_at(0, 0, 0, 0))), "undecided", "uuvvv"),
        # Equal gaps have no order of their own.
        Case(
            lambda: setting_2(path(breaking_at(0, 0.2, 0.2, 0.5), means=(0.9, 0.7, 0.7, 0.4))),
            *("reproduced", "hhhh"),
        ),
        Case(one_replicate, "undecided"),
    ],
    "C26P": [
        Case(lambda: setting_2(path(breaking_at(*PREDICTED))), "reproduced", "hhh"),
        # At their gaps, where they will be as T grows.
        Case(lambda: setting_2(path(ONE_BY_ONE)), "not reproduced", "fff"),
        Case(lambda: setting_2(path(breaking_at(*PREDICTED[:3], 0.5))), "partly", "hhf"),
        Case(one_replicate, "undecided"),
    ],
    "C27": [
        Case(lambda: rivals(AT_ONCE, AT_ONCE), "reproduced"),
        Case(
            lambda: rivals(ONE_BY_ONE, ONE_BY_ONE),
            *("not reproduced", "ffffff", "arm 4 unfair from η = 0.45 down"),
        ),
        Case(lambda: rivals(AT_ONCE, breaking_at(0, 0.2, 1, 1)), "partly", "hhhfhh"),
        # Less than a pull is rounding.
        Case(
            lambda: rivals(*[lambda eta, k, generator: float(eta < 1)] * 2, tuned=(0.9, 0.9)),
            *("undecided", "uuuuuu", "below one pull"),
        ),
        Case(one_replicate, "undecided"),
    ],
    # Three parts on arms that leave the set, one on P(fair), one on the set's growth.
    "C32": [
        Case(
            lambda: setting_2(path(ONE_BY_ONE, n=120), *(path(AT_ONCE, p) for p in POLICIES[1:])),
            *("reproduced", "hhhhh", "100.0% of replicates"),
        ),
        Case(lambda: setting_2(path(at_random(0.5))), "not reproduced"),
        Case(lambda: setting_2(path(leaving, n=120)), "partly", "fhhfh"),
        # Sets that never grow: all arms are fair, or unfair, at every eta.
        Case(lambda: setting_2(path(at_random(0.0), n=120)), "not reproduced", "vvvvf"),
        Case(lambda: setting_2(path(at_random(1.0), n=120)), "partly", "vvvhf"),
        Case(one_replicate, "undecided"),
    ],
    # For no tuning, and for the fairest of the others.
    "C50": [
        Case(lambda: setting_2(path(AT_ONCE, "fair_learn", tuned=1e3)), "reproduced", "hh"),
        Case(lambda: setting_2(path(ONE_BY_ONE, "fair_learn", tuned=1e3)), "partly", "hf"),
        Case(lambda: setting_2(path(at_random(1), "fair_learn", tuned=1e3)), "partly", "fh"),
        Case(lambda: setting_2(path(AT_ONCE, "fair_learn", tuned=0.9)), "partly", "hu"),
    ],
    # Three arms against each of two rivals.
    "C52": [
        Case(lambda: three(ONE_BY_ONE, AT_ONCE, AT_ONCE), "reproduced", "hhhhhh"),
        Case(lambda: three(AT_ONCE, ONE_BY_ONE, ONE_BY_ONE), "not reproduced", "ffffff"),
        Case(lambda: three(ONE_BY_ONE, AT_ONCE, breaking_at(0, 0.1, 1, 1)), "partly", "hhhfhh"),
        Case(lambda: three(*[ONE_BY_ONE] * 3), "undecided", "uuuuuu", note="negligible"),
    ],
}


@pytest.mark.parametrize(("identifier", "case"), cases(RULES))
def test_the_rule_decides(identifier: str, case: Case) -> None:
    check_case(identifier, case)


def test_every_rule_can_fail() -> None:
    check_can_fail(RULES, {entry.id for entry in claims_of("setting_2")})


def test_c26p_what_stands_in_the_ledger_is_the_arm_furthest_from_the_prediction() -> None:
    finding, _ = decided("C26P", setting_2(path(ONE_BY_ONE)))
    assert finding.shown.name.startswith("case_1 arm 2")
    assert finding.shown.estimate == pytest.approx(0.175)


def test_c26_a_path_that_rises() -> None:
    finding, _ = decided("C26", setting_2(path(rising)))
    assert statuses(finding, "path: arm 3") == "f"
    assert statuses(finding, "arm 2") == statuses(finding, "arm 4") == "h"


def test_c26_gaps_that_the_grid_cannot_tell_apart() -> None:
    finding, _ = decided("C26", setting_2(path(ONE_BY_ONE, grid=[0.0, 0.25, 0.5, 0.75, 1.0])))
    assert statuses(finding, "order") == "uu"


def test_c32_a_remainder_of_the_level_is_no_unfairness() -> None:
    bandit = ((0.9, 0.5), (0.1, 0.00019), None)
    runs = [outcome(np.ones((30, 1)), 10_000, *bandit, scale=e, tuning=e) for e in (0.0, 1.0)]
    finding, _ = decided("C32", setting_2(runs))
    assert statuses(finding, "leaves") == "v"


@pytest.mark.parametrize("identifier", ["C26", "C27", "C32"])
def test_figure_2_without_the_policies(identifier: str) -> None:
    with pytest.raises(NotMeasuredError, match=r"^setting_2 has no policy (hard_|fair_learn)"):
        claim(identifier).measure(setting_2(path(ONE_BY_ONE, "ucb1", n=2)))
