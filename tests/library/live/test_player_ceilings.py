"""Hard caps of a live player while arms sleep, rewards are late, and arms come and go."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penalized_bandits import BanditError, Policy
from penalized_bandits.live import Journal, Player

GREEDY = Policy("greedy", index=lambda arm: arm.mean + arm.bonus, first_pulls=False)
CHOOSES = Policy("chooses", choose=lambda now: int((now.means + now.bonuses).argmax()))
HARD = "hard_threshold_ucb"


@pytest.mark.parametrize(("accrual", "pulls"), [("always", 102), ("available", 2)])
def test_a_ceiling_accrues_as_declared(accrual: Any, pulls: int) -> None:
    limits: Any = {"ceilings": [1.0, 0.5], "excess_penalties": math.inf}
    player = Player(HARD, [0.0, 0.0], 0.0, **limits, accrual=accrual)
    player.update(player.choose(2), [0.1, 0.9])
    for _ in range(100):
        player.update(player.choose(available=[0]), 0.1)
    player = Player.from_state(player.state())
    while player.choose() == 1:
        player.update(1, 0.9)
    # The least N >= 0.5 (102 + N); or N >= 0.5 (2 + N).
    assert player.pulls[1] == pulls


@pytest.mark.filterwarnings("ignore::penalized_bandits.common.errors.LateRewardsWarning")
@pytest.mark.parametrize("policy", [HARD, GREEDY, CHOOSES])
@pytest.mark.parametrize("known", [(), (0,), (0, 2), (0, 1, 2)])
def test_hard_caps_are_kept_and_where_none_can_be_the_least_excess_is_chosen(
    policy: Any, known: tuple[int, ...]
) -> None:
    """Also while rewards of some arms are late; the third arm, without a cap, often sleeps."""
    caps, forced = np.array([0.25, 0.125, 1.0]), 0
    limits: Any = {"ceilings": caps, "excess_penalties": math.inf}
    player = Player(policy, [0.0, 0.1, 0.0], 0.3, **limits, patience=20)
    for n in range(1, 301):
        arms = [0, 1] if n % 2 else [0, 1, 2]
        excess = np.array(player.pulls) - caps * n
        if (choice := player.choose(available=arms)) in known:
            player.update(choice, 0.5)
        full = bool((excess[arms] >= 0).all())
        assert choice == excess[arms].argmin() if full else excess[choice] < 0
        forced += full
    assert forced > 100
    assert player.over.tolist() == np.maximum(np.array(player.pulls) - caps * 300, 0.0).tolist()


def test_arms_come_and_go_with_their_ceilings(tmp_path: Path) -> None:
    """Also through a journal that the end of its process has closed."""
    caps: Any = {"ceilings": [0.4, 0.6, 1.0], "excess_penalties": [math.inf, math.inf, 0.0]}
    player, tau = Player(HARD, [0.1, 0.0, 0.0], 0.5, **caps), [0.1, 0.0, 0.0, 0.0]
    journal = Journal(tmp_path / "a.journal", player, fsync=False)
    player.update(player.choose(100), np.zeros(100))
    player.add_arm(tau, 0.5, ceiling=0.25, excess_penalty=math.inf)
    for _ in range(100):
        player.update(choice := player.choose(), float(choice == 3))
    journal._held.close()
    journal = Journal(tmp_path / "a.journal", fsync=False)
    player = journal.player
    # Its ceiling counts from the round in which it came.
    assert (player.pulls[3], player.over[3]) == (25, 0.0)
    player.retire_arm(2, tau)
    with pytest.raises(BanditError, match=r"hard caps .* sum to 0.65: some rounds"):
        player.retire_arm(1, tau)
    with pytest.raises(BanditError, match=r"ceilings\[0\] is 0.4: .* fairness fraction 0.5"):
        player.add_arm([0.5, *tau[1:], 0.0], 0.5)
    journal.close()
    player = Player("lfg", [0.1, 0.1], 0.3, tuning=2.0)
    with pytest.raises(BanditError, match="policy lfg is for floors alone"):
        player.add_arm(0.1, 0.3, ceiling=0.5, excess_penalty=1.0)


@pytest.mark.parametrize("new", [False, True])
def test_caps_in_decimals_are_kept_where_arms_sleep_or_are_new(new: bool) -> None:
    caps: Any = {"ceilings": [0.2, 1.0, 0.4], "excess_penalties": math.inf}
    player, counted = Player(HARD, [0.0] * 3, 0.0, **caps, accrual="available"), 0
    if new:
        player = Player(HARD, [0.0, 0.0], 0.0)
        player.choose(7)
        player.add_arm(0.0, 0.0, ceiling=0.4, excess_penalty=math.inf)
    for n in range(300):
        there = [0, 1, 2] if new or n % 3 else [0, 1]
        player.update(choice := player.choose(available=there), float(choice == 2))
        counted += 2 in there
        assert 5 * player.pulls[2] < 2 * counted + 5
    assert player.pulls[2] > 0.35 * counted
