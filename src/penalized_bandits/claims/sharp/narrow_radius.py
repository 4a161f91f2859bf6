"""The claim on a radius too narrow for the noise (proposition G)."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.claims.base import claim
from penalized_bandits.claims.extended.evidence import ExtendedEvidence
from penalized_bandits.claims.measures.growth import growth_exponent
from penalized_bandits.claims.parts import Fields, Part, above
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome

STUDY = "narrow_radius"
SHARE = 0.5
FEW = 10
"""Pulls up to which an arm counts as given up."""


def _exponent(sd: float, runs: list[Outcome]) -> Part:
    power = 1 - 1 / sd**2
    info = runs[0].info
    fields = Fields(case=info.instance, label=info.label)
    part = growth_exponent(runs, SHARE * power, fields)
    if not np.isnan(part.estimate):
        part = above((part.estimate, part.low, part.high), SHARE * power, **fields)
    given_up = [float((one.pulls.min(axis=1) <= FEW).mean()) for one in runs]
    horizons = [one.horizon for one in runs]
    return replace(
        part,
        values={"sd": sd, "power": power, "few": FEW, "given_up": given_up, "horizons": horizons},
    )


@claim(
    "S07",
    where="not in the paper; proposition G",
    statement="With the radius √(c log n/N) and c < 2σ² regret is no longer O(log T): under the "
    "published policy, c = 2, and Gaussian rewards with σ > 1 it grows like a power of T.",
    rule="For each bandit with Gaussian rewards of σ > 1: the exponent of mean regret in T between "
    f"the first horizon and the last holds if above {SHARE:g} (1 − 1/σ²) with its whole 95 % "
    "interval, fails if below. The proposition has at least 1 − 1/σ² − o(1); the share leaves room "
    "for the o(1).",
    quantity="exponent of mean regret in T",
    kind="theorem",
)
def power_of_t(evidence: ExtendedEvidence) -> Iterator[Part]:
    """Return the exponents of regret where the radius is too narrow."""
    outcomes: dict[str, list[Outcome]] = {}
    for one in evidence.outcomes(STUDY, policy=PAPER_POLICY):
        outcomes.setdefault(one.info.instance, []).append(one)
    for runs in outcomes.values():
        law = evidence.laws.of(STUDY, runs[0].case)
        if isinstance(law, Gaussian) and law.sd > 1:
            yield _exponent(law.sd, sorted(runs, key=lambda one: one.horizon))
