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
nothing or had another fraction.  Rounds in which its ceiling did not grow do not count for that.

Where all arms that are there are at hard caps, whatever the rule, the one with the least excess
N_k - c_k n is pulled, of several the first.  An arm at its hard cap without a reward is left out
as if it slept; so is any at its hard cap while first rewards are waited for.
"""

import math
from collections.abc import Iterator
from heapq import heappop, heappush

import numpy as np

from penalized_bandits.common.changes import Change, apply
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.engine import _scores as rows
from penalized_bandits.engine.records import Accrual as Accrual
from penalized_bandits.engine.records import Records
from penalized_bandits.policies.base import Round
from penalized_bandits.policies.known import wrong_field

NONE, SHOWN = np.arange(0), slice(rows.OBSERVED, rows.CREDIT)


class Play(Records):
    """A policy at play: it knows the records of its arms, and chooses the arm of each round."""

    def check_by_arm(self) -> None:
        """Raise BanditError if the policy cannot play some of its arms alone."""
        if self.policy.shares_memory:
            why = "as what it keeps is about all together: choose another policy, such as lfg"
            raise BanditError(f"policy {self.policy.id} cannot play some of its arms alone, {why}")

    def batch(
        self, slots: int, available: IntArray | None = None, repeat: bool = True
    ) -> Iterator[int]:
        """Choose and count an arm for each slot of a batch, as :meth:`turns` does."""
        for arm, changes in self.turns(slots, available, repeat):
            apply(changes)
            yield arm

    def turn(self, available: IntArray | None = None) -> tuple[int, list[Change]]:
        """Return the arm of the next round, and the changes that its pull makes."""
        arms = self.in_service if available is None else available
        absent = self._absent(arms, available is None) if len(arms) < self.n_arms else NONE
        schedule = self._schedule(arms, 1) if self._short else None
        if schedule:
            return schedule[0][1], self._pulled(schedule[0][1], absent, None, 1)
        arm, changes = self._chosen(arms, None)
        return arm, changes + self._pulled(arm, absent, None, 1)

    def turns(
        self, slots: int, available: IntArray | None = None, repeat: bool = True
    ) -> Iterator[tuple[int, list[Change]]]:
        """Yield the arm of each slot of a batch, and the changes due before the next slot.

        Each slot is a round of its own.  Available arms are in order; by default, all in service.
        Without ``repeat`` no arm comes twice, so that there may be fewer choices than slots.
        Queues and samples are then those of the batch's first round, as in the papers of LFG and
        TSCSF-B: the arms of the largest indices are pulled.  Floors go by the slot all the same.
        """
        arms = self.in_service if available is None else available
        slots, first = (slots, None) if repeat else (min(slots, len(arms)), self.rounds + 1)
        if slots > 1 and not repeat:
            self.check_by_arm()
        absent = self._absent(arms, available is None)
        schedule = self._schedule(arms, slots) if self._short else []
        for _ in range(slots):
            changes: list[Change] = []
            if schedule:
                pulls, arm = heappop(schedule)
                if repeat and pulls + 1 < self._first:
                    heappush(schedule, (pulls + 1, arm))
            else:
                arm, changes = self._chosen(arms, first)
            yield arm, changes + self._pulled(arm, absent, first, 1 if repeat else slots)
            if not repeat:
                arms = arms[arms != arm]

    def _absent(self, arms: IntArray, every: bool) -> IntArray:
        """Return the arms in service whose floors do not grow in this round."""
        if len(arms) < self.n_arms:
            self.check_by_arm()
        if every or self.accrual == "always":
            return NONE
        return np.setdiff1d(self.in_service, arms, assume_unique=True)

    def _schedule(self, arms: IntArray, slots: int) -> list[tuple[float, int]]:
        """Return a heap of the arms with scheduled pulls left, those of the fewest first."""
        pulls = self.stats[rows.PULLS]
        self._short = bool((pulls < self._first).any())
        short = arms[pulls[arms] < self._first]
        short = short[np.argsort(pulls[short], kind="stable")][:slots]
        return list(zip(pulls[short].tolist(), short.tolist(), strict=True))

    def _chosen(self, arms: IntArray, first: int | None) -> tuple[int, list[Change]]:
        """Return the arm of the next round, of a batch from round ``first``, and the changes."""
        n, needs, full = self.rounds + 1, self._first > 0, np.False_
        if self._hard:
            over = self.excess(n)[arms]
            full = (over >= 0) & np.isinf(self.stats[rows.EXCESS, arms])
            if full.all():
                return int(arms[over.argmin()]), []
        if self._silent and (needs or not self.policy.shares_memory):
            # Silent arms, and at work all arms without a reward, get their floors alone.
            silent = self._without_reward(arms)
            if silent.any():
                pulls, credit, tau = self.stats[[rows.PULLS, rows.CREDIT, rows.FAIRNESS]][:, arms]
                out = silent & ((needs and self.started) | (pulls >= self.patience) | full)
                owed = np.where(full, -math.inf, tau * n - (pulls + credit))
                late, none, able = out & (owed > 0), bool(out.all()), ~(out | full)
                waits = needs and ((silent & ~out).any() or none or self.policy.shares_memory)
                if waits or (not none and (late.any() or not able.any())):
                    turn = able | late if waits else late
                    which = arms[turn][owed[turn].argmax()] if turn.any() else arms[owed.argmax()]
                    return int(which), []
                arms = arms[~(silent & full if none else out)]
            elif len(arms) == self.n_arms:
                self._silent = False
        changes: list[Change] = [] if self.started else [(self.__dict__, "started", True)]
        try:
            if self.policy.choose is None:
                first, every = first or n, len(arms) == self.stats.shape[1]
                scale = math.sqrt(self.exploration * self.log(first))
                stats = self.stats if every else self.stats.take(arms, axis=1)
                at = self._scores.pick(stats, arms, self._noise, n, first, scale)
                return at if every else int(arms[at]), changes
            return self._of_round(arms, n, changes)
        except Exception as error:
            if field := wrong_field(error):
                raise BanditError(f"policy {self.policy.id}: {field}") from None
            raise

    def recent(self) -> tuple[FloatArray, FloatArray]:
        """Return sums of weights and of weighted rewards of a policy that forgets, shapes (K,)."""
        assert self.policy.forgets is not None  # noqa: S101
        counts, sums, at = self.memory[:3].copy()
        for k, waiting in enumerate(self.waiting):
            known = [(at[k] - 1, counts[k], sums[k]), *((made, 1.0, x) for made, x in waiting)]
            weights = [self.policy.forgets(self.rounds - made, self.tuning) for made, *_ in known]
            counts[k], sums[k] = (np.array(known).T[1:] * weights).sum(axis=1)
        return counts, sums

    def _of_round(self, arms: IntArray, n: int, changes: list[Change]) -> tuple[int, list[Change]]:
        assert self.policy.choose is not None  # noqa: S101
        stats, memory, delays = self.stats.copy(), self.memory.copy(), np.zeros(self.n_arms)
        for k in arms.tolist() if self._one_by_one else ():
            if self.waiting[k]:
                made, reward = self.waiting[k][0]
                shown = self._after(k, [reward])[1:]
                stats[SHOWN, k], delays[k] = shown, n - 1 - made
                changes += [(self.stats, (SHOWN, k), shown)]
                changes += [(self.waiting, k, self.waiting[k][1:])]
        some, noise = len(arms) < self.n_arms, np.zeros(len(arms))
        if self.policy.draws:
            noise[:] = [self._noise(k, n) for k in arms.tolist()]
        stats, kept = (stats[:, arms], memory[:, arms]) if some else (stats, memory)
        late = delays[arms] if some else delays
        pulls, observed = stats[rows.PULLS] + stats[rows.CREDIT], stats[rows.OBSERVED]
        about = stats[rows.MEAN], stats[rows.FAIRNESS], stats[rows.RATE], self.tuning
        bonuses = np.zeros(len(arms))
        if self._reads_bonus:
            below = np.where(pulls < about[1] * n, about[2], bonuses)
            bonuses = np.where(self.excess(n)[arms] >= 0, -stats[rows.EXCESS], below)
        rest = self.exploration, self.log(n), noise, kept, stats[rows.VARIANCE], bonuses
        choice = self.policy.choose(Round(n, pulls, observed, *about, *rest, late))
        if not isinstance(choice, int | np.integer | np.bool) or not 0 <= choice < len(arms):
            text = f"policy {self.policy.id} chose arm {choice!r} in round {n}: it must be a whole"
            raise BanditError(f"{text} number from 0 to {len(arms) - 1}")
        if some:
            memory[:, arms] = kept
        if self.policy.memory:
            changes.append((self.__dict__, "memory", memory))
        return int(arms[int(choice)]), changes
