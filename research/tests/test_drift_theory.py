"""Theorems B, C, D and S, Foresight and the Lemma: steps of the proofs, exactly or on a grid."""

from itertools import combinations, product

import numpy as np
import pytest

from strategies import kl


@pytest.mark.parametrize("shares", [(1, 2), (3, 0), (1, 1, 2), (2, 0, 1), (1, 1, 1, 1)])
def test_due_first_in_every_window(shares: tuple[int, ...]) -> None:
    """Theorem D on all paths of six rounds, floors shares / 4: pulls, due pulls, missing pulls."""
    arms, paths = np.arange(len(shares)), [((), np.zeros(len(shares), int))]
    for _ in range(6):
        paths = [
            ((*path, (arm, (debt >= 4).any())), np.maximum(debt - 4 * (arms == arm), 0))
            for path, debt in [(path, debt + shares) for path, debt in paths]
            for arm in (arms[debt >= 4] if (debt >= 4).any() else arms)
        ]
    arm, due = np.moveaxis(np.array([path for path, _ in paths]), 2, 0)[..., None]
    pulls = arm == arms
    for start, end in combinations(range(7), 2):
        level = np.array(shares) * (end - start) / 4
        made, forced = (each[:, start:end].sum(axis=1) for each in (pulls, pulls & (due == 1)))
        assert max((level - made).max(), (forced - level).max()) < len(shares) - 1
        assert end - start != 4 or np.maximum(level - made, 0).sum(axis=1).max() <= len(shares) - 2


@pytest.mark.parametrize("seed", range(20))
def test_slots_and_foresight(seed: int) -> None:
    """Two arms, a schedule within 1 of pro rata: the Lemma's sum, and a prophet's gain."""
    rng = np.random.default_rng(seed)
    means, rates = np.repeat(rng.random((6, 2)), 3, axis=0), rng.random(2)
    gaps = means.max(axis=1, keepdims=True) - means
    plan = np.tile(rng.permutation([0, 1, 2]), 6)
    slots, pro_rata = plan[:, None] == np.arange(2), np.minimum(gaps, rates) / 3
    rho = ((slots - 1 / 3) * gaps).sum()
    above = np.maximum(gaps - rates, 0).sum() / 3
    assert gaps[slots].sum() - pro_rata.sum() == pytest.approx(rho + above)
    assert abs(rho) <= np.abs(np.diff(gaps, axis=0)).sum() + 1e-12
    paths = np.array(list(product(range(2), repeat=6)))
    short = np.maximum(2 - (paths[:, :, None] == np.arange(2)).sum(axis=1), 0)
    for own, paid in zip(gaps.reshape(3, 6, 2), pro_rata.reshape(3, 6, 2), strict=True):
        gain = paid.sum() - (own[np.arange(6), paths].sum(axis=1) + short @ rates).min()
        assert -1e-12 <= gain <= 2 * np.ptp(own, axis=0).sum() + 1e-12


def test_constants() -> None:
    optimum, gap = 2 ** (1 / 3) + 2 ** (-2 / 3), np.linspace(1e-3, 0.25, 200)
    assert max(optimum / 1.9, optimum * (12**2 * 24) ** (1 / 3) / 29) <= 1, "S.1, B"
    assert (kl(0.5 - gap, 0.5 + gap) <= 8.8 * gap**2).all()
    likely = 5 / 6 - np.sqrt(8.8 / 48)
    assert min(4 ** (1 / 3) * 29 / 45, 7 / 64 / 70.4 * 650, likely * 7 * 24 / 64) >= 1, "C.1 to C.3"
    gap, horizon = np.meshgrid(gap, np.geomspace(1, 1e6, 200))
    horizon = np.ceil(8 / gap**2 * horizon)
    blocks, least = np.ceil(gap * np.sqrt(horizon / 2)), np.sqrt(horizon) / 16
    size = np.floor(np.floor(horizon / 2) / blocks)
    likely = 1 - 2 * least / (gap * blocks * size) - np.sqrt(4.4 * gap * least / blocks)
    assert min(likely.min() / 0.28, (likely * gap * size / 2 / least).min()) >= 1, "C.4"
