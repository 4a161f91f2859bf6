"""Arms that are fair in the sense of Theorem 4.1, or nearly so."""

import numpy as np

from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.storage.replicates import Outcome

TOLERANCE = 0.01
"""An arm is nearly fair if it lacks at most this share of its level, or one pull."""
SURE = 0.9
"""Probability above which arms are kept fair."""
HALF = 0.5


def whole_levels(outcome: Outcome) -> FloatArray:
    """Return floor(tau_k T), shape (K,); a level that is whole but for rounding counts as whole."""
    return np.floor(outcome.fairness * outcome.horizon + 1e-9)


def all_served(outcome: Outcome, arms: BoolArray | bool = True) -> BoolArray:
    """Whether all of some arms (R, K) have floor(tau_k T) pulls (Theorem 4.1), shape (R,)."""
    return np.asarray(((outcome.pulls >= whole_levels(outcome)) | ~np.asarray(arms)).all(axis=1))


def fair_arms(outcome: Outcome) -> BoolArray:
    """Return which arms are nearly fair in each replicate, shape (R, K)."""
    level = outcome.fairness * outcome.horizon
    return outcome.pulls >= level - np.maximum(TOLERANCE * level, 1.0)
