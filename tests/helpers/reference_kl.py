"""Upper bounds by KL and by K_inf, reimplemented from their sources: slow, and by other ways."""

import math
from typing import cast

import numpy as np
from scipy.optimize import brentq

from penalized_bandits.common.typing import FloatArray
from strategies import kl


def kl_bound(mean: float, level: float) -> float:
    high = math.nextafter(1.0, 0.0)
    if mean >= high or level == 0.0:
        return mean
    if kl(mean, high) <= level:
        return 1.0
    root = brentq(lambda q: kl(mean, q) - level, mean, high, xtol=1e-16)
    return cast("float", root)


def hats(rewards: list[float]) -> FloatArray:
    """Share rewards out to 0, 1/20, ..., 1, each to its neighbours but for rounding."""
    exact = 20 * np.clip(rewards, 0.0, 1.0)
    places = np.where(np.abs(exact - np.round(exact)) < 1e-6, np.round(exact), exact)
    return np.maximum(1 - np.abs(places[:, None] - np.arange(21)), 0.0).mean(axis=0)


def k_inf(law: FloatArray, mu: float) -> float:
    """Return max over 0 <= l <= 1 of E log(1 - l (X - mu) / (1 - mu)) (Honda and Takemura)."""
    seen = law > 0.0
    p, lag = law[seen], (np.arange(21)[seen] / 20 - mu) / (1 - mu)

    def slope(weight: float) -> float:
        return float(-(p * lag / (1 - weight * lag)).sum())

    if slope(0.0) <= 0.0:
        return 0.0
    last = 1.0 if lag[-1] < 1.0 else 1.0 - 1e-13
    best = last if slope(last) >= 0.0 else cast("float", brentq(slope, 0.0, last, xtol=1e-15))
    return float((p * np.log(1 - best * lag)).sum())


def empirical_bound(rewards: list[float], level: float) -> float:
    law = hats(rewards)
    low = float(law @ np.arange(21)) / 20
    high = 1 - 1e-12
    if level <= 0.0:
        return low
    if low >= high or k_inf(law, high) <= level:
        return 1.0
    return cast("float", brentq(lambda mu: k_inf(law, mu) - level, low, high, xtol=1e-14))
