"""Which policies are better than the paper's: fixed by name; and laws over long horizons."""

from functools import lru_cache

from penalized_bandits.claims.base import Finding
from penalized_bandits.claims.beyond.comparison import REGRET, Regrets, regrets_of
from penalized_bandits.claims.beyond.margins import less_regret
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import FEWEST, choose
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.choice_of_law import Decision
from penalized_bandits.storage.replicates import Outcome

LEAST = "hard_threshold_sigma"
"""The policy of least regret in the exploration, fixed by name since."""
LEAST_ALIKE = "kl_hard_threshold"
"""That of those that are told no more than the paper's: not the noise."""

LONG = ("long_runs", "long_runs_kl")
SETTLED = 4_000
"""Laws are chosen from here on."""


def followed(evidence: Evidence) -> list[str]:
    """Return the policies that were followed to long horizons."""
    return list(dict.fromkeys(p for name in LONG for p in evidence.section(name).policies))


def name_of(evidence: Evidence, policy: str) -> str:
    """Return the experiment in which a policy was followed to long horizons."""
    return next(name for name in LONG if policy in evidence.section(name).policies)


def long_series(evidence: Evidence, policy: str) -> dict[str, list[Outcome]]:
    """Return a policy's outcomes in each long case at increasing horizons.

    Those from ``SETTLED`` on, or the last ``FEWEST``.
    """
    name = name_of(evidence, policy)
    found: dict[str, list[Outcome]] = {}
    for run in sorted(evidence.outcomes(name, policy=policy), key=lambda run: run.horizon):
        found.setdefault(run.case.rpartition("_T")[0], []).append(run)
    for case, runs in found.items():
        late = [run for run in runs if run.horizon >= SETTLED]
        found[case] = late if len(late) >= FEWEST else runs[-FEWEST:]
    return found


@lru_cache(maxsize=64)
def laws_of(evidence: Evidence, policy: str) -> dict[str, Decision]:
    """Return the law of a policy's regret in each long case; of too few horizons it is undecided.

    It takes time, fits to a thousand resamples, and the hard threshold's is asked for again and
    again.
    """
    found: dict[str, Decision] = {}
    for case, runs in long_series(evidence, policy).items():
        horizons, regrets = [run.horizon for run in runs], [regret_of(run) for run in runs]
        known = len(runs) >= FEWEST
        found[case] = choose(horizons, regrets).decision if known else "undecided"
    return found


def settled_cases(evidence: Evidence) -> list[str]:
    """Return the long cases whose horizons are long enough to say something of a law.

    The law of the hard threshold is proved.  Where its own regret still looks like a power of T
    the horizons are too short, for it and for others.
    """
    return [case for case, law in laws_of(evidence, PAPER_POLICY).items() if law != "power"]


def laws_decided(evidence: Evidence, policy: str) -> dict[str, int]:
    """Count what was decided of a policy's law in the settled cases."""
    laws = laws_of(evidence, policy)
    found = [laws[case] for case in settled_cases(evidence) if case in laws]
    logs = sum(law in ("log", "plateau") for law in found)
    powers = found.count("power")
    return {"log": logs, "undecided": len(found) - logs - powers, "power": powers}


def all_regrets(evidence: Evidence, policy: str) -> dict[str, Regrets]:
    """Return a policy's regrets in every case of the regret experiments."""
    return {
        f"{name} {case}": regrets_of(evidence, name, case, policy)
        for name in REGRET
        for case in evidence.cases(name)
    }


def pairs_of(
    evidence: Evidence, policy: str, *, tuned: bool = False
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Return a policy's regrets and the hard threshold's, shape (R,), in each case."""
    which = "tuned" if tuned else "published"
    ours, theirs = all_regrets(evidence, policy), all_regrets(evidence, PAPER_POLICY)
    return {case: (getattr(ours[case], which), getattr(theirs[case], which)) for case in ours}


def less_regret_of(evidence: Evidence, policy: str, note: str) -> Finding:
    """Say in each case whether a policy has less regret than the hard threshold, as published."""
    return Finding(
        f"penalized regret of {policy} less that of {PAPER_POLICY}, both as published",
        less_regret(pairs_of(evidence, policy), evidence.level),
        note=note,
    )
