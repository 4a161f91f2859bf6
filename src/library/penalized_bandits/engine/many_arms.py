"""A play with many arms: the arms of ``play.py``, from arrays and a compiled loop over them.

A slot looks at each arm once, and NumPy does the rest.  Of a batch it need not, where index and
urgency never fall unless the arm is pulled (``Hints.index_is_nondecreasing``): of the arms with the
m largest indices one at least is not pulled before the last of m slots, so that only arms can be
pulled whose index in that slot reaches the m-th largest of now; and of arms that are alike in all
only the first m.  Halving a batch of K slots again and again thus takes K log K looks in all, as
long as no arms but those that are alike have equal indices.
"""

import math
from collections.abc import Callable, Iterator
from copy import copy
from heapq import heappop, heappush
from typing import Any

import numpy as np

from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray
from penalized_bandits.engine.play import Play
from penalized_bandits.policies import base
from penalized_bandits.policies.base import UNPULLED_ROOT, Arm, no_urgency

MANY = 256
"""From so many arms on, half a millisecond of plain Python, numba is imported for them."""
FEW_SLOTS = 64
"""A batch is halved down to so many slots, each of which then looks at all arms that are left."""
WHOLE, REAL = ("pulls", "observed", "since"), ("fairness", "_rates", "sums", "levels", "credit")
"""Statistics that are arrays here."""
MARGIN = 1e-9
"""Relative margin of bounds: far more than rounding can make of them."""

index_of: Callable[[Arm], float] = no_urgency
urgency_of: Callable[[Arm], float] = no_urgency
"""Placeholders, as the flag: :mod:`penalized_bandits.engine._specialise` binds them."""
HAS_URGENCY = False


def scores(arms: Any, urgencies: FloatArray, indices: FloatArray) -> None:
    """Write the urgency and the index of each arm; ``arms`` has arrays (K,) as fields."""
    for k in range(len(indices)):
        known = arms.mean[k], arms.radius[k], arms.pulls[k], arms.observed[k], arms.below[k]
        rates = arms.fairness[k], arms.penalty[k], arms.queue[k]
        arm = Arm(arms.n, *known, *rates, arms.tuning, arms.noise[k])
        urgencies[k], indices[k] = -np.inf, index_of(arm)
        if HAS_URGENCY:
            urgencies[k] = urgency_of(arm)


