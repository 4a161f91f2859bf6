"""E07: fairness fractions that shrink with the horizon do not break the law."""

from penalized_bandits.claims.base import Claim, Finding, Part, not_said
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fluid_law import (
    RULE,
    Track,
    agreement,
    regrets,
    said_of_rivals,
)
from penalized_bandits.policies import PAPER_POLICY

NAME = "shrinking_fairness"


def _measure(evidence: Evidence) -> Finding:
    section = evidence.section(NAME)
    parts: list[Part] = []
    tracks: list[Track] = []
    for n_arms in section.arms:
        for power in section.powers:
            stem = f"K{n_arms}_b{power:g}"
            runs = [
                evidence.outcome(NAME, f"{stem}_T{horizon}", PAPER_POLICY, horizon)
                for horizon in section.horizons
            ]
            track = regrets(stem, runs)
            part = agreement(track)
            last = section.horizons[-1]
            if "ucb1" in section.policies:
                plain = evidence.outcome(NAME, f"{stem}_T{last}", "ucb1", last)
                if (plain.pulls == runs[-1].pulls).all():
                    part = not_said(part, "the same pulls as UCB1: the threshold never acts")
            parts.append(part)
            tracks.append(track)
    return Finding(
        "mean regret over its fluid prediction",
        tuple(parts),
        note="For every b below 1 levels outgrow log T, so that the prediction grows like log T "
        f"bandit by bandit. {said_of_rivals(tracks)}",
    )


CLAIM = Claim(
    where="beyond the paper (Remark on small fractions)",
    statement="Where fractions shrink with the horizon as T^-b, the hard threshold's penalized "
    "regret still follows its fluid prediction, whose law is log T.",
    rule="For each b, over all horizons, mean regret over the fluid prediction with the fractions "
    f"of each horizon: {RULE} Vacuous where the hard threshold pulls what UCB1 does.",
    measure=_measure,
)
