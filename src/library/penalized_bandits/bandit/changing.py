"""Bandits whose means change, and dynamic penalized regret (research/docs/drift.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.errors import MOST_ROUNDS, BanditError, whole
from penalized_bandits.common.typing import FloatArray, IntArray, PullArray


@dataclass(frozen=True)
class Changing:
    """A bandit whose means change at known rounds, with floors that are renewed each period.

    The dynamic penalized regret compares with a prophet who pays floors pro rata in each round:

        sum_t v(mu(t)) - mu_I(t) + sum_p,k A_k D_k,p,  v = mu* - sum_k tau_k min(Delta_k, A_k),

    D_k,p = (tau_k P - N_k,p)_+ what arm k lacks in period p; of a period that is not over, what
    it lacks so far.  Timing within a period may beat the prophet (research/docs/drift.md).

    Raises BanditError if a round or a mean is out of range, or the instance has ceilings.

    >>> from penalized_bandits import Bernoulli, simulate
    >>> bandit = Instance([0.9, 0.5], fairness=0.2, penalties=1.0, rewards=Bernoulli())
    >>> run = simulate("ucb1", Changing(bandit, {501: [0.1, 0.5]}, period=100), 1000)
    >>> run.dynamic_regret().shape, run.checkpoints[[0, 4, -1]].tolist()
    ((100, 10), [100, 500, 1000])
    """

    instance: Instance
    """The bandit of the first rounds; fractions, rates and the law of rewards stay."""
    changes: Mapping[int, ArrayLike] = field(compare=False)
    """Means from each round of change on, the shape of the instance's; rounds are 2 or more.  Those
    of a function are sampled by stretch: ``{n: means(n) for n in range(101, 1000, 100)}``."""
    period: int | None = None
    """Rounds P of a period: an arm is charged for what it lacks in each, surplus is not carried
    over.  By default the whole run, as in the paper."""

    stretches: Mapping[int, Instance] = field(init=False, repr=False, hash=False)
    """The bandit from each round on, by this round, from 1."""

    def __post_init__(self) -> None:
        if not isinstance(self.instance, Instance) or self.instance.charges_excess:
            raise BanditError(f"instance is {self.instance!r:.80}: one without ceilings is needed")
        if self.period is not None:
            object.__setattr__(self, "period", whole("period", self.period, 1, MOST_ROUNDS))
        if not isinstance(self.changes, Mapping):
            raise BanditError(f"changes is {self.changes!r:.80}: it must be a dict, means by round")
        later = {whole("a round of changes", n, 2, MOST_ROUNDS): x for n, x in self.changes.items()}
        stretches, shape = {1: self.instance}, self.instance.means.shape
        for n, means in sorted(later.items()):
            try:
                if np.shape(means) != shape:
                    raise ValueError(f"they have shape {np.shape(means)}, not {shape}")
                stretches[n] = replace(self.instance, means=means)
            except ValueError as error:
                raise BanditError(f"means of round {n}: {error}") from None
        object.__setattr__(self, "stretches", stretches)


Bandit: TypeAlias = Instance | Changing


def stretches_of(bandit: Bandit) -> Mapping[int, Instance]:
    """Return the instance from each round on, by this round; BanditError if a bandit is none."""
    if not isinstance(bandit, Bandit):
        raise BanditError(f"instance is {bandit!r:.80}: it must be an Instance or Changing")
    return bandit.stretches if isinstance(bandit, Changing) else {1: bandit}


def ends_of(bandit: Bandit, horizon: int) -> set[int]:
    """Return the last rounds of stretches and periods before a horizon, none of constant means."""
    step = (bandit.period if isinstance(bandit, Changing) else None) or horizon
    starts = (n for n in stretches_of(bandit) if 1 < n <= horizon)
    return {*range(step, horizon, step), *(n - 1 for n in starts)}


def dynamic_metrics(bandit: Changing, pulls: PullArray, rounds: IntArray) -> dict[str, FloatArray]:
    """Return metrics (R, C) of whole runs, from pulls (R, C, K) after increasing rounds (C,).

    ``dynamic_regret`` and ``reward_loss`` in units of reward, ``expected_reward`` and
    ``unfairness``, the pulls that periods lack; rounds include all of `ends_of`.
    """
    first, stretches = [*bandit.stretches], [*bandit.stretches.values()]
    each = [stretches[i] for i in np.searchsorted(first, rounds, "right") - 1]
    means = np.stack([one.means for one in each], axis=-2)
    gaps = np.stack([one.gaps_to_best for one in each], axis=-2)
    tau, rates = bandit.instance.fairness, bandit.instance.penalties
    rates = rates[:, None] if rates.ndim == 2 else rates
    made = np.diff(pulls, axis=1, prepend=0)
    owed = np.stack([one.optimal_loss_rate for one in each], axis=-1) * np.diff(rounds, prepend=0)
    step = bandit.period or int(rounds[-1])
    begun = (rounds - 1) // step * step
    # Counts when the period of each round began, of which 0 is before all.
    at = np.searchsorted(rounds, begun, "right")
    before = np.insert(pulls, 0, 0, axis=1)[:, at]
    lacks = np.maximum(tau * (rounds - begun)[:, None] - (pulls - before), 0.0)
    over = np.where((rounds % step == 0)[:, None], lacks, 0.0)
    lacks = lacks + np.cumsum(over, axis=1) - over
    loss = (gaps * made).sum(axis=-1)
    regret = np.cumsum(loss - owed, axis=1) + (rates * lacks).sum(axis=-1)
    reward = np.cumsum((means * made).sum(axis=-1), axis=1)
    measured = {"dynamic_regret": regret, "expected_reward": reward}
    return measured | {"reward_loss": np.cumsum(loss, axis=1), "unfairness": lacks.sum(axis=-1)}
