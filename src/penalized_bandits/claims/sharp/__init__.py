"""The claims on the sharp constants.  A new one is a decorated function and a line here.

``claims/sharp/<module>.py`` holds claims as ``claims/paper/`` holds the paper's.
"""

from dataclasses import replace

from penalized_bandits.claims import Entry

_CHEAP = ("sharp_short", "sharp_long")
_ALL = (*_CHEAP, "sharp_kl")
_MINIMAX = ("minimax", "minimax_long")

SHARP_CLAIMS: dict[str, Entry] = {
    entry.id: replace(entry, folder="sharp")
    for entry in (
        Entry("S01", "constants", _CHEAP),
        Entry("S02", "constants", _ALL),
        Entry("S03", "deficits", _ALL),
        Entry("S04", "deficits", _ALL),
        Entry("S05", "constants", _ALL),
        Entry("S06", "soft_threshold", _CHEAP),
        Entry("S07", "narrow_radius", ("narrow_radius",)),
        Entry("S08", "deficits", _ALL),
        Entry("S09", "minimax", _MINIMAX),
        Entry("S10", "minimax", _MINIMAX),
        Entry("S11", "minimax", _MINIMAX),
        Entry("S12", "minimax", (*_MINIMAX, "minimax_policies")),
        Entry("S13", "minimax", _MINIMAX),
        Entry("S14", "minimax", ("minimax_policies",)),
    )
}
