"""C39: the bounds of Theorems 4.5 and 4.8 match up to logarithms."""

import numpy as np

from penalized_bandits.claims.base import FAR, Claim, Finding, Part, below
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.theory.bounds import gap_independent_bound, lower_bound_4_8

ROUNDS = (1e3, 1e6, 1e9)
ARMS = (2, 5, 20, 100, 1000)


def _ratio(arms: int, total: float, horizon: float) -> float:
    """Upper bound with C = 0, without √(log T), over the lower bound; τ_k all equal."""
    tau = np.full(arms, total / arms)
    upper = float(gap_independent_bound(tau, horizon)) / float(np.sqrt(np.log(horizon)))
    return upper / float(lower_bound_4_8(tau, horizon))


def _part(name: str, ratios: list[float]) -> Part:
    spread = max(ratios) / min(ratios)
    return below(name, spread, spread, spread, FAR)


def _measure(evidence: Evidence) -> Finding:
    del evidence
    return Finding(
        "largest over least ratio of the two bounds, √(log T) left out",
        (
            _part(f"T = {ROUNDS[0]:g} to {ROUNDS[-1]:g}", [_ratio(5, 0.5, t) for t in ROUNDS]),
            _part(f"K = {ARMS[0]} to {ARMS[-1]}", [_ratio(k, 0.5, 1e6) for k in ARMS]),
        ),
        note="The paper takes 1 − Σ τ ≥ c_0 for a constant c_0. As it shrinks the bounds part: "
        "Theorem 4.8 has the factor 1 − Σ τ, Theorem 4.5 has none, so that from 0.5 to 0.001 their "
        f"ratio grows {_ratio(5, 0.999, 1e6) / _ratio(5, 0.5, 1e6):.0f} times.",
    )


CLAIM = Claim(
    where="after Theorem 4.8",
    statement="The orders of the bounds of Theorems 4.5 and 4.8 match if log T is ignored.",
    rule="The ratio of the two bounds, without the upper one's √(log T) and with C = 0, is the "
    f"same up to a factor {FAR:g} (a) over T from 10^3 to 10^9, (b) over K from 2 to 1000, with "
    "1 − Σ τ = 0.5 and all τ_k equal: each holds if so, and fails if not.",
    evidence="results/claims/claims.json",
    measure=_measure,
    kind="identity",
)
