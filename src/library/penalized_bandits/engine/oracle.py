"""Every policy in plain Python, written for reading: what the engine is held to.

One replicate, one arm at a time (``play.py``), from the same tapes: pulls and ties are the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Literal

import numpy as np

from penalized_bandits.bandit.changing import Bandit, stretches_of
from penalized_bandits.common.changes import apply
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine._draws import draw, own_code, uniform_number
from penalized_bandits.engine.noise import noise_of
from penalized_bandits.engine.play import Accrual, Play
from penalized_bandits.engine.streams import DELAY_STREAM, NO_NAMES, WEYL, Stream, mix
from penalized_bandits.policies import Policy, get_policy
from penalized_bandits.policies.reads import check_ceilings


@dataclass(frozen=True)
class Trace:
    """One replicate, round by round."""

    arms: list[int]
    """Arm pulled in each round, from 0."""
    rewards: list[float]
    max_deficits: list[float]
    """max over t of (tau_k t - N_k(t))_+ for each arm."""


class RewardTape:
    """The rewards X_1^(k), X_2^(k), ... of every arm in one replicate, from the stream's first."""

    def __init__(self, bandit: Bandit, replicate: int, stream: Stream) -> None:
        stretches = stretches_of(bandit)
        instance = stretches[1]
        self._keys = stream.arm_keys(replicate, 1, instance.n_arms)
        self._means = {n: _row(each.means, replicate) for n, each in stretches.items()}
        self._law, self._code = instance.rewards, own_code(instance.reward_code)

    def reward(self, arm: int, pull: int, n: int = 1) -> float:
        """Return the reward of an arm's pull, from 1, in round n; BanditError if it has no draw."""
        mean = next(each[arm] for first, each in reversed(self._means.items()) if first <= n)
        # Uncompiled (NUMBA_DISABLE_JIT) all of it warns: of words that wrap, and of the
        # division by a mean of 0 that makes a Beta reward certain.
        with np.errstate(over="ignore", divide="ignore"):
            word = np.uint64(mix(self._keys[arm, 0] + np.uint64(pull) * WEYL))
            try:
                return float(draw(word, arm, mean, self._code))
            except NotImplementedError:
                raise BanditError(
                    f"{type(self._law).__name__} rewards cannot be drawn: draw_number in "
                    f"engine/_draws.py has no branch for their family, number {self._code.family}"
                ) from None


def _row(values: FloatArray, row: int) -> FloatArray:
    return values[row] if values.ndim == 2 else values


def trace(
    policy: str | Policy,
    bandit: Bandit,
    horizon: int,
    *,
    replicate: int = 0,
    stream: Stream = NO_NAMES,
    tuning: float | None = None,
    log_of: Literal["n", "n-1"] = "n",
    available: Callable[[int], Sequence[int] | None] = lambda n: None,  # noqa: ARG005
    accrual: Accrual = "always",
    batch: int = 1,
    repeat: bool = True,
    delays: Sequence[int] = (0,),
) -> Trace:
    """Play one replicate, from the stream's first, in plain Python.

    Parameters are as in ``simulate_part``.  Arms may sleep and rounds may come in batches, as of
    the live player: ``available`` returns the arms that are there in a batch from its first round,
    and rewards come after the batch, each another of equally likely ``delays`` (rounds) late.

    Examples
    --------
    >>> from penalized_bandits import Deterministic, Instance
    >>> bandit = Instance([0.9, 0.5], [0.1, 0.2], 1.0, Deterministic())
    >>> trace("hard_threshold_ucb", bandit, 6, available=lambda n: [0] if n < 5 else [0, 1]).arms
    [0, 0, 0, 0, 1, 1]
    """
    policy = get_policy(policy)
    tape = RewardTape(bandit, replicate, stream)
    instance = stretches_of(bandit)[1]
    rates = _row(instance.penalties, replicate)
    check_ceilings(policy, instance)
    exploration = policy.exploration_for(instance.rewards.noise)
    play = Play(
        policy,
        replace(instance, means=_row(instance.means, replicate), penalties=rates),
        tuning=policy.check_tuning(tuning),
        exploration=exploration,
        noise=noise_of(
            policy, exploration, stream.first_replicate + replicate, stream.seed, stream.names
        ),
        log_of=log_of,
        accrual=accrual,
    )
    deficits = np.zeros(instance.n_arms)
    played: list[tuple[int, float]] = []
    waiting: list[tuple[int, int]] = []
    (key,) = stream.named(DELAY_STREAM).replicate_keys(replicate, 1)
    while play.rounds < horizon:
        there = available(play.rounds + 1)
        arms = None if there is None else np.unique([*there]).astype(np.int64)
        if arms is not None and not arms.size:
            raise BanditError(f"available({play.rounds + 1}) has no arm: it must have one or more")
        for choice in play.batch(min(batch, horizon - play.rounds), arms, repeat):
            pull = int(play.pulls[choice])
            played.append((choice, tape.reward(choice, pull, play.rounds)))
            with np.errstate(over="ignore"):
                u = uniform_number(key, choice, pull, 0.0) if len(delays) > 1 else 0.0
            heappush(waiting, (play.rounds + delays[int(u * len(delays))], play.rounds))
            deficits = np.maximum(deficits, play.owed)
        while waiting and waiting[0][0] <= play.rounds:
            made = heappop(waiting)[1]
            choice, reward = played[made - 1]
            apply(play.rewarded(choice, [reward], [made]))
    return Trace([arm for arm, _ in played], [x for _, x in played], deficits.tolist())
