"""The arm with the largest urgency or index: in plain Python, or compiled once that pays."""

import math
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
    """The scores of a policy's formulas, compiled where numba can after so many looks."""

    def __init__(self, policy: Policy, tuning: float, *, compiles: bool) -> None:
        self._policy, self._tuning = policy, tuning
        self._urgent = policy.urgency is not base.no_urgency
        self._draws = bool(policy.draws)
        self._queues = float(policy.served is not base.no_queue)
        self._left: float = PAYS if compiles and policy.choose is None else math.inf
        self._kernel: Any = None
        # Whether compiled formulas are the package's, which have the values of plain Python.
        self._trusted = False
        self._zeros, self._both = np.zeros(0), (np.zeros(0), np.zeros(0))

    def _load(self) -> bool:
        from penalized_bandits.engine._formulas import is_packaged
        from penalized_bandits.engine._specialise import CannotCompileError, kernel

        try:
            self._kernel = kernel(self._policy, "scores")
            self._trusted = is_packaged(self._policy.index) and is_packaged(self._policy.urgency)
        except (CannotCompileError, BanditError):  # the latter if a value has no fingerprint
            self._left = math.inf
        return self._kernel is not None

    def pick(
        self, rows: FloatArray, arms: IntArray, noise: Any, n: int, first: int, scale: float
    ) -> int:
        """Return the place of the arm to pull in rows (.., K); BanditError if a score is nan."""
        now = float(n), scale, first - 1.0
        self._left -= len(arms)
        if self._left < 0 and (self._kernel or self._load()):
            if len(arms) != len(self._zeros):
                self._zeros, none = np.zeros(len(arms)), np.full(len(arms), -math.inf)
                self._both = none, none.copy()
            drawn, both = noise(arms, first) if self._draws else self._zeros, self._both
            at = self._kernel(rows, drawn, (*now, self._queues, self._tuning), *both)
            if self._trusted and at >= 0:
                return at
            if at >= 0:
                urgent = self._urgent and both[0][at] > -math.inf
                formula = self._policy.urgency if urgent else self._policy.index
                (arm,) = self._arms(rows[:, [at]], [drawn[at].item()], *now)
                if formula(arm) == both[0 if urgent else 1][at]:
                    return at
                # Compiled it has another value: from now on plain Python is asked.
                self._kernel, self._left = None, math.inf
        known = self._arms(rows, [noise(k, first) for k in arms.tolist()], *now)
        if self._urgent:
            scores = self._numbers("urgency", n, arms, map(self._policy.urgency, known))
            if (most := max(scores)) > -math.inf:
                return scores.index(most)
        scores = self._numbers("index", n, arms, map(self._policy.index, known))
        return scores.index(max(scores))

    def _arms(self, rows: FloatArray, noise: list[float], *now: float) -> list[Arm]:
        """Return the arms as the policy sees them, in Python's numbers."""
        lists, about = rows.tolist(), (*now, self._queues, self._tuning)
        return [arm_of(lists, k, drawn, about) for k, drawn in enumerate(noise)]  # type: ignore[arg-type]

    def _numbers(self, what: str, n: int, arms: IntArray, scores: Any) -> list[float]:
        scores = list(scores)
        for k, score in zip(arms.tolist(), scores, strict=True):
            if math.isnan(score):
                text = f"policy {self._policy.id} returned {score!r} as the {what} of arm {k} in"
                raise BanditError(f"{text} round {n}: it is not a number")
        return scores
