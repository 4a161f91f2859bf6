"""Which policy has the least regret: chosen on one half of the replicates, tested on the other."""

from collections.abc import Sequence

import numpy as np

from penalized_bandits.claims.base import Part, by_p_values
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.figure_1 import regret_of
from penalized_bandits.claims.laws import FEWEST, choose
from penalized_bandits.extensions.comparison import OURS, REGRET, Regrets, regrets_of
from penalized_bandits.replicates import Outcome
from penalized_bandits.typing import FloatArray

LONG = "long_runs"
SETTLED = 4_000
"""Laws are chosen from here on."""


def long_series(evidence: Evidence, policy: str) -> dict[str, list[Outcome]]:
    """Return a policy's outcomes in each long case at increasing horizons.

    Those from ``SETTLED`` on, or the last ``FEWEST``.
    """
    found: dict[str, list[Outcome]] = {}
    for run in sorted(evidence.outcomes(LONG, policy=policy), key=lambda run: run.horizon):
        found.setdefault(run.case.rpartition("_T")[0], []).append(run)
    for case, runs in found.items():
        late = [run for run in runs if run.horizon >= SETTLED]
        found[case] = late if len(late) >= FEWEST else runs[-FEWEST:]
    return found


def laws_kept(evidence: Evidence, policy: str) -> dict[str, str]:
    """Return the law of a policy's regret in each long case: log, plateau, power or undecided."""
    return {
        case: choose([run.horizon for run in runs], [regret_of(run) for run in runs]).decision
        if len(runs) >= FEWEST
        else "undecided"
        for case, runs in long_series(evidence, policy).items()
    }


def followed(evidence: Evidence) -> list[str]:
    """Return the policies that were followed to long horizons."""
    return list(evidence.section(LONG).policies)


def settled_cases(evidence: Evidence) -> list[str]:
    """Return the long cases whose horizons are long enough to say something of a law.

    The law of the hard threshold is proved.  Where its own regret still looks like a power of T
    the horizons are too short, for it and for others.
    """
    if OURS not in followed(evidence):
        return list(long_series(evidence, followed(evidence)[0]))
    return [case for case, law in laws_kept(evidence, OURS).items() if law != "power"]


def keeping(evidence: Evidence) -> list[str]:
    """Return the policies whose regret is a power law of T in no settled case."""
    settled = settled_cases(evidence)
    return [
        policy
        for policy in followed(evidence)
        if all(laws_kept(evidence, policy)[case] != "power" for case in settled)
    ]


def all_regrets(evidence: Evidence, policy: str) -> dict[str, Regrets]:
    """Return a policy's regrets in every case of the regret experiments."""
    return {
        f"{name} {case}": regrets_of(evidence, name, case, policy)
        for name in REGRET
        for case in evidence.cases(name)
    }


def least(evidence: Evidence, policies: Sequence[str]) -> str:
    """Return the policy with the least regret on the even replicates.

    That is: the least geometric mean, over cases, of mean regret over the hard threshold's.
    """
    usual = all_regrets(evidence, OURS)

    def score(policy: str) -> float:
        found = all_regrets(evidence, policy)
        ratios = [found[c].published[::2].mean() / usual[c].published[::2].mean() for c in usual]
        # Regret is at most 0 only by luck, which is no ground for a choice.
        return float(np.mean(np.log(np.maximum(ratios, 1e-12))))

    return min(policies, key=score)


def smaller(pairs: dict[str, tuple[FloatArray, FloatArray]]) -> tuple[Part, ...]:
    """Decide for each case whether the first regret is smaller than the second, by pairs."""
    from penalized_bandits.theory.statistics import paired_difference

    parts, p_less, p_more = [], [], []
    for name, (ours, theirs) in pairs.items():
        difference = paired_difference(ours, theirs)
        found = difference.difference
        detail = f"{ours.mean():.4g} against {theirs.mean():.4g}"
        parts.append(Part(name, found.value, found.low, found.high, "undecided", 0.0, detail))
        p_less.append(difference.p_less)
        p_more.append(difference.p_greater)
    return by_p_values(parts, p_less, p_more)
