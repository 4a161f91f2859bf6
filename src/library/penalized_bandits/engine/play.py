"""A policy at play in plain Python, written for reading: round by round, arm by arm.

Means, radius, fairness level and queues are the paper's own expressions.  The oracle plays so on
reward tapes, the live player on what the world answers, where rewards may be late or never come:

- a choice counts at once: in the round n, in N_k and thus in fairness levels and queues;
- a reward counts when it comes: means and radius are those of the rewards seen, so that no
  confidence bound is narrower than its data, as in the UCB for delays of Joulani, György and
  Szepesvári (ICML 2013, arXiv 1306.0686, section 4);
- where a rule needs a reward of each arm and one has none yet, the arm with the largest
  tau_k n - N_k is pulled; after ``patience`` choices without a reward an arm gets its floor alone;
- a policy with a memory is shown one new reward of an arm a round, as in the simulator.

Where each reward comes before the next choice, none of this differs from the simulator.

Arms may sleep, come and go: the rule plays those that are there, and keeps what it knows of the
others.  An arm's credit counts for its floor beside its pulls, for rounds in which it was owed
nothing or had another fraction.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from heapq import heapify, heappop, heappush
from typing import Any, Literal, TypeAlias

import numpy as np

from penalized_bandits.common.errors import MOST_ROUNDS, BanditError
from penalized_bandits.common.typing import BoolArray, IntArray
from penalized_bandits.policies.base import UNPULLED_ROOT, Arm, Policy, Round, no_queue
from penalized_bandits.policies.known import wrong_field

Accrual = Literal["always", "available"]
"""Rounds in which an arm's floor and queue grow: all, or those in which the arm is available."""
Arms: TypeAlias = Sequence[int] | IntArray
Numbers: TypeAlias = Any  # of each arm: a list, or an array where there are many


