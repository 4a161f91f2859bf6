"""Agreement with the fluid prediction: how often it is found, and how often rivals are noticed."""

from dataclasses import replace

import numpy as np
import pytest

from penalized_bandits.claims.measures.fluid_law import Track, agreement, rivals_noticed
from penalized_bandits.common.typing import FloatArray

HORIZONS = np.array([1e4, 31_623, 1e5, 316_228, 1e6])
RUNS = 400


def track(generator: np.random.Generator, spread: float, factor: FloatArray | float = 1.0) -> Track:
    """Thirty replicates around a curve that grows like log T, times a factor."""
    curve = 20 * np.log(HORIZONS)
    centres = curve * factor
    seen = [generator.normal(centre, spread * centre, 30) for centre in centres]
    return Track("made up", HORIZONS, seen, list(curve))


def shares(spread: float, factor: FloatArray | float) -> dict[str, float]:
    """How often agreement is found, and how often it is refuted."""
    generator = np.random.default_rng(4)
    found = [agreement(track(generator, spread, factor)).status for _ in range(RUNS)]
    return {status: found.count(status) / RUNS for status in ("holds", "fails")}


def test_what_agrees_is_found_to_agree() -> None:
    assert shares(0.05, 1.0)["holds"] == 1
    # Too noisy to say: an interval wider than the margin decides nothing.
    assert shares(0.6, 1.0)["holds"] == 0
    assert shares(0.6, 1.0)["fails"] < 0.05 + 3 * np.sqrt(0.05 * 0.95 / RUNS)


@pytest.mark.parametrize("factor", [1.1, 0.9])
def test_another_constant_is_refuted(factor: float) -> None:
    assert shares(0.05, factor)["fails"] > 0.99


@pytest.mark.parametrize(
    ("rival", "factor"),
    [
        ("log² T", np.log(HORIZONS)),
        ("log T log log T", np.log(np.log(HORIZONS))),
    ],
)
@pytest.mark.parametrize("spread", [0.05, 0.3])
def test_rivals_are_noticed_as_often_as_said(rival: str, factor: FloatArray, spread: float) -> None:
    said = np.mean(
        [rivals_noticed(track(np.random.default_rng(i), spread))[rival] for i in range(20)]
    )
    noticed = 1 - shares(spread, factor / factor.mean())["holds"]
    # Three standard errors, and the error of normal quantiles with 29 degrees of freedom.
    assert noticed == pytest.approx(said, abs=3 * np.sqrt(0.25 / RUNS) + 0.02)


def test_the_ratio_of_means_weighs_bandits_by_what_they_cost() -> None:
    """Replicates of which half cost ten times as much, each exactly as predicted."""
    wanted = np.tile([1.0, 10.0], 15)
    found = Track("two kinds", HORIZONS, [wanted.copy()] * 5, [wanted] * 5)
    assert found.ratios() == pytest.approx(1)
    assert found.error_of(np.eye(5)) == pytest.approx(0, abs=1e-12)
    assert agreement(found).status == "holds"


def test_horizons_of_the_same_runs_are_not_independent() -> None:
    """Runs that are off by one share throughout: five horizons say no more than one."""
    generator, curve = np.random.default_rng(3), 20 * np.log(HORIZONS)
    off = generator.normal(1.0, 0.1, 30)
    same = Track("same", HORIZONS, [c * off for c in curve], list(curve), same_runs=True)
    both = np.stack([np.full(5, 0.2), np.array([-1.0, 0, 0, 0, 1.0])])
    of_one = off.std(ddof=1) / np.sqrt(30)
    assert same.error_of(both) == pytest.approx([of_one, 0.0], abs=1e-12)
    apart = replace(same, same_runs=False)
    assert apart.error_of(both)[0] == pytest.approx(of_one / np.sqrt(5))
    half = same.quantile * of_one
    part = agreement(same)
    assert (part.low, part.high) == pytest.approx((off.mean() - half, off.mean() + half))
    assert same.quantile == pytest.approx(2.045, abs=5e-4)


def test_two_horizons_make_no_law() -> None:
    made = track(np.random.default_rng(0), 0.1)
    short = Track("short", HORIZONS[:2], made.measured[:2], made.predicted[:2])
    assert agreement(short).status == "undecided"
