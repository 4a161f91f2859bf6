"""The claims of the paper, as the replication checks them.  A new one is a file and a line here.

``claims/paper/<module>.py`` holds the claim itself: statement, deciding rule and how it is
measured.  The modules are imported when claims are checked, so that reading this list
does not pay for scipy.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from penalized_bandits.common.errors import ClaimError

if TYPE_CHECKING:
    from penalized_bandits.claims.base import Claim


@dataclass(frozen=True)
class Entry:
    """Where a claim is found, and the experiments that it is measured on."""

    id: str
    module: str
    experiments: tuple[str, ...]
    """Settings and studies; empty where nothing is simulated."""
    job: str = ""
    """The job that checks it, where it is not named after the first experiment."""
    folder: str = "paper"
    """Where its module is: ``paper``, or ``beyond`` it."""

    @property
    def topic(self) -> str:
        """The job that checks it, together with others on the same experiments."""
        return self.job or self.experiments[0]

    @property
    def summary(self) -> str:
        """Path of the table of its first experiment."""
        return f"results/summaries/{self.experiments[0]}.csv"


CLAIMS: dict[str, Entry] = {
    entry.id: entry
    for entry in (
        Entry("C01", "c01_prophet", (), "small_studies"),
        Entry("C02", "c02_fair_with_high_probability", ("log_laws", "deterministic")),
        Entry("C03", "theorem_4_2", ("log_laws", "deterministic")),
        Entry("C04", "theorem_4_2", ("log_laws",)),
        Entry("C05", "theorem_4_2", ("log_laws",)),
        Entry("C06", "theorem_4_2", ("log_laws", "deterministic")),
        Entry("C06P", "theorem_4_2", ("log_laws", "deterministic")),
        Entry("C07", "c07_log_law", ("log_laws",)),
        Entry("C08", "c08_constant", ("log_laws",)),
        Entry("C09", "c09_no_penalties", ("log_laws",)),
        Entry("C10", "c10_best_arms", ("equal_penalties",), "small_studies"),
        Entry("C11", "c11_largest_deficit", ("log_laws",)),
        Entry("C12", "c12_small_margins", ("log_laws",)),
        Entry("C13", "c13_deficit_scale", ("log_laws", "deterministic")),
        Entry("C14", "c14_gap_independent_bound", ("worst_case",), "small_studies"),
        Entry("C15", "c15_root_of_the_horizon", ("worst_case",), "small_studies"),
        Entry("C16", "c16_lower_bound_4_6", ("deterministic",), "small_studies"),
        Entry("C17", "c17_lower_bound_4_7", ("deterministic",), "small_studies"),
        Entry("C18", "c18_two_instances", ("two_instances",), "small_studies"),
        Entry("C19", "soft_threshold", ("crossover", "movie_crossover")),
        Entry("C20", "c20_explore_then_commit", ("worst_case",), "small_studies"),
        Entry("C21", "c21_shrinking_fairness", ("log_laws",)),
        Entry("C22", "c22_number_of_arms", ("equal_penalties",), "small_studies"),
        Entry("C23", "c23_tolerated_unfairness", ("equal_penalties",), "small_studies"),
        Entry("C24", "figure_1", ("setting_1",)),
        Entry("C25", "figure_1", ("setting_1",)),
        Entry("C26", "figure_2", ("setting_2",)),
        Entry("C26P", "figure_2", ("setting_2",)),
        Entry("C27", "figure_2", ("setting_2",)),
        Entry("C28", "figure_3", ("setting_3",)),
        Entry("C29", "figure_4", ("setting_4",)),
        Entry("C30", "figure_4", ("setting_4",)),
        Entry("C31", "figure_5", ("setting_5",)),
        Entry("C32", "nested_sets", ("setting_2",)),
        Entry("C33", "section_3", ("lfg_fairness",), "small_studies"),
        Entry("C33R", "section_3", ("lfg_fairness",), "small_studies"),
        Entry("C34", "overtaking", ("crossover", "movie_crossover", "setting_1")),
        Entry("C35", "figure_4", ("setting_4",)),
        Entry("C36", "overtaking", ("crossover", "movie_crossover")),
        Entry("C37", "c37_classical_fairness", ("log_laws",)),
        Entry("C38", "c38_nearly_not_improvable", ("log_laws",)),
        Entry("C39", "c39_orders_match", (), "small_studies"),
        Entry("C40", "c40_universal_constant", (), "small_studies"),
        Entry("C41", "c41_best_length", (), "small_studies"),
        Entry("C42", "c42_observations", ("log_laws",)),
        Entry("C43", "c43_one_pull_short", ("log_laws", "deterministic")),
        Entry("C44", "c44_pulls_in_the_constructions", ("deterministic",), "small_studies"),
        Entry("C45", "c45_waiting_rounds", ("log_laws",)),
        Entry("C50", "section_3", ("setting_2",)),
        Entry("C51", "soft_threshold", ("crossover", "movie_crossover")),
        Entry("C52", "figure_2", ("setting_2",)),
    )
}

TOPICS: tuple[str, ...] = tuple(dict.fromkeys(entry.topic for entry in CLAIMS.values()))


def every_claim() -> dict[str, Entry]:
    """Return the paper's claims and ours: those beyond it, and those on the sharp constants."""
    from penalized_bandits.claims.extended import EXTENDED_CLAIMS
    from penalized_bandits.claims.sharp import SHARP_CLAIMS

    return CLAIMS | EXTENDED_CLAIMS | SHARP_CLAIMS


def entry_of(identifier: str) -> Entry:
    """Return where a claim is found, by its id.

    Raises
    ------
    ClaimError
        If there is no such claim.
    """
    known = every_claim()
    if identifier not in known:
        raise ClaimError(f"there is no claim {identifier!r}: known are {', '.join(known)}")
    return known[identifier]


def claim(identifier: str) -> "Claim":
    """Return a claim by its id.

    Raises
    ------
    ClaimError
        If there is no such claim.
    """
    entry = entry_of(identifier)
    import_module(f"penalized_bandits.claims.{entry.folder}.{entry.module}")
    from penalized_bandits.claims.base import DECLARED

    return DECLARED[identifier]


def claims_of(topic: str) -> list[Entry]:
    """Return the claims that one job checks."""
    return [entry for entry in CLAIMS.values() if entry.topic == topic]


def experiments_of(topic: str) -> list[str]:
    """Return the experiments that a topic's claims are measured on."""
    return list(dict.fromkeys(e for entry in claims_of(topic) for e in entry.experiments))
