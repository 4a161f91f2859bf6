"""Random numbers of a policy's own beyond the one that it is given a round.

A policy that says ``draws="uniform"`` is given one U[0, 1) number for each arm and round
(``Arm.noise``, ``Round.noise``).  Its 53 bits are the seed of as many others as a posterior
takes, so these depend on replicate, arm and round alone as well.  The functions are plain
ones of whole numbers below 2^63, whose products wrap in compiled code as they do here: they
give the same numbers compiled and in plain Python.
"""

import math

import numpy as np

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_MULTIPLIER_1 = 0xBF58476D1CE4E5B9
_MULTIPLIER_2 = 0x94D049BB133111EB
_LOG_4 = math.log(4.0)
_LOG_5 = math.log(5.0)


def further(number: float, i: int) -> float:
    """Return the i-th further uniform number of (0, 1), i = 1, 2, ..., from one in [0, 1).

    A Weyl sequence through a bijective finaliser (Steele, Lea and Flood, OOPSLA 2014).
    """
    # numba must know that the words are unsigned; in plain Python they are whole numbers, cut.
    seed, count = int(np.uint64(number * 2.0**53)), int(np.uint64(i))
    word = ((seed << 11) + count * _STEP) & _MASK
    word = ((word ^ (word >> 30)) * _MULTIPLIER_1) & _MASK
    word = ((word ^ (word >> 27)) * _MULTIPLIER_2) & _MASK
    word = word ^ (word >> 31)
    # Half a step off zero, as logarithms are taken of it.
    return ((word >> 12) + 0.5) * 2.0**-52


def beta(number: float, a: float, b: float) -> float:
    """Return a Beta(a, b) number, a and b at least 1, from a uniform one in [0, 1).

    The rejection method BB of Cheng (Comm. ACM 21, 1978) on further uniform numbers; by inversion
    where a or b is 1.
    """
    if a <= 1.0:
        return 1.0 - math.exp(math.log(further(number, 1)) / b)
    if b <= 1.0:
        return math.exp(math.log(further(number, 1)) / a)
    total, least, most = a + b, min(a, b), max(a, b)
    scale = math.sqrt((total - 2.0) / (2.0 * a * b - total))
    gamma = least + 1.0 / scale
    w, i, rejected = 0.0, 1, True
    while rejected:
        u = further(number, i)
        v = scale * math.log(u / (1.0 - u))
        w = least * math.exp(v)
        z = u * u * further(number, i + 1)
        r = gamma * v - _LOG_4
        s = least + r - w
        # What is no number (an arm without pulls) ends the loop: every comparison with it fails.
        rejected = s + 1.0 + _LOG_5 < 5.0 * z
        if rejected:
            log = math.log(z)
            rejected = s < log and r + total * math.log(total / (most + w)) < log
        i += 2
    return (w if a <= b else most) / (most + w)
