"""Small scenarios of each set."""

from typing import Any

from extended_helpers import TINY_EXTENDED
from sharp_helpers import TINY_SHARP

SEEDS = (11, 12)
_CONFIRMED = "heterogeneous_penalties"
TINY_SCENARIOS: dict[str, dict[str, Any]] = {
    "readings": {
        "log_of": {"readings": {"log_of": "n-1"}},
        "lfg": {"readings": {"lfg": "original"}},
    },
    "seeds": {"seed_1": {"seed": 1}},
    "extended": {"extended": TINY_EXTENDED},
    "sharp": {"sharp": TINY_SHARP},
    "confirm": {
        f"confirm_{s}": {"seed": s, "new_bandits": True, _CONFIRMED: {**TINY_EXTENDED[_CONFIRMED]}}
        for s in SEEDS
    },
}
"""As ``config/scenarios.yaml`` has them."""
