"""A miniature of everything beyond the paper."""

from typing import Any

POLICIES = [
    "hard_threshold_ucb",
    "lfg",
    "fair_learn",
    "ucb1",
    "soft_threshold_ucb",
    "hard_threshold_sigma",
]
HORIZONS = [50, 100, 200, 400, 800]
TINY_EXTENDED: dict[str, Any] = {
    "extended_1": {
        "replicates": 6,
        "policies": POLICIES,
        "arms": [5],
        "fairness": [0.4],
        "horizons": [100, 400],
        "tuning_values": 2,
    },
    "extended_regret": {
        "replicates": 6,
        "policies": POLICIES,
        "arms": [5],
        "fairness": [0.4],
        "rewards": ["gaussian", "beta", "bernoulli"],
        "m0": [2500],
        "horizons": [400],
        "tuning_values": 2,
    },
    "extended_3": {
        "replicates": 6,
        "policies": POLICIES,
        "horizon": 400,
        "fairness": 0.5,
        "m0": [2500],
        "tuning_values": 4,
    },
    "extended_5": {
        "replicates": 6,
        "policies": POLICIES,
        "horizon": 400,
        "arms": [5],
        "fairness": [0.5],
        "rewards": ["bernoulli"],
        "tuning_values": 4,
    },
    "long_runs": {
        "replicates": 6,
        "policies": ["hard_threshold_ucb", "hard_threshold_sigma"],
        "horizons": HORIZONS,
        "cases": {
            "one": {"means": [0.9, 0.5], "fairness": [0.2, 0.1], "penalties": [1.0, 0.2]},
        },
        "m0": [2500],
        "fairness": 0.5,
    },
    "long_runs_kl": {
        "replicates": 6,
        "policies": ["fair_learn"],
        "horizons": HORIZONS,
        "cases": {
            "one": {"means": [0.9, 0.5], "fairness": [0.2, 0.1], "penalties": [1.0, 0.2]},
        },
        "m0": [2500],
        "fairness": 0.5,
    },
    "heterogeneous_penalties": {
        "replicates": 6,
        "policies": POLICIES,
        "arms": [5],
        "fairness": [0.4],
        "horizons": [100, 400],
    },
    "shrinking_fairness": {
        "replicates": 6,
        "policies": POLICIES,
        "arms": [5],
        "powers": [0.5],
        "horizons": [100, 400],
    },
    "heavy_tails": {
        "replicates": 6,
        "policies": POLICIES[:5],
        "arms": [5],
        "fairness": 0.4,
        "tails": [1.5, 10.0],
        "horizons": [100, 400],
    },
    "many_arms": {
        "replicates": 6,
        "policies": POLICIES,
        "m0": [2000],
        "fairness": 0.5,
        "horizons": [100, 400],
    },
}
