"""The claims on the sharp constants.  A new one is a file and a line here.

``claims/sharp/<module>.py`` holds a claim as ``claims/paper/`` holds the paper's.
"""

from dataclasses import replace

from penalized_bandits.claims import Entry

_CHEAP = ("sharp_short", "sharp_long")
_ALL = (*_CHEAP, "sharp_kl")

SHARP_CLAIMS: dict[str, Entry] = {
    entry.id: replace(entry, folder="sharp")
    for entry in (
        Entry("S01", "s01_published_constant", _CHEAP),
        Entry("S02", "s02_optimal_policies", _ALL),
        Entry("S03", "s03_bounded_deficits", _ALL),
        Entry("S04", "s04_equal_fractions", _ALL),
        Entry("S05", "s05_lower_bound", _ALL),
        Entry("S06", "s06_soft_threshold", _CHEAP),
        Entry("S07", "s07_narrow_radius", ("narrow_radius",)),
        Entry("S08", "s08_rest_of_the_regret", _ALL),
    )
}
