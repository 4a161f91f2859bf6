"""E02: the policies that were followed to long horizons keep the log T law."""

from penalized_bandits.claims.base import Claim, Finding, Part, nothing_known
from penalized_bandits.claims.beyond.best import choices_of, followed, settled_cases
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import FEWEST
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    parts = []
    settled = settled_cases(evidence)
    for policy in followed(evidence):
        for case, choice in choices_of(evidence, policy).items():
            name = f"{policy} {case}"
            if choice is None:
                parts.append(nothing_known(name, f"too few horizons: it takes {FEWEST}"))
                continue
            grown = choice.growth
            status = {"log": "holds", "plateau": "holds", "power": "fails"}.get(
                choice.decision, "undecided"
            )
            detail = f"{choice.decision} (best predictor: {choice.best})"
            if case not in settled:
                status = "vacuous"
                detail += f"; horizons too short: {PAPER_POLICY} has not settled"
            parts.append(Part(name, grown.value, grown.low, grown.high, status, detail=detail))  # type: ignore[arg-type]
    return Finding("growth of mean regret from the first horizon to the last", tuple(parts))


CLAIM = Claim(
    where="beyond the paper",
    statement="Every policy of the long runs, the soft threshold included, keeps the log T law of "
    "penalized regret.",
    rule="For each policy and case, from T = 4,000 on, each horizon on random numbers of its own: "
    "holds if a + b log T, or a constant, predicts the two largest horizons clearly better than "
    "c T^p; fails if the power law wins. Vacuous in cases where the hard threshold itself, of "
    "which the law is proved, still looks like a power law; so that of itself this cannot fail.",
    evidence="results/summaries/long_runs.csv",
    measure=_measure,
)
