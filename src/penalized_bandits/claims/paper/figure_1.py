"""Figure 1: penalized regret of the hard threshold, LFG and Flearn."""

from collections.abc import Iterator

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.regret import SMALLER_REGRET, smaller_regret
from penalized_bandits.claims.parts import Part
from penalized_bandits.policies import PAPER_POLICY

SETTING = "setting_1"


@claim(
    "C24",
    where="Figure 1",
    statement="The hard threshold has smaller penalized regret than LFG in each panel and at "
    "each horizon.",
    rule=SMALLER_REGRET,
    quantity="mean difference of penalized regret, hard threshold minus LFG",
    plain="it loses less than the earlier policy LFG everywhere in Figure 1",
)
def smaller_than_lfg(evidence: Evidence) -> Iterator[Part]:
    """Compare regrets with LFG."""
    return smaller_regret(evidence, SETTING, PAPER_POLICY, "lfg")


@claim(
    "C25",
    where="Figure 1",
    statement="The hard threshold has smaller penalized regret than Flearn in each panel, at its "
    "last horizon.",
    rule=SMALLER_REGRET,
    quantity="mean difference of penalized regret, hard threshold minus Flearn",
    plain="it loses less than the earlier policy Flearn where the panels of Figure 1 end",
)
def smaller_than_flearn(evidence: Evidence) -> Iterator[Part]:
    """Compare regrets with Flearn at the last horizon."""
    return smaller_regret(evidence, SETTING, PAPER_POLICY, "fair_learn", last=True)


@claim(
    "C25H",
    where="Figure 1; not in the paper's words",
    statement="The hard threshold has smaller penalized regret than Flearn in each panel and at "
    "each horizon.",
    rule=SMALLER_REGRET,
    quantity="mean difference of penalized regret, hard threshold minus Flearn",
    ours=True,
)
def smaller_than_flearn_early(evidence: Evidence) -> Iterator[Part]:
    """Compare regrets with Flearn at every horizon."""
    return smaller_regret(evidence, SETTING, PAPER_POLICY, "fair_learn")