class ManyArms(Play):
    """A play that pulls the same arms as a ``Play``, and takes less time where there are many.

    With fewer than ``MANY`` arms, and for rules without an index or such that numba cannot
    compile, it is one.
    """

    _scores: Any = None
    """The compiled loop; False if there is none."""

    def batch(self, slots: int, available: Any = None, repeat: bool = True) -> Iterator[int]:
        """Choose and count an arm for each slot of a batch, as ``Play.batch`` does."""
        if not self._has_arrays():
            yield from super().batch(slots, available, repeat)
            return
        service = np.asarray(self.in_service)
        arms = service if available is None else np.asarray(available)
        there = np.zeros(len(self.arms), bool)
        there[arms] = True
        absent = service[~there[service]] if self.accrual == "available" else arms[:0]
        slots, first = (slots, None) if repeat else (min(slots, len(arms)), self.rounds + 1)
        short = arms[self.pulls[arms] < self._first]
        short = short[np.argsort(self.pulls[short], kind="stable")][:slots]
        # In order, and so a heap.
        schedule = list(zip(self.pulls[short].tolist(), short.tolist(), strict=True))
        rule: Iterator[int] | None = None
        for left in range(slots, 0, -1):
            if schedule:
                pulls, arm = heappop(schedule)
                if repeat and pulls + 1 < self._first:
                    heappush(schedule, (pulls + 1, arm))
            else:
                rule = rule or self._by_rule(arms, there, left, first)
                arm = next(rule)
            self.pulled(arm, (), first, 1 if repeat else slots)
            self.credit[absent] += self.fairness[absent]
            self.since[absent] += 1
            there[arm] = repeat
            yield arm

    def _has_arrays(self) -> bool:
        """Return whether there is a loop, with which statistics are arrays from now on."""
        alone = self.policy.choose is None and not self.policy.shares_memory
        if self._scores is None and alone and len(self.arms) >= MANY:
            from penalized_bandits.engine._formulas import is_packaged
            from penalized_bandits.engine._specialise import CannotCompileError, kernel
            from penalized_bandits.policies.fingerprint import reads_variance

            self._trusted = is_packaged(self.policy.index) and is_packaged(self.policy.urgency)
            try:
                # The variances, which few policies read, are no arrays.
                read = reads_variance(self.policy)
                self._scores = False if read else kernel(self.policy, "scores")
            except (CannotCompileError, BanditError):  # the latter if a value has no fingerprint
                self._scores = False
        for names, kind in ((REAL, float), ((*WHOLE, "in_service"), np.int64)):
            for name in names if self._scores else ():
                setattr(self, name, np.asarray(getattr(self, name), kind))
        return bool(self._scores)

    def shown(self, arm: Any) -> tuple[Any, Any]:
        """Return mean and root of an arm, or of each in an array."""
        if not isinstance(arm, np.ndarray):
            return super().shown(arm)
        seen = np.maximum(self.observed[arm], 1)
        known = self.sums[arm] / np.minimum(seen, self._most), 1.0 / np.sqrt(seen)
        none = self.observed[arm] == 0
        return np.where(none, np.inf, known[0]), np.where(none, UNPULLED_ROOT, known[1])

    def variance(self, arm: Any) -> Any:
        """Return the variance of an arm's rewards; of arrays it is not asked for."""
        return math.nan if isinstance(arm, np.ndarray) else super().variance(arm)

    def _unseen(self, arms: Any) -> Any:
        return self.observed[arms] == 0 if isinstance(arms, np.ndarray) else super()._unseen(arms)

    def _of_index(self, arms: Any, n: int, first: int) -> int:
        if not self._scores:
            return super()._of_index(arms, n, first)
        arms = np.asarray(arms)
        every, *found = self._looks(arms, n, first)
        for formula, values in zip((self.policy.urgency, self.policy.index), found, strict=True):
            at = int(values.argmax())  # of the first nan, if there is one
            if np.isnan(values[at]):
                break
            if values[at] > -np.inf or formula is self.policy.index:
                one: Any = (f if isinstance(f, float) else f[at].item() for f in every)
                if self._trusted or formula(Arm(*one)) == values[at]:
                    return int(arms[at])
                # Compiled it has another value: from now on plain Python is asked.
                self._scores = lambda _, *found: [each.fill(np.nan) for each in found]
                break
        plain = copy(self)
        plain._scores = None
        for name in (*REAL, *WHOLE):
            setattr(plain, name, getattr(self, name).tolist())
        return Play._of_index(plain, arms.tolist(), n, first)

    def _looks(self, arms: IntArray, n: int, first: int) -> tuple[Any, FloatArray, FloatArray]:
        """Return the arms as they are in round n, and the urgency and index of each."""
        with np.errstate(all="ignore"):  # as Python has it
            scale = math.sqrt(self.exploration * self.log(first or n))
            every = self._arm(arms, n, scale, first)
        every = every._replace(noise=np.full(len(arms), every.noise))
        urgencies, indices = np.empty((2, len(arms)))
        self._scores(every, urgencies, indices)
        return every, urgencies, indices

    def _by_rule(
        self, arms: IntArray, there: BoolArray, slots: int, first: int | None
    ) -> Iterator[int]:
        """Yield the arms of the next slots of a batch, of those that are still there."""
        grows = self.policy.hints.index_is_nondecreasing and self.observed[arms].all()
        if grows and slots > FEW_SLOTS:
            for size in (slots // 2, slots - slots // 2):
                some = self._contenders(arms[there[arms]], size, first)
                yield from self._by_rule(some, there, size, first)
        else:
            for _ in range(slots):
                yield self.choose(arms[there[arms]], first)

    def _contenders(self, arms: IntArray, size: int, first: int | None) -> IntArray:
        """Return arms among which are all that can be pulled in the next ``size`` slots."""
        if size >= len(arms):
            return arms
        rounds = self.rounds + 1, self.rounds + size
        now, then = (np.stack(self._looks(arms, n, first or n)[1:]) for n in rounds)
        if np.isnan((now, then)).any():
            return arms
        left = np.zeros(len(arms), bool)
        for low, high in zip(now, then, strict=True):  # of urgencies, then of indices
            least = np.partition(low, -size)[-size]
            if least > -np.inf:
                left |= high >= (least - MARGIN * (1.0 + abs(least)) if least < np.inf else least)
                break
            left |= high > -np.inf
        else:
            return arms
        return self._first_alike(arms[left], size) if left.sum() > 2 * size else arms[left]

    def _first_alike(self, arms: IntArray, most: int) -> IntArray:
        """Leave out arms before which there are ``most`` with the same statistics."""
        no_queue = self._trusted and self.policy.served is base.no_queue
        names = {*REAL, *WHOLE} - ({"levels", "since"} if no_queue else set())
        facts = np.stack([getattr(self, name)[arms] for name in sorted(names)])
        order, place = np.lexsort(facts), np.arange(len(arms))
        new = (np.diff(facts[:, order], prepend=np.nan) != 0).any(axis=0)
        rank = place - np.maximum.accumulate(np.where(new, place, 0))
        return arms[np.sort(order[rank < most])]
