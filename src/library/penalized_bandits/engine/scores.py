"""The arm with the largest urgency or index: in plain Python, or compiled once that pays."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.engine._scores import arm_of
from penalized_bandits.policies import base
from penalized_bandits.policies.base import Arm, Policy

PAYS = 10_000
"""Looks at an arm in plain Python, 1 or 2 microseconds each, before numba, half a second, loads."""


class Scores:
    """The scores of a policy's formulas: ``compiled`` where numba can, after so many looks."""

    def __init__(self, policy: Policy, tuning: float, *, compiles: bool) -> None:
        self.policy, self.tuning = policy, tuning
        self.has_urgency = policy.urgency is not base.no_urgency
        self._draws = bool(policy.draws)
        self._queues = float(policy.served is not base.no_queue)
        self._left: float = PAYS if compiles and policy.choose is None else math.inf
        self._kernel: Callable[..., int] | None = None
        self._zeros = self.urgencies = self.indices = np.zeros(0)
        self.trusted = False
        """Whether compiled formulas are the package's, which have the values of plain Python."""

    def compiled(self, looks: int) -> bool:
        """Return whether a kernel is there for so many looks at an arm."""
        self._left -= looks
        return self._left < 0 and (self._kernel is not None or self._load())

    def _load(self) -> bool:
        from penalized_bandits.engine._formulas import is_packaged
        from penalized_bandits.engine._specialise import CannotCompileError, kernel

        formulas = self.policy.index, self.policy.urgency
        try:
            self._kernel = kernel(self.policy, "scores")
            self.trusted = all(map(is_packaged, formulas))
        except (CannotCompileError, BanditError):  # the latter if a value has no fingerprint
            self._left = math.inf
        return self._kernel is not None

    def every(
        self, rows: FloatArray, drawn: FloatArray | None, n: int, first: int, scale: float
    ) -> int:
        """Find ``urgencies`` and ``indices`` of arms, compiled; return the one to pull, or -1."""
        if rows.shape[1] != len(self._zeros):
            self._zeros, self.indices = np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
            self.urgencies = np.full(rows.shape[1], -math.inf)
        return self._kernel(  # type: ignore[misc]
            rows,
            self._zeros if drawn is None else drawn,
            float(n),
            scale,
            first - 1.0,
            self._queues,
            self.tuning,
            self.urgencies,
            self.indices,
        )

    def pick(
        self,
        rows: FloatArray,
        arms: IntArray,
        noise: Callable[[Any, int], Any],
        n: int,
        first: int,
        scale: float,
    ) -> int:
        """Return the place of the arm to pull among those that the rows (.., K) are of.

        Raises BanditError if a score is no number.
        """
        if self.compiled(len(arms)):
            drawn = noise(arms, first) if self._draws else None
            at = self.every(rows, drawn, n, first, scale)
            if self.trusted and at >= 0:
                return at
            if at >= 0:
                urgent = self.has_urgency and self.urgencies[at] > -math.inf
                formula = self.policy.urgency if urgent else self.policy.index
                own = [0.0 if drawn is None else drawn[at].item()]
                (arm,) = self._arms(rows[:, [at]], own, n, first, scale)
                if formula(arm) == (self.urgencies if urgent else self.indices)[at]:
                    return at
                # Compiled it has another value: from now on plain Python is asked.
                self._kernel, self._left = None, math.inf
        known = self._arms(rows, [noise(k, first) for k in arms.tolist()], n, first, scale)
        if self.has_urgency:
            scores = self._numbers("urgency", n, arms, map(self.policy.urgency, known))
            if (most := max(scores)) > -math.inf:
                return scores.index(most)
        scores = self._numbers("index", n, arms, map(self.policy.index, known))
        return scores.index(max(scores))

    def _arms(
        self, rows: FloatArray, noise: Sequence[float], n: int, first: int, scale: float
    ) -> list[Arm]:
        """Return what the policy knows of each arm, in Python's numbers."""
        lists: Any = rows.tolist()
        about = float(n), scale, first - 1.0, self._queues, self.tuning
        return [arm_of(lists, k, drawn, *about) for k, drawn in enumerate(noise)]

    def _numbers(self, what: str, n: int, arms: IntArray, scores: Any) -> list[float]:
        scores = list(scores)
        for k, score in zip(arms.tolist(), scores, strict=True):
            if math.isnan(score):
                raise BanditError(
                    f"policy {self.policy.id} returned {score!r} as the {what} of arm {k} in round "
                    f"{n}: it is not a number"
                )
        return scores
