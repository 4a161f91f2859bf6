"""Counter-based random numbers: the reward tapes that all policies share (docs/design.md).

The word of an arm's n-th pull is ``mix(key[replicate, arm] + n * WEYL)``: a Weyl sequence through a
bijective finaliser (the "splitmix" construction of Steele, Lea and Flood, OOPSLA 2014).  Normals
come from it by the ziggurat of Marsaglia and Tsang (J. Stat. Softw. 5(8), 2000).
"""

import math
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np
from numba import njit

from penalized_bandits.common.errors import MOST_ROUNDS, whole
from penalized_bandits.common.typing import FloatArray, UIntArray
from penalized_bandits.policies import ziggurat

WEYL = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_ARM_STEP = np.uint64(0xD1342543DE82EF95)
_U8, _U11, _U27, _U30, _U31 = (np.uint64(s) for s in (8, 11, 27, 30, 31))
_ONE, _LAYER_MASK, _LAYER_AND_SIGN = (np.uint64(n) for n in (1, 255, 511))
_UNIT = 1.0 / (1 << 53)

# Constants of binary64: see log_of_unit and exp_of_negative.
_EXPONENT_TO_FLOAT = np.int64(0x4330000000000000)
_EXPONENT_OFFSET = float(2**52 + 1022)
_FRACTION_BITS = np.int64(0x000FFFFFFFFFFFFF)
_HALF_BITS = np.int64(0x3FE0000000000000)
_ROOT_HALF = math.sqrt(0.5)
_LOG2_E = 1.0 / math.log(2.0)
_ROUND = 1.5 * 2.0**52
_EXP = tuple(1.0 / math.factorial(i) for i in range(15))
# log 2 in two parts, the first with so few bits that its multiples are exact.
_LN2_HIGH = float.fromhex("0x1.62e42fep-1")
_LN2_LOW = float.fromhex("0x1.f473de6af278fp-30")

NOISE_STREAM = "noise of the policy"
"""Name that separates a policy's own random numbers from the rewards of its stream."""
DELAY_STREAM = "delays of the rewards"


def _mix(word: Any) -> Any:
    """Scramble one 64-bit word, or each of an array, bijectively."""
    word = (word ^ (word >> _U30)) * _MULTIPLIER_1
    word = (word ^ (word >> _U27)) * _MULTIPLIER_2
    return word ^ (word >> _U31)


mix = njit(forceinline=True)(_mix)


@njit(forceinline=True)
def unit(word: np.uint64) -> float:
    """Turn a word into a number in [0, 1) with 53 random bits."""
    return np.float64(np.int64(word >> _U11)) * _UNIT


@njit(forceinline=True)
def tape_key(key: np.uint64, arm: int) -> np.uint64:
    """Return the key, still to be mixed, of an arm's tape in a replicate."""
    return key + (np.uint64(arm) + _ONE) * _ARM_STEP


@dataclass(frozen=True)
class Stream:
    """Random numbers of replicates: they depend on seed, names and a replicate's number alone.

    So any split into parts gives the same.  Raises BanditError if a number is out of range.
    """

    seed: int = 0
    """Master seed."""
    names: tuple[str, ...] = ()
    """Experiment, case, ...: others, such as ``("setting_1", "K5")``, give unrelated numbers."""
    first_replicate: int = 0
    """Number of the first replicate; rows of varying means or penalties begin with it."""

    def __post_init__(self) -> None:
        first = whole("first_replicate", self.first_replicate, 0, MOST_ROUNDS)
        seed = whole("seed", self.seed)
        self.__dict__.update(seed=seed, names=tuple(self.names), first_replicate=first)

    def named(self, *names: str) -> "Stream":
        """Return the stream with more names."""
        return replace(self, names=(*self.names, *names))

    @property
    def key(self) -> int:
        """Hash of seed and names, in [0, 2**64)."""
        # Lengths in front: ("a", "bc") must not read like ("ab", "c").
        text = "".join(f"{len(part)}:{part}" for part in (str(self.seed), *self.names))
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")

    def replicate_keys(self, start: int, n: int) -> UIntArray:
        """Return the keys of n replicates, from ``start`` after the first on, shape (n,)."""
        numbers = np.arange(1, n + 1, dtype=np.uint64) + np.uint64(self.first_replicate + start)
        return _mix(np.uint64(self.key) + numbers * WEYL)

    def arm_keys(self, start: int, n: int, n_arms: int) -> UIntArray:
        """Return the mixed key of each (arm, replicate) reward tape, shape (K, n)."""
        steps = np.arange(1, n_arms + 1, dtype=np.uint64)[:, None] * _ARM_STEP
        return _mix(self.replicate_keys(start, n) + steps)

    def uniforms(self, n: int, n_arms: int) -> FloatArray:
        """Draw one U[0, 1) number for each of n replicates and each arm, shape (n, K)."""
        keys = self.arm_keys(0, n, n_arms)
        return np.ascontiguousarray(keys.T >> _U11).astype(np.float64) * _UNIT


NO_NAMES = Stream()
"""The stream of `simulate` with seed 0."""


