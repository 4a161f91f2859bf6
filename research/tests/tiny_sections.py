"""What the research declares, its small sections, and small scenarios of each of its sets."""

from pathlib import Path
from typing import Any

import penalized_research
from penalized_replication.claims import entries_of
from penalized_replication.figures import by_id
from penalized_research.figures import FIGURES

NAME = "penalized_research"
HOME = Path(penalized_research.__file__).parent
ENTRIES = entries_of(HOME / "claims/claims.yaml", NAME)
_STUDIES = {"stairs": "ceilings", "renewed_floors": "changing"}
CLAIMS_OF: dict[str, list[str]] = {x: [] for x in ("extended", "sharp", *_STUDIES.values())}
"""Claims of the four sets."""
for _name, _entry in sorted(ENTRIES.items()):
    _other = "extended" if _name[0] == "E" else "sharp"
    CLAIMS_OF[_STUDIES.get(_entry.experiments[0], _other)].append(_name)
DRAWN = by_id(*FIGURES, package=NAME)

POLICIES = ["hard_threshold_ucb", "lfg", "fair_learn", "ucb1", "soft_threshold_ucb"]
POLICIES += ["hard_threshold_sigma", "kl_hard_threshold"]
_ALL: dict[str, Any] = {"replicates": 6, "policies": POLICIES}
_SHORT = {"horizons": [100, 400]}
_CELL = {**_ALL, "arms": [5], "fairness": [0.4]}
_FIVE = {**_CELL, "fairness": 0.4}
_REGRET = {**_CELL, "horizons": [400], "m0": [2500], "tuning_values": 2}
_TRADEOFF = {**_ALL, "horizon": 400, "tuning_values": 4}
ONE = {"means": [0.9, 0.5], "fairness": [0.2, 0.1], "penalties": [1.0, 0.2]}
_LONG: dict[str, Any] = {
    "replicates": 6,
    "horizons": [50, 100, 4000, 8000, 16000],
    "cases": {"one": ONE, "all_critical": {**ONE, "penalties": [1.0, 1.0]}},
    "m0": [2500],
    "fairness": 0.5,
}
TINY_EXTENDED: dict[str, Any] = {
    "extended_1": {**_CELL, **_SHORT, "tuning_values": 2},
    "extended_regret": {**_REGRET, "rewards": ["gaussian", "beta", "bernoulli"]},
    "extended_3": {**_TRADEOFF, "fairness": 0.5, "m0": [2500]},
    "extended_5": {**_TRADEOFF, "arms": [5], "fairness": [0.5], "rewards": ["bernoulli"]},
    "long_runs": {**_LONG, "policies": [*POLICIES[:1], *POLICIES[4:6], "hard_threshold_variance"]},
    "long_runs_kl": {**_LONG, "policies": ["fair_learn"]},
    "heterogeneous_penalties": {**_CELL, **_SHORT},
    "shrinking_fairness": {**_ALL, **_SHORT, "arms": [5], "powers": [0.5]},
    "heavy_tails": {**_FIVE, **_SHORT, "policies": POLICIES[:5], "tails": [1.5, 10.0]},
    "many_arms": {**_ALL, **_SHORT, "m0": [2000], "fairness": 0.5},
}

