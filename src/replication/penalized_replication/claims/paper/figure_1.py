"""Figure 1: penalized regret of the hard threshold, LFG and Flearn."""

from functools import partial
from itertools import product

from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import paired_difference
from penalized_replication.claims import parts
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import regret_of

SETTING = "setting_1"
less_than = partial(
    claim,
    rule="A cell (panel and horizon) holds if the mean paired difference is below 0, fails if it "
    "is above 0, each at Holm-adjusted one-sided p < 0.05 over all cells. It is negligible, and "
    "counts neither as holding nor as failing, where the 95 % interval of the difference is within "
    f"{100 * parts.NEGLIGIBLE:g} % of the rival's mean regret.",
)


@less_than(
    "C24",
    arguments={"rival": "lfg"},
    where="Figure 1",
    statement="The hard threshold has smaller penalized regret than LFG in each panel and at "
    "each horizon.",
    quantity="mean difference of penalized regret, hard threshold minus LFG (reward)",
    plain="it loses less than the earlier policy LFG everywhere in Figure 1",
)
@less_than(
    "C25",
    arguments={"rival": "fair_learn", "last": True},
    where="Figure 1",
    statement="The hard threshold has smaller penalized regret than Flearn in each panel, at its "
    "last horizon.",
    quantity="mean difference of penalized regret, hard threshold minus Flearn (reward)",
    plain="it loses less than the earlier policy Flearn where the panels of Figure 1 end",
)
@less_than(
    "C25H",
    arguments={"rival": "fair_learn"},
    where="Figure 1; not in the paper's words",
    statement="The hard threshold has smaller penalized regret than Flearn in each panel and at "
    "each horizon.",
    quantity="mean difference of penalized regret, hard threshold minus Flearn (reward)",
    ours=True,
    plain="it loses less than the earlier policy Flearn everywhere in Figure 1",
)
@less_than(
    "C24S",
    arguments={"rival": "soft_threshold_ucb"},
    where="Figure 1 and section 5; not in the paper's words",
    statement="The hard threshold has smaller penalized regret than the soft threshold in each "
    "panel of Figure 1 and at each horizon.",
    quantity="mean difference of penalized regret, hard threshold minus soft threshold (reward)",
    ours=True,
    plain="it loses less than the soft threshold everywhere in Figure 1",
)
def less_regret(evidence: Evidence, rival: str, *, last: bool = False) -> Measured:
    """Compare the hard threshold's mean regret with a rival's at each horizon, or the last."""
    found = []
    horizons: list[int] = evidence.section(SETTING).horizons[-1 if last else 0 :]
    for case, horizon in product(evidence.cases(SETTING), horizons):
        ours = evidence.outcome(SETTING, case, PAPER_POLICY, horizon)
        theirs = regret_of(evidence.outcome(SETTING, case, rival, horizon))
        pair, scale = paired_difference(regret_of(ours), theirs), abs(float(theirs.mean()))
        fields = parts.about(ours) | {"p_holds": pair.p_less, "p_fails": pair.p_greater}
        found.append(parts.below(pair.difference.interval, 0.0, scale, **fields, rival=rival))
    yield from map(parts.unless_negligible, parts.by_p_values(found))