@njit(error_model="numpy")
def normal_rejected(word: np.uint64) -> float:
    """Finish the draw of a standard normal from any word, rejections included.

    The C library's functions differ between processors.  Tables are constants: that is fastest.
    """
    edges, heights = ziggurat.ZIGGURAT_EDGES, ziggurat.ZIGGURAT_HEIGHTS
    while True:
        layer = np.int64(word & _LAYER_MASK)
        sign = 1.0 - 2.0 * np.float64(np.int64((word >> _U8) & _ONE))
        x = unit(word) * edges[layer]
        if x < edges[layer + 1]:
            return sign * x
        word = mix(word + WEYL)
        if layer == 0:  # the tail beyond edges[1], by two exponentials
            while True:
                a = -log_of_unit(1.0 - unit(word)) / edges[1]
                word = mix(word + WEYL)
                b = -log_of_unit(1.0 - unit(word))
                word = mix(word + WEYL)
                if b + b > a * a:
                    return sign * (edges[1] + a)
        height = heights[layer] + unit(word) * (heights[layer + 1] - heights[layer])
        if height < exp_of_negative(-0.5 * x * x):
            return sign * x
        word = mix(word + WEYL)


@njit(forceinline=True)
def normal_first_try(word: np.uint64) -> tuple[float, int]:
    """Draw a standard normal from its first word: (value, 1 if it must be redone)."""
    layer_and_sign = word & _LAYER_AND_SIGN
    bits = np.int64(word >> _U11)
    value = np.float64(bits) * ziggurat.FIRST_FACTORS[layer_and_sign]
    return value, (0 if bits < ziggurat.FIRST_LIMITS[layer_and_sign] else 1)


@njit(forceinline=True, error_model="numpy")
def log_of_unit(u: float) -> float:
    """Natural logarithm in (0, 1], to a few last units: vector code, the same on all machines."""
    bits = np.float64(u).view(np.int64)
    # u = fraction * 2^exponent with the fraction in [sqrt(1/2), sqrt(2)).
    exponent = np.int64((bits >> 52) | _EXPONENT_TO_FLOAT).view(np.float64) - _EXPONENT_OFFSET
    fraction = np.int64((bits & _FRACTION_BITS) | _HALF_BITS).view(np.float64)
    small = fraction < _ROOT_HALF
    fraction = fraction + fraction if small else fraction
    exponent = exponent - 1.0 if small else exponent
    # log f = 2 artanh s, by its Taylor series: |s| < 0.172.
    s = (fraction - 1.0) / (fraction + 1.0)
    z = s * s
    series = 1.0 / 23.0
    for i in range(11):
        series = series * z + 1.0 / (21.0 - 2.0 * i)
    return exponent * _LN2_HIGH + (exponent * _LN2_LOW + (s + s) * series)


@njit(forceinline=True, error_model="numpy")
def exp_of_negative(t: float) -> float:
    """Exponential of a number at most 0, to a few units in the last place; at least 3e-308."""
    t = t if t > -708.0 else -708.0  # max() would keep loops from becoming vector code
    # exp t = 2^k exp r with |r| < 0.35; adding the constant rounds to a whole k.
    shifted = t * _LOG2_E + _ROUND
    k = shifted - _ROUND
    r = (t - k * _LN2_HIGH) - k * _LN2_LOW
    series = _EXP[14]
    for i in range(13, -1, -1):
        series = series * r + _EXP[i]
    power = np.int64((np.float64(shifted).view(np.int64) + 1023) << 52).view(np.float64)
    return series * power


@njit(forceinline=True, error_model="numpy")
def beta_first_try(word: np.uint64, mean: float) -> tuple[float, int]:
    """Draw from Beta(mean, 1 - mean) as Jöhnk (1964): (value, 1 if it must be redone)."""
    # Half a step off zero: u = 0 would make both powers vanish.
    u = unit(word) + 0.5 * _UNIT
    v = unit(mix(word + WEYL)) + 0.5 * _UNIT
    x = exp_of_negative(log_of_unit(u) / mean)
    y = exp_of_negative(log_of_unit(v) / (1.0 - mean))
    certain = mean <= 0.0 or mean >= 1.0
    return mean if certain else x / (x + y), 0 if certain or x + y <= 1.0 else 1


@njit(error_model="numpy")
def beta_rejected(word: np.uint64, mean: float) -> float:
    """Finish the draw of a Beta(mean, 1 - mean) whose first try was rejected."""
    while True:
        word = mix(mix(word + WEYL) + WEYL)
        value, again = beta_first_try(word, mean)
        if not again:
            return value


@njit(forceinline=True, error_model="numpy")
def heavy_tailed(word: np.uint64, tail: float) -> float:
    """Draw a symmetric number with P(|x| > a) = (1 + a)^-tail, by inversion."""
    u = unit(word) + 0.5 * _UNIT
    # Bits that ``unit`` does not look at.
    sign = 1.0 - 2.0 * np.float64(np.int64((word >> _U8) & _ONE))
    return sign * (1.0 / exp_of_negative(log_of_unit(u) / tail) - 1.0)
