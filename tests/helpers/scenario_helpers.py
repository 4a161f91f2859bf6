"""Small scenarios of each set."""

from copy import deepcopy
from typing import Any

from extended_helpers import TINY_EXTENDED
from sharp_helpers import TINY_SHARP

SEEDS = (11, 12)
_CONFIRMED = {name: s for name, s in TINY_EXTENDED.items() if name != "changing_catalogue"}
TINY_SCENARIOS: dict[str, dict[str, Any]] = {
    "readings": {
        "log_of": {"readings": {"log_of": "n-1"}},
        "lfg": {"readings": {"lfg": "original"}},
    },
    "seeds": {"seed_1": {"seed": 1}},
    "extended": {"extended": TINY_EXTENDED},
    "sharp": {"sharp": TINY_SHARP},
    "confirm": {
        f"confirm_{seed}": {"seed": seed, "new_bandits": True, **deepcopy(_CONFIRMED)}
        for seed in SEEDS
    },
}
"""As ``config/scenarios.yaml`` has them."""
