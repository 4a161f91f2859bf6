"""Random words, uniforms and normals: laws, independence, and tables.

Tests of a law fail by chance with probability ``LEVEL`` for one random seed; seeds are
fixed, so a failure means that the numbers changed.  With fewer than 100 such tests in
this file, all pass for a right generator with probability above 0.9.
"""

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from numba import njit
from scipy import stats

from penalized_bandits.common.typing import FloatArray, UIntArray
from penalized_bandits.engine.streams import (
    WEYL,
    Stream,
    exp_of_negative,
    log_of_unit,
    mix,
    normal_first_try,
    normal_rejected,
    unit,
)
from penalized_bandits.policies import ziggurat

LEVEL = 1e-3


@njit
def _tape(key: np.uint64, size: int) -> UIntArray:
    words = np.empty(size, np.uint64)
    for n in range(size):
        words[n] = mix(key + np.uint64(n + 1) * WEYL)
    return words


@njit
def _units(words: UIntArray) -> FloatArray:
    return np.array([unit(w) for w in words])


@njit
def _normals(words: UIntArray) -> FloatArray:
    drawn = np.empty(words.size)
    for i in range(words.size):
        z, again = normal_first_try(words[i])
        drawn[i] = normal_rejected(words[i]) if again else z
    return drawn


def words(name: str, size: int, replicate: int = 0) -> UIntArray:
    return _tape(Stream(1, (name,)).arm_keys(replicate, 1, 1)[0, 0], size)


def test_unit_has_53_bits() -> None:
    top = np.array([0, (1 << 11) - 1, 1 << 11, (1 << 64) - 1], dtype=np.uint64)
    assert _units(top).tolist() == [0.0, 0.0, 2.0**-53, 1 - 2.0**-53]


def test_published_splitmix64() -> None:
    # The first outputs of the reference implementation for seed 1234567
    # (https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64).
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert _tape(np.uint64(1234567), 3).tolist() == expected


def test_tapes_of_neighbours_are_independent() -> None:
    keys = Stream(1, ("tapes",)).arm_keys(0, 3, 3)
    tapes = [_units(_tape(key, 50_000)) for key in keys.ravel()]
    # A sample correlation of independent data has the standard error 1 / sqrt(n).
    z = [
        abs(np.corrcoef(one[lag:], other[: 50_000 - lag])[0, 1]) * math.sqrt(50_000 - lag)
        for one, other in permutations(tapes, 2)
        for lag in (0, 1)
    ]
    assert max(z) < stats.norm.isf(LEVEL / 2 / len(z))


def test_replicates_may_be_split() -> None:
    stream = Stream(7, ("split",))
    whole = stream.uniforms(50, 6)
    np.testing.assert_array_equal(whole[20:], replace(stream, first_replicate=20).uniforms(30, 6))
    assert stats.kstest(whole.ravel(), "uniform").pvalue > LEVEL
    # More arms add columns and change none.
    np.testing.assert_array_equal(whole, stream.uniforms(50, 9)[:, :6])


def test_stream_keys() -> None:
    seeds = [0, 1, -1, 2**64]
    names = [("",), ("a", "bc"), ("ab", "c"), ("abc",), ("abc", ""), ("", "abc"), ("c", "ab")]
    streams = [*map(Stream, seeds), *(Stream(0, parts) for parts in names)]
    streams += [Stream(1, ("a", "bc")), Stream(11, ("a",)), Stream(1, ("1a",))]
    keys = [stream.key for stream in streams]
    assert len(set(keys)) == len(keys)
    assert all(0 <= key < 2**64 for key in keys)
    # Results of the paper stand on these: a changed hash would change every table.
    assert Stream(20250301, ("setting_1", "K5_tau0.2")).key == 10228665380661544579


