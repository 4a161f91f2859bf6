"""The claims of our own on the extended experiments.  A new one is a decorated function and a line.

``claims/extended/<module>.py`` holds claims as ``claims/paper/`` holds the paper's.
"""

from dataclasses import replace

from penalized_bandits.claims import Entry

_REGRET = ("extended_1", "extended_regret")
_LONG = ("long_runs", "long_runs_kl")

EXTENDED_CLAIMS: dict[str, Entry] = {
    entry.id: replace(entry, folder="extended")
    for entry in (
        Entry("E01", "less_regret", _REGRET),
        Entry("E02", "long_runs", _LONG),
        Entry("E03", "less_regret", _REGRET),
        Entry("E04", "long_runs", _LONG),
        Entry("E05", "equal_unfairness", ("extended_3", "extended_5")),
        Entry("E06", "less_regret", ("heterogeneous_penalties",)),
        Entry("E07", "other_assumptions", ("shrinking_fairness",)),
        Entry("E08", "other_assumptions", ("heavy_tails",)),
        Entry("E09", "less_regret", ("many_arms",)),
        Entry("E10", "less_regret", _REGRET),
    )
}
