"""A policy at play in plain Python, written for reading: round by round, arm by arm.

The means, the radius, the fairness level and the queues are written here with the paper's own
expressions, without any of the engine's tricks.  The oracle plays so on reward tapes, and the
live player on what the world answers, where rewards may come late, together or never:

- a choice counts at once: in the round n, in N_k and thus in fairness levels and queues;
- a reward counts when it comes: means and radius are those of the rewards seen, so that no
  confidence bound is narrower than its data, as in the UCB for delays of Joulani, György and
  Szepesvári (ICML 2013, arXiv 1306.0686, section 4), whose regret grows by a constant times
  the most rewards that are ever on their way;
- where a rule needs a reward of each arm and one has none yet, the arm that is owed most is
  pulled, the one with the largest tau_k n - N_k;
- a policy with a memory is shown one new reward of an arm a round, as in the simulator.

Where each reward comes before the next choice, none of this differs from the simulator.
"""

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from penalized_bandits.common.errors import MOST_ROUNDS, BanditError
from penalized_bandits.policies import Arm, Policy, Round
from penalized_bandits.policies.base import UNPULLED_ROOT, wrong_field


class Play:
    """The state of one play of a policy.

    Parameters
    ----------
    policy
        Whose formulas to follow.
    fairness, penalties
        tau and A, one number for each of the K arms.
    tuning, exploration
        The policy's parameter, and its constant c in the radius.
    noise
        Draws the policy's own number for (arm, round).
    log_of
        Whether the logarithm is of n or of n - 1 (reading R1).
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
    ) -> None:
        self.policy = policy
        self.fairness, self.penalties = list(fairness), list(penalties)
        self._rates = policy.penalties_known(np.array(self.penalties)).tolist()
        self.tuning, self.exploration, self.log_of = tuning, exploration, log_of
        self.arms = range(len(self.fairness))
        self._noise = noise
        self._scheduled = policy.scheduled_rounds(len(self.arms), tuning)
        # After a commitment means stay what the scheduled pulls made them.
        self._most = int(tuning) if policy.commits else MOST_ROUNDS
        self._gains = [policy.arrival(tau, tuning) for tau in self.fairness]
        # Arms of which the rule needs a reward, and none has come.
        self._unseen = set(self.arms) if self._scheduled else set[int]()
        self._one_by_one = policy.memory > 0 and not policy.commits

        self.rounds = 0
        self.pulls = [0 for _ in self.arms]
        self.observed = [0 for _ in self.arms]
        """Rewards of each arm that the policy has been shown, ..."""
        self.sums = [0.0 for _ in self.arms]
        """... the sum of those in its mean, ..."""
        self.waiting: list[list[float]] = [[] for _ in self.arms]
        """... and those that it will be shown in later rounds."""
        # A queue gains as much in every round: as it was after the last pull, and when that was.
        self.levels = [0.0 for _ in self.arms]
        self.since = [policy.queues_since for _ in self.arms]
        self.memory = np.zeros((policy.memory, len(self.arms)))

    def mean(self, arm: int) -> float:
        """Return m_k, the mean of the rewards shown; +inf before the first."""
        if not self.observed[arm]:
            return math.inf
        return self.sums[arm] / min(self.observed[arm], self._most)

    def choose(self) -> int:
        """Return the arm of the next round, from 0."""
        n = self.rounds + 1
        if n <= self._scheduled:
            return (n - 1) % len(self.arms)
        if self._unseen:
            self._unseen = {k for k in self._unseen if not (self.observed[k] or self.waiting[k])}
        if self._unseen:
            owed = [self.fairness[k] * n - self.pulls[k] for k in self.arms]
            return owed.index(max(owed))
        if self._one_by_one:
            for k in self.arms:
                if self.waiting[k]:
                    self._observe(k, self.waiting[k].pop(0))
        log = math.log(n if self.log_of == "n" else max(n - 1, 1))
        try:
            return self._of_index(n, log) if self.policy.choose is None else self._of_round(n, log)
        except Exception as error:
            if field := wrong_field(error):
                raise BanditError(f"policy {self.policy.id}: {field}") from None
            raise

    def _of_index(self, n: int, log: float) -> int:
        policy, arms = self.policy, [self._arm(k, n, log) for k in self.arms]
        urgencies = self._numbers("urgency", n, [policy.urgency(arm) for arm in arms])
        if max(urgencies) > -math.inf:
            return urgencies.index(max(urgencies))
        indices = self._numbers("index", n, [policy.index(arm) for arm in arms])
        return indices.index(max(indices))

    def _numbers(self, what: str, n: int, scores: list[float]) -> list[float]:
        for k, score in enumerate(scores):
            if math.isnan(score):
                raise BanditError(
                    f"policy {self.policy.id} returned {score!r} as the {what} of arm {k} in round "
                    f"{n}: it is not a number"
                )
        return scores

    def _arm(self, k: int, n: int, log: float) -> Arm:
        root = 1.0 / math.sqrt(self.observed[k]) if self.observed[k] else UNPULLED_ROOT
        return Arm(
            n=float(n),
            mean=self.mean(k),
            # sqrt(2 log n / N), in the two factors that the engine has: the last bit
            # decides ties such as 0.1 + 0.2 against 0.3.
            radius=math.sqrt(self.exploration * log) * root,
            pulls=float(self.pulls[k]),
            observed=float(self.observed[k]),
            below=self.pulls[k] < self.fairness[k] * n,
            fairness=self.fairness[k],
            penalty=self._rates[k],
            queue=self.levels[k] + self._gains[k] * (n - 1 - self.since[k]),
            tuning=self.tuning,
            noise=self._noise(k, n),
        )

    def _of_round(self, n: int, log: float) -> int:
        assert self.policy.choose is not None  # noqa: S101
        state = Round(
            n=n,
            pulls=np.array(self.pulls, dtype=float),
            observed=np.array(self.observed, dtype=float),
            means=np.array([self.mean(k) for k in self.arms]),
            fairness=np.array(self.fairness),
            penalties=np.array(self._rates),
            tuning=self.tuning,
            exploration=self.exploration,
            log=log,
            noise=np.array([self._noise(k, n) for k in self.arms]),
            memory=self.memory,
        )
        choice = self.policy.choose(state)
        if not isinstance(choice, int | np.integer | np.bool) or not 0 <= choice < len(self.arms):
            raise no_such_arm(self.policy, n, choice, len(self.arms))
        return int(choice)

    def pulled(self, arm: int) -> None:
        """Count the pull of an arm, which ends the round."""
        n, gain = self.rounds + 1, self._gains[arm]
        arrived = self.levels[arm] + gain * (n - 1 - self.since[arm]) + gain
        self.levels[arm] = self.policy.served(arrived, self._rates[arm], self.tuning)
        self.since[arm] = self.rounds = n
        self.pulls[arm] += 1

    def rewarded(self, arm: int, reward: float) -> None:
        """Take the reward of a pull of an arm."""
        if self._one_by_one:
            self.waiting[arm].append(reward)
        else:
            self._observe(arm, reward)

    def _observe(self, arm: int, reward: float) -> None:
        self.observed[arm] += 1
        if self.observed[arm] <= self._most:
            self.sums[arm] += reward


def no_such_arm(policy: Policy, n: int, choice: object, n_arms: int) -> BanditError:
    """Return the error for a policy that names no existing arm."""
    return BanditError(
        f"policy {policy.id} chose arm {choice!r} in round {n}: it must be a whole number "
        f"from 0 to {n_arms - 1}"
    )