def test_normals_in_every_layer_of_the_ziggurat() -> None:
    # Cells between the edges of the layers: a layer in error would show in its own cell.
    z = np.abs(_normals(words("layers", 2_000_000)))
    edges = ziggurat.ZIGGURAT_EDGES[:0:-1]  # 0 = x_256 < ... < x_1
    counts = np.histogram(z, bins=[*edges, np.inf])[0]
    expected = np.diff(2 * stats.norm.cdf([*edges, np.inf])) * z.size
    # The tail cell expects about 516 draws.
    assert expected.min() > 100
    assert stats.chisquare(counts, expected).pvalue > LEVEL


def test_normals_beyond_the_last_edge() -> None:
    # Words of layer 0 make the tail frequent: keep those, and draws beyond the edge only.
    w = words("tail", 2_000_000)
    z = _normals(w & ~np.uint64(255))
    edge = ziggurat.ZIGGURAT_EDGES[1]
    tail = z[np.abs(z) > edge]
    assert tail.size > 50_000
    # Given |z| > edge the survival function at |z| is uniform, and the sign is fair.
    u = stats.norm.sf(np.abs(tail)) / stats.norm.sf(edge)
    assert stats.kstest(u, "uniform").pvalue > LEVEL
    assert stats.binomtest(int((tail > 0).sum()), tail.size).pvalue > LEVEL


def test_ziggurat_layers_have_equal_areas() -> None:
    x, y = ziggurat.ZIGGURAT_EDGES, ziggurat.ZIGGURAT_HEIGHTS
    assert x.shape == y.shape == (ziggurat.N_LAYERS + 1,)
    assert (np.diff(x) < 0).all()
    assert x[-1] == 0.0
    np.testing.assert_allclose(y, np.exp(-(x**2) / 2), rtol=1e-14)
    # Layer i from 1: width x_i, height y_(i+1) - y_i; the base: a rectangle and the tail.
    areas = x[1:-1] * np.diff(y[1:])
    base = x[1] * y[1] + math.sqrt(2 * math.pi) * stats.norm.sf(x[1])
    # The areas are computed from differences of heights below 1, each rounded to 2^-53:
    # relative to an area of 0.005 that is 4e-14 for the widest layer.  The constants have
    # 17 digits, and their error adds up from layer to layer: the last one shows it.
    np.testing.assert_allclose(areas, base, rtol=1e-12)
    assert x[0] * y[1] == pytest.approx(base, rel=1e-12)


@njit
def _each(function: int, numbers: FloatArray) -> FloatArray:
    values = np.empty_like(numbers)
    for i in range(len(numbers)):
        values[i] = log_of_unit(numbers[i]) if function == 0 else exp_of_negative(numbers[i])
    return values


def _ulps(found: FloatArray, right: FloatArray) -> float:
    return float(np.max(np.abs(found - right) / np.spacing(np.abs(right))))


def test_logarithm_is_right_to_the_last_places() -> None:
    generator = np.random.default_rng(5)
    near_one = 1 - 2.0**-53 * generator.integers(1, 10**6, 10**4)
    tiny = 2.0**-54 * generator.integers(1, 10**6, 10**4)
    edges = np.array([0.5, math.sqrt(0.5), np.nextafter(math.sqrt(0.5), 0), 0.25, 2.0**-54])
    numbers = np.concatenate([generator.random(10**5) + 2.0**-54, near_one, tiny, edges])
    numbers = numbers[numbers < 1].astype(np.float64)
    assert _ulps(_each(0, numbers), np.log(numbers)) <= 3


def test_exponential_is_right_to_the_last_places() -> None:
    generator = np.random.default_rng(6)
    numbers = -np.concatenate(
        [generator.random(10**5) * 708, generator.random(10**5), [0.0, 1e-300, 1e-17, 708.0]]
    )
    assert _ulps(_each(1, numbers), np.exp(numbers)) <= 2
    least = _each(1, np.array([-708.0, -709.0, -1e6, -1e300, -np.inf]))
    assert (least == least[0]).all()
