"""Which choices of ours are made otherwise: T, tau and tuning grids of the trade-offs."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

CLAIM_OF = {"setting_3": "C28", "setting_5": "C31"}
"""The claim on each trade-off."""


@dataclass(frozen=True)
class Variant:
    """A trade-off with some of our choices made otherwise."""

    experiment: str
    changed: str
    """Which, for reading."""
    section: Mapping[str, Any]
    """Its section of the config."""


def variants_of(choices: Mapping[str, Any], sections: Mapping[str, Any]) -> list[Variant]:
    """Return each pair of T and tau, and each tuning grid at the T and tau in force."""
    found: list[Variant] = []
    for name in CLAIM_OF:
        section, grid = sections[name], choices[name]
        several = isinstance(section["fairness"], list)
        for horizon, tau in product(grid["horizon"], grid["fairness"]):
            new = {"horizon": horizon, "fairness": [tau] if several else tau}
            found.append(Variant(name, f"T = {horizon}, tau = {tau:g}", {**section, **new}))
        for number in grid["tuning_values"]:
            new = {"tuning_values": number}
            found.append(Variant(name, f"{number} tuning values", {**section, **new}))
    return found
