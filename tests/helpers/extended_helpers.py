"""Small configs of all extended experiments."""

from typing import Any

POLICIES = [
    "hard_threshold_ucb",
    "lfg",
    "fair_learn",
    "ucb1",
    "soft_threshold_ucb",
    "hard_threshold_sigma",
    "kl_hard_threshold",
]
_ALL: dict[str, Any] = {"replicates": 6, "policies": POLICIES}
_SHORT = {"horizons": [100, 400]}
_FIVE = {**_ALL, "arms": [5], "fairness": 0.4}
ONE = {"means": [0.9, 0.5], "fairness": [0.2, 0.1], "penalties": [1.0, 0.2]}
_LONG: dict[str, Any] = {
    "replicates": 6,
    "horizons": [50, 100, 200, 400, 800],
    "cases": {
        "one": ONE,
        "all_critical": {**ONE, "penalties": [1.0, 1.0]},
    },
    "m0": [2500],
    "fairness": 0.5,
}
TINY_EXTENDED: dict[str, Any] = {
    "extended_1": {**_ALL, **_SHORT, "arms": [5], "fairness": [0.4], "tuning_values": 2},
    "extended_regret": {
        **_ALL,
        "arms": [5],
        "fairness": [0.4],
        "rewards": ["gaussian", "beta", "bernoulli"],
        "m0": [2500],
        "horizons": [400],
        "tuning_values": 2,
    },
    "extended_3": {**_ALL, "horizon": 400, "fairness": 0.5, "m0": [2500], "tuning_values": 4},
    "extended_5": {
        **_ALL,
        "horizon": 400,
        "arms": [5],
        "fairness": [0.5],
        "rewards": ["bernoulli"],
        "tuning_values": 4,
    },
    "long_runs": {**_LONG, "policies": [*POLICIES[:1], *POLICIES[4:6], "hard_threshold_variance"]},
    "long_runs_kl": {**_LONG, "policies": ["fair_learn"]},
    "heterogeneous_penalties": {**_ALL, **_SHORT, "arms": [5], "fairness": [0.4]},
    "shrinking_fairness": {**_ALL, **_SHORT, "arms": [5], "powers": [0.5]},
    "heavy_tails": {**_FIVE, **_SHORT, "policies": POLICIES[:5], "tails": [1.5, 10.0]},
    "many_arms": {**_ALL, **_SHORT, "m0": [2000], "fairness": 0.5},
    "changing_catalogue": {
        **_ALL,
        **_SHORT,
        "policies": [*POLICIES, "pond", "thompson_beta_hard_threshold"],
        "cases": {"one": ONE},
        "batches": [10],
        "available": 0.8,
    },
}