BANDIT: dict[str, Any] = {
    "means": [0.75, 0.25, 0.5],
    "fairness": [0.2, 0.2, 0.2],
    "penalties": [0.5, 0.25, 0.5],
}
"""Arm 2 has Δ − A = 0.25, arm 3 has A − Δ = 0.25."""
CHEAP = ["hard_threshold_ucb", "hard_threshold_sigma", "soft_threshold_ucb"]
_COMMON: dict[str, Any] = {"replicates": 6, "instances": {"one": BANDIT}}
_KL = {**_COMMON, "policies": ["kl_hard_threshold"]}
RULES = ["hard_threshold_ucb", "moss_hard_threshold", "kl_hard_threshold"]
_WORST: dict[str, Any] = {"replicates": 6, "arms": [3], "free": [0.5, 0.01, 0]}
_FLOORS: dict[str, Any] = {
    "replicates": 6,
    "policies": ["hard_threshold_ucb", "moss_due_first"],
    "horizons": [2000],
    "free": [0.5, 0.01],
    "rates": [1, 2],
}
RATED = {
    "ratings": [[8, 25, 148, 589, 1457], [16, 54, 169, 180, 51], [29, 54, 128, 87, 25]],
    "fairness": [0.1, 0.1, 0.1],
    "penalties": [0.1, 0.1, 0.1],
}
TINY_SHARP: dict[str, Any] = {
    "sharp_short": {
        "replicates": 6,
        "policies": CHEAP,
        "horizons": [100, 31_000, 40_000],
        "instances": {"one": BANDIT, "many": {**BANDIT, "copies": [1, 2, 1], "sd": 0.5}},
        "m0": [2750],
    },
    "sharp_long": {**_COMMON, "policies": CHEAP, "horizons": [100_000], "checkpoints": [30_000]},
    "sharp_kl": {**_KL, "horizons": [31_000, 35_000, 40_000], "checkpoints": [30_000]},
    "sharp_longest": {**_COMMON, "policies": CHEAP[:2], "horizons": [1000, 2000]},
    "sharp_longest_kl": {**_KL, "horizons": [1000]},
    "narrow_radius": {
        "replicates": 50,
        "policies": ["hard_threshold_ucb"],
        "horizons": [100, 1000],
        "instances": {"one": {**BANDIT, "sd": 3.0}},
    },
    "sharp_ratings": {
        "replicates": 6,
        "policies": ["empirical_kl_hard_threshold_log", "kl_hard_threshold", "hard_threshold_ucb"],
        "horizons": [31_000, 35_000, 40_000],
        "instances": {"one": RATED},
        "m0": [2750],
    },
    "minimax": {**_WORST, "policies": RULES[:2], "horizons": [1000, 10_000]},
    "minimax_long": {**_WORST, "policies": RULES[:2], "horizons": [30_000]},
    "minimax_policies": {**_WORST, "policies": RULES, "horizons": [1000, 10_000]},
    "floors": {**_FLOORS, "arms": [2, 10]},
    "floors_many": {**_FLOORS, "arms": [20]},
}

FULL: dict[str, Any] = {"means": [0.9, 0.5], "fairness": [0.5, 0.5], "penalties": [1.0, 0.2]}
CAPPED: dict[str, Any] = {"means": [0.9, 0.7, 0.4], "fairness": [0, 0, 0], "penalties": [0, 0, 0]}
SOFT = {**CAPPED, "ceilings": [0.3, 0.3, 0.3], "excess_penalties": [0.1, 0.4, 0.4]}
TINY_CEILINGS: dict[str, Any] = {
    "stairs": {
        "replicates": 6,
        "policies": ["hard_threshold_ucb", "kl_hard_threshold"],
        "horizons": [1000, 4000, 16_000],
        "instances": {
            "both": {**SOFT, "fairness": [0.1, 0, 0.1], "penalties": [0.2, 0, 0.6]},
            "caps": {**SOFT, "ceilings": [0.5] * 3, "excess_penalties": ["hard"] * 3},
            "ceilings": SOFT,
            "full": FULL,
        },
    }
}
_RENEWED = {"replicates": 6, "policies": ["hard_threshold_ucb", "forgetting_threshold"]}
TINY_CHANGING: dict[str, Any] = {"renewed_floors": {**_RENEWED, "horizons": [9000, 27_000]}}
TINY = TINY_EXTENDED | TINY_SHARP | TINY_CEILINGS | TINY_CHANGING

SEEDS = (11, 12)
_CONFIRMED = "heterogeneous_penalties"
TINY_SETS: dict[str, dict[str, Any]] = {
    "extended": {"extended": TINY_EXTENDED},
    "sharp": {"sharp": TINY_SHARP},
    "ceilings": {"ceilings": TINY_CEILINGS},
    "changing": {"changing": TINY_CHANGING},
    "confirm": {
        "together": True,
        **{
            f"confirm_{s}": {"seed": s, "new_bandits": True, _CONFIRMED: TINY_EXTENDED[_CONFIRMED]}
            for s in SEEDS
        },
    },
}
"""As ``scenarios.yaml`` of the research has them."""
