"""The cells of the studies at increasing horizons, ``crossover`` and ``movie_crossover``."""

from penalized_bandits.claims.evidence import Evidence

STUDIES = ("crossover", "movie_crossover")


def cells(evidence: Evidence) -> list[tuple[str, str]]:
    """Return study and case of every cell."""
    return [(study, case) for study in STUDIES for case in evidence.cases(study)]
