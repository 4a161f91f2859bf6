"""C21: the laws hold for fairness fractions that shrink like T^−b."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import law_part, series


def _measure(evidence: Evidence) -> Finding:
    instances = evidence.section("log_laws").instances
    parts = []
    for one in series(evidence):
        power = instances[one.name].fairness_power
        if power is None:
            continue
        late = one.settled()
        arms = one.gaps <= one.penalties()
        short, regrets = late.shortfalls(arms), late.regrets()
        parts += [
            law_part(f"b = {power:g}: deficit", late.horizons, short, "plateau", slack=1.0),
            law_part(f"b = {power:g}: regret", late.horizons, regrets, "log"),
        ]
    return Finding("growth between the smallest and the largest horizon of the fit", tuple(parts))


CLAIM = Claim(
    where='section 5, "When τ_k is not constant"',
    statement="The deficits of fair arms stay O(1) and regret Θ(log T) for τ_k = T^−b, 0 < b < 1.",
    rule="For each b, from T = 10,000 on: the deficit holds if it follows a plateau (as in C03), "
    "regret if it follows log T (as in C07); each fails if another law predicts the two largest "
    "horizons clearly better.",
    evidence="results/summaries/log_laws.csv",
    measure=_measure,
)
