"""C22: the first rule for A keeps a chosen number of arms fair."""

from penalized_bandits.claims.base import Claim, Finding, share_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fair_arms import SURE, exact, fair_arms, within_reach
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    last = evidence.section("equal_penalties").horizons[-1]
    parts = []
    for outcome in evidence.outcomes("equal_penalties", policy=PAPER_POLICY, horizon=last):
        wanted = int(within_reach(outcome).sum())
        enough = fair_arms(outcome).sum(axis=1) >= wanted
        name = f"{outcome.case} K_exploit = {wanted}, T={last}"
        parts.append(share_of(name, int(enough.sum()), enough.size, least=SURE))
    return Finding(
        "probability that K_exploit arms or more are fair",
        tuple(parts),
        note="As printed the rule is the infimum of a set without lower bound: every a below 0 is "
        "in it. Read as the rates between the K_exploit-th gap and the next. The parts are those "
        "of C10, on the same runs, asked for their number. "
        f"{exact(evidence, last)}",
    )


CLAIM = Claim(
    where='section 5, "Practical choice", 1',
    statement="With the rule mended so that it has a value: an A between Δ_(K_exploit) and the "
    "next gap fully exploits K_exploit arms, that is, keeps them fair.",
    rule="For each number of arms and A halfway between the two gaps, at the largest horizon: "
    "holds if the Wilson interval of the probability that K_exploit arms or more are fair (to "
    f"1 % of their level, or one pull) lies above {SURE:g}, fails if below. Whether there is one "
    "more is in the note.",
    measure=_measure,
)
