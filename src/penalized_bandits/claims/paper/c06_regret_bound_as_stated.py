"""C06: the regret bound of Theorem 4.2d as it is stated."""

from dataclasses import replace

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.bounds import CONSTANT, GROWTH, SHRINKING, regret_within


def _measure(evidence: Evidence) -> Finding:
    found = regret_within(evidence, "stated")
    fixed = [part for part in found.parts if SHRINKING not in part.name]
    inside = not any(part.status == "fails" for part in fixed)
    grows = bool(found.parts) and SHRINKING in found.shown.name
    return replace(
        found,
        quantity="growth of regret less bound for each arm and each factor e of T"
        if grows
        else "ratio of mean regret to the bound",
        note="What fails is the printed term of critical arms, in the bandit of the paper's own "
        "Theorem 4.7 with Δ fixed, whose τ_2 shrinks like log T/T. Theorem 4.2 lists no condition "
        "on τ; section 5 says that the analysis considers only fractions that are constants free "
        "of T, and that T^(−b) with 0 < b < 1 would do as well: of that scope "
        f"{'no part fails' if inside else 'parts fail too'}. With all parameters fixed both "
        "versions are 0 for critical arms from some T on.",
    )


CLAIM = Claim(
    where="Theorem 4.2d, as stated",
    statement="Regret stays below the bound of eq. (12) plus O(K), with "
    "(8 log T/Δ_k − τ_k T)₊ for critical arms, as the theorem has it: for constant fractions, and "
    "for one that shrinks like log T/T, of which section 5 does not speak.",
    rule="For each instance with fixed τ and A: the ratio of mean regret to the bound plus "
    f"{CONSTANT:g} K at the largest horizon holds if below 1 and fails if above it with its whole "
    "95 % interval; vacuous where the bound exceeds T or the largest regret that there is. For the "
    "bandit of Theorem 4.7 with τ_2 T = log T/(2 Δ²), Δ fixed, from T = 10,000 on: holds if regret "
    f"outgrows the bound by less than {GROWTH:g} an arm for each factor e of T, fails if by more.",
    evidence="results/summaries/deterministic.csv",
    measure=_measure,
    kind="bound",
)