class Play:
    """The state of one play of a policy.

    ``exploration`` is its constant c in the radius, ``noise`` draws its own number for (arm,
    round), ``log_of`` says whether the logarithm is of n or of n - 1 (reading R1), and
    ``patience`` after how many choices of an arm its first reward is not waited for.
    """

    def __init__(
        self,
        policy: Policy,
        fairness: Sequence[float],
        penalties: Sequence[float],
        *,
        tuning: float,
        exploration: float,
        noise: Callable[[int, int], float],
        log_of: Literal["n", "n-1"] = "n",
        accrual: Accrual = "always",
        patience: int = MOST_ROUNDS,
    ) -> None:
        self.policy = policy
        self.fairness: Numbers = list(fairness)
        self.penalties = list(penalties)
        self._rates: Numbers = policy.penalties_known(np.array(self.penalties)).tolist()
        self.tuning, self.exploration, self.log_of = tuning, exploration, log_of
        self.accrual: Accrual = accrual
        self.patience, self._noise = patience, noise
        self.in_service: Numbers = list(range(len(self.fairness)))
        """Arms that are not retired."""
        # Pulls of each arm before the rule applies.
        self._first = policy.scheduled_rounds(1, tuning)
        # After a commitment means stay what the scheduled pulls made them.
        self._most = int(tuning) if policy.commits else MOST_ROUNDS
        self.started = False
        """Whether the rule has had a reward of each arm that was there."""
        self._queues = policy.served is not no_queue
        self._one_by_one = policy.memory > 0 and not policy.commits

        self.rounds = 0
        self.pulls: Numbers = [0 for _ in self.arms]
        self.observed: Numbers = [0 for _ in self.arms]
        """Rewards of each arm that the policy has been shown, ..."""
        self.sums: Numbers = [0.0 for _ in self.arms]
        """... the sum of those in its mean, ..."""
        self.waiting: list[list[float]] = [[] for _ in self.arms]
        """... and those that it will be shown in later rounds."""
        self.variances = [0.0 for _ in self.arms]
        # A queue gains as much in every round: as it was after the last pull, and when that was.
        self.levels: Numbers = [0.0 for _ in self.arms]
        self.since: Numbers = [policy.queues_since for _ in self.arms]
        self.credit: Numbers = [0.0 for _ in self.arms]
        self.memory = np.zeros((policy.memory, len(self.arms)))

    @property
    def arms(self) -> range:
        """All arms, retired ones included."""
        return range(len(self.fairness))

    def owed(self, arm: int) -> float:
        """Return the pulls that an arm's floor lacks after the rounds so far."""
        return self.fairness[arm] * self.rounds - self._counted(arm)

    def check_by_arm(self) -> None:
        """Raise BanditError if the policy cannot play some of its arms alone."""
        if self.policy.shares_memory:
            raise BanditError(
                f"policy {self.policy.id} cannot play some of its arms alone, as what it keeps is "
                "about all of them together: choose another policy, such as lfg"
            )

    def shown(self, arm: Any) -> tuple[Any, Any]:
        """Return m_k and 1 / sqrt(N_k) of the rewards shown: +inf and ``UNPULLED_ROOT`` before."""
        if not (seen := self.observed[arm]):
            return math.inf, UNPULLED_ROOT
        return self.sums[arm] / min(seen, self._most), 1.0 / math.sqrt(seen)

    def log(self, n: int) -> float:
        """Return the logarithm in the radius in round n."""
        return math.log(n if self.log_of == "n" else max(n - 1, 1))

    def variance(self, arm: int) -> float:
        """Return the variance of the rewards shown, divided by their number; +inf before them."""
        return self.variances[arm] if self.observed[arm] else math.inf

    def batch(
        self, slots: int, available: Arms | None = None, repeat: bool = True
    ) -> Iterator[int]:
        """Choose and count an arm for each slot of a batch, each slot a round of its own.

        Without ``repeat`` no arm comes twice, so that there may be fewer choices than slots.
        Queues and samples are then those of the batch's first round, as in the papers of LFG and
        TSCSF-B: the arms of the largest indices are pulled.  Floors go by the slot all the same.
        """
        arms = dict.fromkeys(map(int, self.in_service if available is None else available))
        slots = slots if repeat else min(slots, len(arms))
        if len(arms) < len(self.arms) or (slots > 1 and not repeat):
            self.check_by_arm()
        absent = [k for k in self.in_service if k not in arms] if available is not None else []
        first = None if repeat else self.rounds + 1
        # Arms with scheduled pulls left, those of the fewest first.
        schedule = [(self.pulls[k], k) for k in arms if self.pulls[k] < self._first]
        heapify(schedule)
        for _ in range(slots):
            if schedule:
                pulls, arm = heappop(schedule)
                if repeat and pulls + 1 < self._first:
                    heappush(schedule, (pulls + 1, arm))
            else:
                arm = self.choose(list(arms), first)
            self.pulled(arm, absent, first, 1 if repeat else slots)
            if not repeat:
                del arms[arm]
            yield arm

    def choose(self, arms: Arms, first: int | None) -> int:
        """Return the arm of the next round, after the scheduled pulls, among those given.

        ``first`` is the first round of a batch without repetition.
        """
        n, needs = self.rounds + 1, self._first > 0
        unseen = self._unseen(arms)
        if True in unseen and (needs or not self.policy.shares_memory):
            # Silent arms, and at work all arms without a reward, get their floors alone.
            there, silent = np.asarray(arms), np.asarray(unseen)
            pulls, credit, tau = np.array([self.pulls, self.credit, self.fairness])[:, there]
            out = silent & ((needs and self.started) | (pulls >= self.patience))
            owed = tau * n - (pulls + credit)
            late, none = out & (owed > 0), bool(out.all())
            waits = needs and ((silent & ~out).any() or none or self.policy.shares_memory)
            if waits or (late.any() and not none):
                turn = ~out | late if waits else late
                return int(there[turn][owed[turn].argmax()] if turn.any() else there[owed.argmax()])
            arms = arms if none else there[~out].tolist()
        self.started = True
        if self._one_by_one:
            for k in arms:
                if self.waiting[k]:
                    self._observe(k, self.waiting[k].pop(0))
        try:
            if self.policy.choose is None:
                return self._of_index(arms, n, first or n)
            return self._of_round(arms, n)
        except Exception as error:
            if field := wrong_field(error):
                raise BanditError(f"policy {self.policy.id}: {field}") from None
            raise

    def _unseen(self, arms: Arms) -> Sequence[bool] | BoolArray:
        return [not (self.observed[k] or self.waiting[k]) for k in arms]

    def _counted(self, arm: Any) -> Any:
        """Return the pulls of an arm that count for its floor."""
        return self.pulls[arm] + self.credit[arm]

    def _of_index(self, arms: Arms, n: int, first: int) -> int:
        scale = math.sqrt(self.exploration * self.log(first))
        policy, states = self.policy, [self._arm(k, n, scale, first) for k in arms]
        scores = [policy.urgency(state) for state in states]
        if max(self._numbers("urgency", n, arms, scores)) > -math.inf:
            return arms[scores.index(max(scores))]
        scores = self._numbers("index", n, arms, [policy.index(state) for state in states])
        return arms[scores.index(max(scores))]

    def _numbers(self, what: str, n: int, arms: Arms, scores: list[float]) -> list[float]:
        for k, score in zip(arms, scores, strict=True):
            if math.isnan(score):
                raise BanditError(
                    f"policy {self.policy.id} returned {score!r} as the {what} of arm {k} in round "
                    f"{n}: it is not a number"
                )
        return scores

    def _arm(self, k: Any, n: int, scale: float, first: int) -> Arm:
        counted, (mean, root) = self._counted(k), self.shown(k)
        return Arm(
            n=float(n),
            mean=mean,
            # sqrt(2 log n / N), in the two factors that the engine has: the last bit
            # decides ties such as 0.1 + 0.2 against 0.3.
            radius=scale * root,
            pulls=counted,
            observed=1.0 * self.observed[k],
            below=counted < self.fairness[k] * n,
            fairness=self.fairness[k],
            penalty=self._rates[k],
            queue=self._queues * (self.levels[k] + self.fairness[k] * (first - 1 - self.since[k])),
            tuning=self.tuning,
            noise=self._noise(k, first),
            variance=self.variance(k),
        )

    def _of_round(self, arms: Arms, n: int) -> int:
        assert self.policy.choose is not None  # noqa: S101
        some = len(arms) < len(self.arms)
        memory = np.take(self.memory, arms, axis=1) if some else self.memory
        state = Round(
            n=n,
            pulls=np.array([self._counted(k) for k in arms]),
            observed=np.array([self.observed[k] for k in arms], dtype=float),
            means=np.array([self.shown(k)[0] for k in arms]),
            fairness=np.array([self.fairness[k] for k in arms]),
            penalties=np.array([self._rates[k] for k in arms]),
            tuning=self.tuning,
            exploration=self.exploration,
            log=self.log(n),
            noise=np.array([self._noise(k, n) for k in arms]),
            memory=memory,
            variances=np.array([self.variance(k) for k in arms]),
        )
        choice = self.policy.choose(state)
        if not isinstance(choice, int | np.integer | np.bool) or not 0 <= choice < len(arms):
            raise BanditError(
                f"policy {self.policy.id} chose arm {choice!r} in round {n}: it must be a whole "
                f"number from 0 to {len(arms) - 1}"
            )
        if some:
            self.memory[:, arms] = memory
        return arms[int(choice)]

    def pulled(self, arm: int, absent: Arms, first: int | None, slots: int) -> None:
        """Count the pull of an arm, which ends the round.

        Some arms may be absent; a batch without repetition has a first round and a length.
        """
        n, gain = self.rounds + 1, self.fairness[arm]
        before = (n if first is None else first) - 1
        arrived = float(self.levels[arm] + gain * (before - self.since[arm]) + gain * slots)
        self.levels[arm] = self.policy.served(arrived, float(self._rates[arm]), self.tuning)
        self.since[arm], self.rounds = before + slots, n
        self.pulls[arm] += 1
        for k in absent if self.accrual == "available" else ():
            self.credit[k] += self.fairness[k]
            self.since[k] += 1

    def set_fairness(self, fairness: Sequence[float]) -> None:
        """Give the arms other fractions from the next round on; debts and queues stay."""
        for k, tau in zip(self.arms, fairness, strict=True):
            self.credit[k] += (tau - self.fairness[k]) * self.rounds
            self.levels[k] += self.fairness[k] * (self.rounds - self.since[k])
            self.since[k] = self.rounds
        self.fairness = list(fairness)

    def add_arm(self, penalty: float) -> None:
        """Add an arm with fraction 0, which is owed nothing so far."""
        self.started |= all(self.observed[k] or self.waiting[k] for k in self.in_service)
        new = {"in_service": len(self.arms), "since": self.rounds}
        zeros = ("fairness", "sums", "variances", "levels", "credit", "pulls", "observed")
        for name in (*zeros, *new):
            setattr(self, name, np.append(getattr(self, name), new.get(name, 0)).tolist())
        self.waiting.append([])
        self.penalties.append(penalty)
        self._rates = self.policy.penalties_known(np.array(self.penalties)).tolist()
        self.memory = np.hstack([self.memory, np.zeros((self.policy.memory, 1))])

    def twin(self, noise: Callable[[int, int], float] | None = None) -> "Play":
        """Return a copy that plays on by itself, with other draws if given."""
        other = copy(self)
        own = ("pulls", "observed", "sums", "variances", "levels", "since", "credit", "memory")
        for name in own:
            setattr(other, name, copy(getattr(self, name)))
        if self._one_by_one:
            other.waiting = [list(rewards) for rewards in self.waiting]
        other._noise = self._noise if noise is None else noise
        return other

    def rewarded(self, arm: int, reward: float) -> None:
        """Take the reward of a pull of an arm."""
        if self._one_by_one:
            self.waiting[arm].append(reward)
        else:
            self._observe(arm, reward)

    def _observe(self, arm: int, reward: float) -> None:
        before, rest = self.shown(arm)[0], self.variances[arm] * self.observed[arm]
        self.observed[arm] += 1
        if self.observed[arm] <= self._most:
            self.sums[arm] += reward
        if self.observed[arm] > 1:
            spread = (reward - before) * (reward - self.shown(arm)[0])
            self.variances[arm] = (spread + rest) / self.observed[arm]
