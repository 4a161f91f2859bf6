"""Many arms: the choices of plain Python, from few looks."""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from penalized_bandits import POLICIES, Arm, BanditError, Hints, Player, Policy
from penalized_bandits.engine import scores
from programs import printed_by

OF_INDEX = [name for name, policy in POLICIES.items() if policy.choose is None]


def urgent(arm: Arm) -> float:
    return arm.queue if arm.below and arm.n % 3 > 0 else -math.inf


OWN = [
    Policy("uncompiled", index=lambda arm: float(Decimal(arm.mean)) + arm.radius),
    Policy("empty", index=lambda arm: -math.inf if arm.n % 2 else math.inf, first_pulls=False),
    Policy("now_and_then", index=lambda arm: arm.noise, urgency=urgent, draws=True),
    Policy("wraps", index=lambda arm: float(int(arm.pulls + 1) * 2**61 % 1009)),  # in 64 bits
]


@contextmanager
def compiled_after(looks: float) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scores, "PAYS", looks)
        yield


def played(policy: str | Policy, seed: int, n_arms: int, rounds: int) -> tuple[Any, ...]:
    """Play at random, with arms that sleep, come and go, and rewards that come late or never."""
    rng = np.random.default_rng(seed)
    tuning = 2.0 if isinstance(policy, str) and POLICIES[policy].tuning else None
    tau = rng.choice([np.full(n_arms, 0.5), rng.integers(0, 4, n_arms) / 4]) / n_arms
    how: Any = {"accrual": "always" if rng.choice(2) else "available", "tuning": tuning}
    player = Player(policy, tau, float(rng.choice([0.0, 0.3])), seed=seed, patience=4, **how)
    law = rng.choice(2)
    due, chosen = list[int](), list[Any]()
    while player.rounds < rounds:
        kind, k = rng.integers(8), len(player.pulls)
        there = rng.random(k) < rng.choice([0.1, 0.7])
        there[rng.integers(k)] = True
        options: Any = {"available": there} if kind < 3 else {}
        if kind == 7 and rng.random() < 0.1:
            tau = np.append(tau, 0.0)
            player.add_arm(tau, 0.3)
            continue
        if kind in (2, 3):
            some = player.choose(int(rng.integers(1, 2 * k)), repeat=bool(rng.choice(2)), **options)
        else:
            some = [player.choose(draws=int(kind == 4), **options)]
        chosen += [(int(one), one.probability) for one in some]
        due += some
        if rng.random() < 0.6:
            rewards = rng.random(len(due))
            player.update(due, (rewards < 0.5).astype(float) if law else rewards)
            due = []
        if rng.random() < 0.1:
            player = Player.from_state(player.state(), policy)
    facts = json.loads(player.state())
    return str(chosen), {k: facts[k] for k in facts if k not in ("open", "checksum", "words")}


@pytest.mark.filterwarnings("ignore::penalized_bandits.common.errors.LateRewardsWarning")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("policy", [*OF_INDEX, *OWN], ids=lambda p: getattr(p, "id", p))
def test_the_choices_of_plain_python(policy: str | Policy, seed: int) -> None:
    with compiled_after(math.inf):
        plain = played(policy, seed, 24, 300)
    for looks in (0, 2000):
        with compiled_after(looks):
            assert played(policy, seed, 24, 300) == plain


def test_few_arms_need_no_numba() -> None:
    code = (
        "import sys; from penalized_bandits.live import Player; p = Player('ucb1', [0.1] * 9, 1);"
    )
    code += "p.update(p.choose(9), [0.5] * 9); p.choose(9); print('numba' in sys.modules)"
    assert printed_by(code) == "False\n"


@pytest.mark.parametrize("what", ["index", "urgency"])
def test_what_is_no_number_is_named_as_in_plain_python(what: str) -> None:
    def late(arm: Arm) -> float:
        return math.nan if arm.n > 40 and arm.mean < 0.5 else arm.radius

    formulas: Any = {"index": lambda arm: arm.mean, what: late}
    growing = Policy("growing", hints=Hints(index_is_nondecreasing=True), **formulas)
    for looks in (0, math.inf):
        with compiled_after(looks):
            player = Player(growing, [0.0] * 24, 0.0)
            player.update(player.choose(24), np.arange(24)[::-1] / 24)
            with pytest.raises(
                BanditError, match=f"nan as the {what} of arm 12 in round 41: it is"
            ):
                player.choose(40)


def test_a_batch_where_many_indices_are_infinite() -> None:
    rising = Hints(index_is_nondecreasing=True)
    policy = Policy(
        "three", index=lambda arm: math.inf if arm.pulls < 3.0 else arm.mean, hints=rising
    )
    player = Player(policy, fairness=[0.0] * 300, penalties=0.0)
    for choice in player.choose(300):
        player.update(choice, 0.5)
    assert [int(choice) for choice in player.choose(150)] == [k for k in range(75) for _ in "ab"]


@pytest.mark.parametrize("n_arms", [6, 300])
def test_a_soft_bonus_needs_no_level(n_arms: int) -> None:
    player = Player("soft_threshold_ucb", [0.8 / n_arms] * n_arms, 0.001, patience=10**6)
    for arm in range(n_arms):
        player.observe(arm, [0.9 if arm == 0 else 0.1] * 300)
    player.choose(20_000)
    half = n_arms // 2
    player.retire_arm(n_arms - 1, [0.8 / n_arms] * half + [0.0] * (n_arms - half))
    assert set(player.choose(100)) == {0}
