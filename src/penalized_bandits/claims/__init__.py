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
        Entry("C01", "section_2", (), "small_studies"),
        Entry("C02", "theorem_4_1", ("log_laws", "deterministic")),
        Entry("C03", "theorem_4_2", ("log_laws", "deterministic")),
        Entry("C04", "theorem_4_2", ("log_laws",)),
        Entry("C05", "theorem_4_2", ("log_laws",)),
        Entry("C06", "theorem_4_2", ("log_laws", "deterministic")),
        Entry("C06P", "theorem_4_2", ("log_laws", "deterministic")),
        Entry("C07", "log_law", ("log_laws",)),
        Entry("C08", "log_law", ("log_laws",)),
        Entry("C09", "theorem_4_2", ("log_laws",)),
        Entry("C10", "penalty_choice", ("equal_penalties",), "small_studies"),
        Entry("C11", "theorem_4_3", ("log_laws",)),
        Entry("C12", "lemma_4_4", ("log_laws",)),
        Entry("C13", "lemma_4_4", ("log_laws", "deterministic")),
        Entry("C14", "worst_case", ("worst_case",), "small_studies"),
        Entry("C15", "worst_case", ("worst_case",), "small_studies"),
        Entry("C16", "lower_bounds", ("deterministic",), "small_studies"),
        Entry("C17", "lower_bounds", ("deterministic",), "small_studies"),
        Entry("C18", "lower_bounds", ("two_instances",), "small_studies"),
        Entry("C19", "soft_threshold", ("crossover", "movie_crossover")),
        Entry("C20", "explore_then_commit", ("worst_case",), "small_studies"),
        Entry("C21", "shrinking_fairness", ("log_laws",)),
        Entry("C22", "penalty_choice", ("equal_penalties",), "small_studies"),
        Entry("C23", "penalty_choice", ("equal_penalties",), "small_studies"),
        Entry("C24", "figure_1", ("setting_1",)),
        Entry("C25", "figure_1", ("setting_1",)),
        Entry("C25H", "figure_1", ("setting_1",)),
        Entry("C26", "figure_2", ("setting_2",)),
        Entry("C26P", "figure_2", ("setting_2",)),
        Entry("C27", "figure_2", ("setting_2",)),
        Entry("C28", "figure_3", ("setting_3",)),
        Entry("C28L", "figure_3", ("setting_3",)),
        Entry("C29", "figure_4", ("setting_4",)),
        Entry("C30", "figure_4", ("setting_4",)),
        Entry("C31", "figure_5", ("setting_5",)),
        Entry("C31L", "figure_5", ("setting_5",)),
        Entry("C32", "nested_sets", ("setting_2",)),
        Entry("C33", "section_3", ("lfg_fairness",), "small_studies"),
        Entry("C33R", "section_3", ("lfg_fairness",), "small_studies"),
        Entry("C34", "overtaking", ("crossover", "movie_crossover", "setting_1")),
        Entry("C35", "figure_4", ("setting_4",)),
        Entry("C36", "overtaking", ("crossover", "movie_crossover")),
        Entry("C37", "theorem_4_3", ("log_laws",)),
        Entry("C38", "log_law", ("log_laws",)),
        Entry("C39", "worst_case", (), "small_studies"),
        Entry("C40", "worst_case", (), "small_studies"),
        Entry("C40A", "worst_case", (), "small_studies"),
        Entry("C41", "explore_then_commit", (), "small_studies"),
        Entry("C42", "theorem_4_2_proof", ("log_laws",)),
        Entry("C43", "theorem_4_2_proof", ("log_laws", "deterministic")),
        Entry("C44", "lower_bounds", ("deterministic",), "small_studies"),
        Entry("C45", "theorem_4_3", ("log_laws",)),
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
