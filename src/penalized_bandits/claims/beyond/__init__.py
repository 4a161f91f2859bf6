"""The claims of our own, beyond the paper.  A new one is a file and a line here.

``claims/beyond/<module>.py`` holds a claim as ``claims/paper/`` holds the paper's.
"""

from dataclasses import replace

from penalized_bandits.claims import Entry

_REGRET = ("extended_1", "extended_regret")

EXTENDED_CLAIMS: dict[str, Entry] = {
    entry.id: replace(entry, folder="beyond")
    for entry in (
        Entry("E01", "e01_least_regret", _REGRET),
        Entry("E02", "e02_log_law", ("long_runs", "long_runs_kl")),
        Entry("E03", "e03_same_budget", _REGRET),
        Entry("E04", "e04_lower_bound", ("long_runs", "long_runs_kl")),
        Entry("E05", "e05_equal_unfairness", ("extended_3", "extended_5")),
        Entry("E06", "e06_different_penalties", ("heterogeneous_penalties",)),
        Entry("E07", "e07_shrinking_fairness", ("shrinking_fairness",)),
        Entry("E08", "e08_heavy_tails", ("heavy_tails",)),
        Entry("E09", "e09_many_arms", ("many_arms",)),
        Entry("E10", "e10_same_information", _REGRET),
    )
}
