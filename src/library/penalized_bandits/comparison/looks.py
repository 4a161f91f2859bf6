"""Colour, marker and dashes of each policy, the same in every figure.

Colours are those of Okabe and Ito, safe for the colour-blind, with a dark red for their sky blue,
which thin lines do not show apart from the blue; markers and dashes differ in grey as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from penalized_bandits.policies import POLICIES, Policy

COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#E69F00", "#8E0152", "#8C6D31",
)  # fmt: skip
"""Of the first policies; the others have the same again, by their place in the registry."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")
_BROKEN = (5, 1.5), (3, 1, 1, 1), (1, 1), (7, 1.5, 1, 1.5), (2, 2), (4, 1, 1, 1, 1, 1), (1, 2)
_DASHES: tuple[Any, ...] = ("-", *((0, lengths) for lengths in _BROKEN))


@dataclass(frozen=True)
class Look:
    """How a policy is drawn."""

    label: str  # as matplotlib is to be given it (`verbatim`)
    colour: str
    marker: str
    dashes: Any

    @property
    def style(self) -> dict[str, Any]:
        """Colour, marker and dashes by matplotlib's names."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.dashes}


def verbatim(text: str) -> str:
    """Return text as matplotlib draws it letter by letter: no mathematics, no hidden label."""
    hidden = "\u200b" if text.startswith("_") else ""  # has no width
    return hidden + text.replace("$", r"\$")


def _look_at(place: int, label: str) -> Look:
    again, first = divmod(place, len(COLOURS))
    # A colour that comes again has another marker and other dashes.
    turn = (first + 3 * again) % len(MARKERS)
    return Look(verbatim(label), COLOURS[first], MARKERS[turn], _DASHES[turn])


def look_of(policy: str) -> Look:
    """Return the look of a policy of the registry, by its id."""
    return _look_at([*POLICIES].index(policy), POLICIES[policy].label)


def looks_of(policies: Sequence[Policy], labels: Sequence[str]) -> list[Look]:
    """Return the looks of policies that are drawn together, with these labels.

    One that is not in the registry, or is there twice, has the first free look of a rare colour.
    """
    places: dict[int, int] = {}
    for i, policy in enumerate(policies):
        place = [*POLICIES].index(policy.id) if POLICIES.get(policy.id) is policy else -1
        if place >= 0 and place not in places.values():
            places[i] = place
    different = len(COLOURS) * len(MARKERS)
    for i in range(len(policies)):
        taken = [*places.values()]
        shared = [sum(p % len(COLOURS) == c for p in taken) for c in range(len(COLOURS))]
        free = [p for p in range(different + len(policies)) if p not in taken]
        places.setdefault(i, min(free, key=lambda p: (shared[p % len(COLOURS)], p)))
    return [_look_at(places[i], label) for i, label in enumerate(labels)]
