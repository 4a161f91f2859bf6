"""Random numbers of a policy's own beyond the one that it is given a round.

A policy that says ``draws="uniform"`` is given one U[0, 1) number for each arm and round
(``Arm.noise``, ``Round.noise``).  Its 53 bits are the seed of as many others as a posterior takes,
so these depend on replicate, arm and round alone as well.  Products of whole numbers wrap in
compiled code as they do here, so that both give the same numbers.
"""

import math

import numpy as np

from penalized_bandits.policies.ziggurat import ZIGGURAT_EDGES, ZIGGURAT_HEIGHTS

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_MULTIPLIER_1 = 0xBF58476D1CE4E5B9
_MULTIPLIER_2 = 0x94D049BB133111EB


def word(number: float, i: int) -> int:
    """Return the i-th word, from 1, of a number in [0, 1) (Steele, Lea and Flood, OOPSLA 2014)."""
    # numba must know that the words are unsigned; in plain Python they are whole numbers, cut.
    seed, count = int(np.uint64(number * 2.0**53)), int(np.uint64(i))
    bits = ((seed << 11) + count * _STEP) & _MASK
    bits = ((bits ^ (bits >> 30)) * _MULTIPLIER_1) & _MASK
    bits = ((bits ^ (bits >> 27)) * _MULTIPLIER_2) & _MASK
    return bits ^ (bits >> 31)


def further(number: float, i: int) -> float:
    """Return the i-th further uniform number of (0, 1), i = 1, 2, ..., from one in [0, 1)."""
    # Half a step off zero, as logarithms are taken of it.
    return ((word(number, i) >> 12) + 0.5) * 2.0**-52


def normal(number: float, i: int) -> tuple[float, int]:
    """Return a standard normal number from words i, i + 2, ..., and the next of them (ziggurat)."""
    while True:
        bits = word(number, i)
        layer = int(np.int64(bits & 255))
        sign = 1.0 - 2.0 * ((bits >> 8) & 1)
        x = ((bits >> 11) * 2.0**-53) * ZIGGURAT_EDGES[layer]
        if x < ZIGGURAT_EDGES[layer + 1]:
            return sign * x, i + 2
        if layer == 0:  # the tail beyond the first edge, by two exponentials
            a, b = 1.0, 0.0
            while b + b <= a * a:
                a = -math.log(further(number, i + 2)) / ZIGGURAT_EDGES[1]
                b = -math.log(further(number, i + 4))
                i += 4
            return sign * (ZIGGURAT_EDGES[1] + a), i + 2
        low, high = ZIGGURAT_HEIGHTS[layer], ZIGGURAT_HEIGHTS[layer + 1]
        if low + further(number, i + 2) * (high - low) < math.exp(-0.5 * x * x):
            return sign * x, i + 4
        i += 4


def gamma(number: float, i: int, shape: float) -> float:
    """Return a Gamma(shape, 1) number, shape at least 1, from words i, i + 2, ...

    The method of Marsaglia and Tsang (ACM TOMS 26(3), 2000), whose first test here is sharper
    where the shape is large: with x = c z > -0.3, 3 (log(1 + x) - x + x^2 / 2 - x^3 / 3) > -x^4.
    """
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        z, i = normal(number, i)
        u = further(number, i)
        i += 2
        x = c * z
        v = (1.0 + x) * (1.0 + x) * (1.0 + x)
        # What is no number (an arm without pulls) is not rejected: no comparison with it holds.
        if not (x <= -0.3 or u >= 1.0 - d * (x * x) * (x * x)):
            return d * v
        if not (v <= 0.0 or math.log(u) >= 0.5 * z * z + d * (1.0 - v + math.log(v))):
            return d * v


def beta(number: float, a: float, b: float) -> float:
    """Return a Beta(a, b) number, a and b at least 1, from a uniform one in [0, 1).

    X / (X + Y) of two Gamma numbers, made of its odd and of its even words.
    """
    x, y = gamma(number, 1, a), gamma(number, 2, b)
    return x / (x + y)
