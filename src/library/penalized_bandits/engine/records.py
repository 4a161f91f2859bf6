"""What a play knows of its arms, and what a pull or a reward changes in it."""

import math
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Literal, Self

import numpy as np

from penalized_bandits.bandit.checks import ROUNDED_DOWN
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.changes import Change
from penalized_bandits.common.errors import MOST_ROUNDS, one_of
from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray
from penalized_bandits.engine import _scores as rows
from penalized_bandits.engine.scores import Scores
from penalized_bandits.policies.base import UNPULLED_ROOT, Policy, no_queue
from penalized_bandits.policies.reads import reads_bonus

Accrual = Literal["always", "available"]
"""Rounds in which an arm's floor, ceiling and queue grow: all, or those with the arm available."""


def new_arms(n_arms: int, since: int) -> FloatArray:
    """Return the statistics of arms without pulls, whose queues fill after a round."""
    stats = np.zeros((rows.N_ROWS, n_arms))
    stats[[rows.MEAN, rows.VARIANCE]], stats[rows.ROOT] = math.inf, UNPULLED_ROOT
    stats[rows.SINCE], stats[rows.CEILING] = since, 1.0
    return stats


class Records:
    """The state of one play of a policy: it changes by what methods return, and in ``batch``.

    ``exploration`` is its constant c in the radius, ``noise`` draws its own number for (arm,
    round), ``log_of`` says whether the logarithm is of n or of n - 1 (interpretation R1),
    ``patience`` after how many choices of an arm its first reward is not waited for, and
    ``compiles`` whether scores are compiled once that pays.
    """

    def __init__(
        self,
        policy: Policy,
        bandit: Instance,
        *,
        tuning: float,
        exploration: float,
        noise: Callable[[Any, int], Any],
        log_of: Literal["n", "n-1"] = "n",
        accrual: Accrual = "always",
        patience: int = MOST_ROUNDS,
        compiles: bool = False,
    ) -> None:
        one_of("log_of", log_of, "n", "n-1")
        one_of("accrual", accrual, "always", "available")
        self.policy = policy
        self.tuning, self.exploration, self.log_of = tuning, exploration, log_of
        self.accrual: Accrual = accrual
        self.patience, self._noise = patience, noise
        self._scores = Scores(policy, tuning, compiles=compiles)
        # Pulls of each arm before the rule applies.
        self._first = policy.scheduled_rounds(1, tuning)
        # After a commitment means and variances stay what the scheduled pulls made them.
        self._most = int(tuning) if policy.commits else MOST_ROUNDS
        self._one_by_one = policy.memory > 0

        n_arms = bandit.n_arms
        self.rounds = 0
        self.started = False  # whether the rule has had a reward of each arm that was there
        self.stats = new_arms(n_arms, 0 if self._first else -1)
        """Statistics of each arm, (``N_ROWS``, K): those that ``_scores.py`` names."""
        self.stats[rows.FAIRNESS] = bandit.fairness
        self.penalties = bandit.penalties
        self.stats[rows.RATE] = policy.penalties_known(self.penalties)
        self.stats[rows.CEILING] = bandit.ceilings
        self.excess_penalties = bandit.excess_penalties
        self._reads_bonus = reads_bonus(policy)
        self._note_ceilings()
        self.waiting: list[list[tuple[int, float]]] = [[] for _ in range(n_arms)]
        """Rewards of each arm that are shown in later rounds, with the rounds of their choices."""
        self.memory: FloatArray = np.zeros((policy.memory, n_arms))
        self.in_service: IntArray = np.arange(n_arms)  # arms that are not retired
        self.silent: list[int] = []  # arms whose ``patience`` is over since they were asked for
        # Whether arms may have scheduled pulls left, or no reward.
        self._short, self._silent = self._first > 0, True

    def _note_ceilings(self) -> None:
        """Set the rates above ceilings, and whether there are ceilings, and hard caps to keep."""
        self.stats[rows.EXCESS] = self.policy.penalties_known(self.excess_penalties)
        self._limited = bool((self.stats[rows.CEILING] < 1).any())
        self._hard = self._reads_bonus and bool(np.isinf(self.stats[rows.EXCESS]).any())

    @property
    def n_arms(self) -> int:
        """Number of arms, retired ones included."""
        return self.stats.shape[1]

    @property
    def pulls(self) -> IntArray:
        """Number of pulls of each arm, shape (K,)."""
        return self.stats[rows.PULLS].astype(np.int64)

    @property
    def owed(self) -> FloatArray:
        """Pulls that each arm's floor lacks after the rounds so far, shape (K,)."""
        counted = self.stats[rows.PULLS] + self.stats[rows.CREDIT]
        return self.stats[rows.FAIRNESS] * self.rounds - counted

    def excess(self, n: int) -> FloatArray:
        """Return N_k - c_k n of each arm, n the rounds that count for its ceiling, rounded to 0."""
        pulls, rounds = self.stats[rows.PULLS], n - self.stats[rows.CAPPED]
        over = pulls - self.stats[rows.CEILING] * rounds
        full = pulls >= self.stats[rows.CEILING] * ROUNDED_DOWN * rounds
        return np.where(full, np.maximum(over, 0.0), over)

    def seen(self, arm: int) -> int:
        """Return the number of rewards of an arm so far."""
        return int(self.stats[rows.OBSERVED, arm]) + len(self.waiting[arm])

    def _without_reward(self, arms: IntArray) -> BoolArray:
        silent = self.stats[rows.OBSERVED, arms] == 0
        if self._one_by_one:
            silent &= [not self.waiting[k] for k in arms]
        return silent

    def log(self, n: int) -> float:
        """Return the logarithm in the radius in round n."""
        return math.log(n if self.log_of == "n" else max(n - 1, 1))

    def _pulled(self, arm: int, absent: IntArray, first: int | None, slots: int) -> list[Change]:
        """Return the changes of a pull, where ``first`` begins a batch without repetition."""
        pulls, level, since, quiet = self.stats[: rows.OBSERVED, arm].tolist()
        gain, rate = self.stats[[rows.FAIRNESS, rows.RATE], arm].tolist()
        before = self.rounds if first is None else first - 1
        level, quiet = level + gain * (before - since) + gain * slots, quiet + 1.0
        if self.policy.served is not no_queue:
            level = self.policy.served(level, rate, self.tuning)
        changes: list[Change] = [
            (self.stats, (rows.PULLED, arm), (pulls + 1.0, level, before + slots, quiet)),
            (self.__dict__, "rounds", self.rounds + 1),
        ]
        if quiet == self.patience:
            changes.append((self.__dict__, "silent", [*self.silent, arm]))
        if absent.size:
            owed = self.stats[rows.CREDIT, absent] + self.stats[rows.FAIRNESS, absent]
            changes.append((self.stats, (rows.CREDIT, absent), owed))
            later = self.stats[rows.SINCE, absent] + 1.0
            changes.append((self.stats, (rows.SINCE, absent), later))
            if self._limited:
                changes.append(
                    (self.stats, (rows.CAPPED, absent), self.stats[rows.CAPPED, absent] + 1)
                )
        return changes

    def rewarded(
        self, arm: int, rewards: list[float], made: Sequence[int | None] | None = None
    ) -> list[Change]:
        """Return the changes of rewards, of choices ``made`` in rounds, by default the last."""
        if self._one_by_one:
            quiet = self.stats, (rows.QUIET, arm), 0.0
            new = [*zip(made or [self.rounds] * len(rewards), rewards, strict=True)]
            return [(self.waiting, arm, self.waiting[arm] + new), quiet]
        return [(self.stats, (rows.LEARNED, arm), self._after(arm, rewards))]

    def _after(self, arm: int, rewards: Sequence[float]) -> tuple[float, ...]:
        """Return the learned rows of an arm once the policy was shown some rewards of it."""
        _, seen, total, mean, _, variance = self.stats[rows.LEARNED, arm].tolist()
        for reward in rewards:
            before, rest = mean, variance * seen if seen else 0.0
            seen += 1.0
            if seen <= self._most:
                total += reward
                mean = total / seen
                spread = (reward - before) * (reward - mean) + rest
                variance = spread / seen if seen > 1.0 else 0.0
        return 0.0, seen, total, mean, 1.0 / math.sqrt(seen), variance

    def learn_all(self, observed: FloatArray, sums: FloatArray, variances: FloatArray) -> None:
        """Bring a play to rewards that were shown to another, shapes (K,)."""
        unseen = [not (n or later) for n, later in zip(observed, self.waiting, strict=True)]
        self.stats[rows.QUIET] = self.stats[rows.PULLS] * unseen
        self.silent = np.flatnonzero(self.stats[rows.QUIET] >= self.patience).tolist()
        seen, none = np.maximum(observed, 1.0), observed == 0
        self.stats[rows.OBSERVED], self.stats[rows.SUM] = observed, sums
        self.stats[rows.MEAN] = np.where(none, math.inf, sums / np.minimum(seen, self._most))
        self.stats[rows.ROOT] = np.where(none, UNPULLED_ROOT, 1.0 / np.sqrt(seen))
        self.stats[rows.VARIANCE] = np.where(none, math.inf, variances)

    def with_fairness(self, fairness: Sequence[float]) -> Self:
        """Return the play with other fractions from the next round on; debts and queues stay."""
        other = self.twin()
        stats, tau = other.stats, np.asarray(fairness, float)
        stats[rows.CREDIT] += (tau - stats[rows.FAIRNESS]) * self.rounds
        stats[rows.LEVEL] += stats[rows.FAIRNESS] * (self.rounds - stats[rows.SINCE])
        stats[rows.SINCE], stats[rows.FAIRNESS] = self.rounds, tau
        return other

    def with_arm(
        self, penalty: float, fairness: Sequence[float], ceiling: Sequence[float] = (1.0, 0.0)
    ) -> Self:
        """Return the play with a new arm, its ceiling (c, B) from now on, and other fractions."""
        other = self.twin()
        other.started |= not self._without_reward(self.in_service).any()
        other.stats = np.hstack([self.stats, new_arms(1, self.rounds)])
        other.waiting.append([])
        other.penalties = np.append(self.penalties, penalty)
        other.stats[rows.RATE] = self.policy.penalties_known(other.penalties)
        other.stats[[rows.CEILING, rows.CAPPED], -1] = ceiling[0], self.rounds
        other.excess_penalties = np.append(self.excess_penalties, ceiling[1])
        other._note_ceilings()
        other.memory = np.pad(self.memory, ((0, 0), (0, 1)))
        other.in_service = np.append(self.in_service, self.n_arms)
        other._short, other._silent = self._first > 0, True
        other = other.with_fairness(fairness)
        other.stats[rows.LEVEL, -1] = 0.0 if self._first else fairness[-1]
        return other

    def twin(self, noise: Callable[[Any, int], Any] | None = None) -> Self:
        """Return a copy that plays on by itself, with other draws if given."""
        other = copy(self)
        other.stats, other.waiting = self.stats.copy(), self.waiting.copy()
        other._noise = self._noise if noise is None else noise
        return other
