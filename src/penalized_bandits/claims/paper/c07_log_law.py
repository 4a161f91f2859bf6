"""C07: penalized regret grows like log T (Theorem 4.2)."""

from penalized_bandits.claims.base import Claim, Finding, within
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import choose, law_part, meets_4_2, series


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.statistics.fits import fit_log
    from penalized_bandits.statistics.measurements import measure
    from penalized_bandits.theory.bounds import log_slopes

    parts, broken = [], []
    for one in series(evidence):
        late = one.settled()
        if not (one.gaps > one.penalties()).any():
            continue  # nothing is left to learn about: regret is O(1)
        if meets_4_2(one):
            slope = fit_log(measure(late.horizons, late.regrets())).slope
            limits = log_slopes(one.means, one.fairness(), one.penalties())
            least, most = float(limits.lower.sum()), float(limits.upper.sum())
            name = f"{one.name}: slope in log T"
            parts.append(within(name, slope.value, slope.low, slope.high, least, most))
            parts.append(law_part(f"{one.name}: law", late.horizons, late.regrets(), "log"))
        elif one.fixed and len(late.horizons) >= 5:
            broken.append(f"{one.name} {choose(late.horizons, late.regrets()).decision}")
    return Finding(
        "slope of mean regret in log T; growth of regret where a law is chosen",
        tuple(parts),
        note="Where a condition of the theorem is broken, the law chosen is: "
        + ", ".join(broken)
        + "."
        if broken
        else "",
    )


CLAIM = Claim(
    where="Theorem 4.2",
    statement="Penalized regret is Θ(log T).",
    rule="For every instance that meets the theorem's conditions and has non-critical arms, from "
    "T = 10,000 on: (a) holds if the 95 % interval of the slope in log T lies between the "
    "lower and the upper bound's constants, fails if outside; (b) holds if a + b log T "
    "predicts the two largest horizons clearly better than c T^p and than a constant, fails "
    "if one of these wins.",
    evidence="results/summaries/log_laws.csv",
    measure=_measure,
)
