"""Time contenders in turn, in one process, and compare them repetition by repetition.

Absolute times change with whatever else the machine does; a ratio of two times taken
one right after the other changes little.  So every repetition plays all contenders, in
alternating order, and ratios are taken within repetitions.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from penalized_bandits.common.typing import FloatArray


@dataclass(frozen=True)
class Contender:
    """Something to be timed."""

    name: str
    pulls: int
    """Pulls that one run makes."""
    run: Callable[[], object]
    warm: bool = True
    """Whether an untimed run comes first, for compilers and caches."""


@dataclass(frozen=True)
class Spread:
    """Median and quartiles of repeated measurements."""

    low: float
    median: float
    high: float

    def __str__(self) -> str:
        return f"{number(self.median)} [{number(self.low)}–{number(self.high)}]"

    def fields(self, name: str) -> dict[str, float]:
        """Return the three numbers as columns of a table."""
        values = {"": self.median, "_q1": self.low, "_q3": self.high}
        return {name + suffix: float(f"{value:.6g}") for suffix, value in values.items()}


def number(value: float) -> str:
    """Write a number with three digits, or all those before the point."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:#.3g}".rstrip(".")


def spread(values: Sequence[float] | FloatArray) -> Spread:
    """Return median and quartiles."""
    low, median, high = np.percentile(values, [25, 50, 75]).tolist()
    return Spread(low, median, high)


def say(text: str) -> None:
    """Write a line on what is being done."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def alternate(contenders: Sequence[Contender], repetitions: int) -> dict[str, FloatArray]:
    """Time contenders in turn: nanoseconds per pull of each, shape (repetitions,)."""
    for contender in contenders:
        if contender.warm:
            contender.run()
    times = {contender.name: np.zeros(repetitions) for contender in contenders}
    for i in range(repetitions):
        for contender in contenders if i % 2 == 0 else reversed(contenders):
            start = time.perf_counter_ns()
            contender.run()
            times[contender.name][i] = (time.perf_counter_ns() - start) / contender.pulls
    return times


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and those that it starts, on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
