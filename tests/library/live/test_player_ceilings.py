"""Ceilings, hard caps and quotas of a live player: the oracle's arms, and arms that come and go."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penalized_bandits import BanditError, Bernoulli, Instance, Policy
from penalized_bandits.engine.oracle import RewardTape, trace
from penalized_bandits.engine.streams import Stream
from penalized_bandits.live import Choice, Journal, Player

TAU, CAPS = [0.0, 0.1, 0.0, 0.1], np.array([0.4, 0.5, 1.0, 0.1])
LIMITS: Any = {"ceilings": CAPS, "excess_penalties": [math.inf, 0.15, 0.0, math.inf]}
BANDIT = Instance([0.9, 0.8, 0.6, 0.5], TAU, 0.3, Bernoulli(), **LIMITS)
GREEDY = Policy("greedy", index=lambda arm: arm.mean + arm.bonus, first_pulls=False)
CHOOSES = Policy("chooses", choose=lambda now: int((now.means + now.bonuses).argmax()))
HARD = "hard_threshold_ucb"


@pytest.mark.parametrize("policy", [HARD, "kl_hard_threshold", "thompson_hard_threshold"])
@pytest.mark.parametrize("batch", [1, 3])
def test_the_arms_of_the_oracle(policy: str, batch: int, tmp_path: Path) -> None:
    """Through a file and a journal; hard caps are kept in each round."""
    run = trace(policy, BANDIT, 600, stream=Stream(3), batch=batch)
    tape, chosen = RewardTape(BANDIT, 0, Stream(3)), list[Choice]()

    def play(player: Player, rounds: int) -> None:
        while player.rounds < rounds:
            counts = player.pulls
            for choice in player.choose(batch):
                counts[choice] += 1
                player.update(choice, tape.reward(choice, counts[choice]))
                chosen.append(choice)

    player = Player(policy, TAU, 0.3, **LIMITS, seed=3)
    play(player, 150)
    player.save(tmp_path / "player.json")
    player = Player.load(tmp_path / "player.json")
    journal = Journal(tmp_path / "a.journal", player, fsync=False)
    play(player, 300)
    journal._held.close()  # as the system does
    journal = Journal(tmp_path / "a.journal", fsync=False)
    play(journal.player, 600)
    journal.close()
    assert chosen == run.arms
    pulls = np.cumsum(np.array(chosen)[:, None] == np.arange(4), axis=0)
    assert (pulls <= np.ceil(CAPS * np.arange(1, 601)[:, None] - 1e-9))[:, [0, 3]].all()
    assert journal.player.over.tolist() == np.maximum(pulls[-1] - CAPS * 600, 0).tolist()
    assert journal.player.allocation(100)[3] == 0.1  # a quota


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


def test_arms_come_and_go_with_their_ceilings() -> None:
    caps: Any = {"ceilings": [0.4, 0.6, 1.0], "excess_penalties": [math.inf, math.inf, 0.0]}
    player, tau = Player(HARD, [0.1, 0.0, 0.0], 0.5, **caps), [0.1, 0.0, 0.0, 0.0]
    player.update(player.choose(100), np.zeros(100))
    player.add_arm(tau, 0.5, ceiling=0.25, excess_penalty=math.inf)
    for _ in range(100):
        player.update(choice := player.choose(), float(choice == 3))
    # Its ceiling counts from the round in which it came.
    assert (player.pulls[3], player.over[3]) == (25, 0.0)
    player.retire_arm(2, tau)
    with pytest.raises(BanditError, match=r"hard caps .* sum to 0.65: some rounds"):
        player.retire_arm(1, tau)
    with pytest.raises(BanditError, match=r"ceilings\[0\] is 0.4: .* fairness fraction 0.5"):
        player.add_arm([0.5, *tau[1:], 0.0], 0.5)
    player = Player("lfg", [0.1, 0.1], 0.3, tuning=2.0)
    with pytest.raises(BanditError, match="policy lfg is for floors alone"):
        player.add_arm(0.1, 0.3, ceiling=0.5, excess_penalty=1.0)
