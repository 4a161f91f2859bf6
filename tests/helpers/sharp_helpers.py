"""Small configs of the sharp studies."""

from typing import Any

BANDIT: dict[str, Any] = {
    "means": [0.75, 0.25, 0.5],
    "fairness": [0.2, 0.2, 0.2],
    "penalties": [0.5, 0.25, 0.5],
}
"""Arm 2 has Δ − A = 0.25, arm 3 has A − Δ = 0.25."""
CHEAP = ["hard_threshold_ucb", "hard_threshold_sigma", "soft_threshold_ucb"]
_COMMON: dict[str, Any] = {"replicates": 6, "instances": {"one": BANDIT}}
RULES = ["hard_threshold_ucb", "moss_hard_threshold", "kl_hard_threshold"]
_WORST: dict[str, Any] = {"replicates": 6, "arms": [3], "free": [0.5, 0.01, 0]}
TINY_SHARP: dict[str, Any] = {
    "sharp_short": {
        "replicates": 6,
        "policies": CHEAP,
        "horizons": [100, 31_000, 40_000],
        "instances": {"one": BANDIT, "many": {**BANDIT, "copies": [1, 2, 1], "sd": 0.5}},
        "m0": [2750],
    },
    "sharp_long": {**_COMMON, "policies": CHEAP, "horizons": [100_000], "checkpoints": [30_000]},
    "sharp_kl": {
        **_COMMON,
        "policies": ["kl_hard_threshold"],
        "horizons": [31_000, 35_000, 40_000],
        "checkpoints": [30_000],
    },
    "sharp_longest": {**_COMMON, "policies": CHEAP[:2], "horizons": [1000, 2000]},
    "sharp_longest_kl": {**_COMMON, "policies": ["kl_hard_threshold"], "horizons": [1000]},
    "narrow_radius": {
        "replicates": 50,
        "policies": ["hard_threshold_ucb"],
        "horizons": [100, 1000],
        "instances": {"one": {**BANDIT, "sd": 3.0}},
    },
    "minimax": {**_WORST, "policies": RULES[:2], "horizons": [1000, 10_000]},
    "minimax_long": {**_WORST, "policies": RULES[:2], "horizons": [30_000]},
    "minimax_policies": {**_WORST, "policies": RULES, "horizons": [1000, 10_000]},
}
