"""LFG's unfairness as the horizon grows, at tuning parameters that stay the same (section 3)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.common.section import Section
from penalized_replication.experiments import base, keys


class LfgFairness(Section):
    replicates: keys.Replicates
    horizons: keys.Horizons
    eta_0: keys.Rates
    """Tuning parameters η₀ of LFG."""
    cases: keys.Named[keys.FairCase]
    policies: ClassVar = ["lfg", PAPER_POLICY]
    """All policies that take part."""


@base.declare("log_of", "lfg")
def lfg_fairness(section: LfgFairness, context: base.Context) -> Iterator[base.Case]:
    """LFG's unfairness as the horizon grows."""
    # Beside LFG stands the hard threshold, at a penalty rate above every gap.
    played = [("lfg", eta) for eta in section.eta_0] + [(PAPER_POLICY, None)]
    seen = tuple(section.horizons)
    for name, given in section.cases.items():
        bandit = base.fixed_bandit(name, given)
        rates = 2 * base.half_spread(bandit.means) + 0.1
        runs = tuple(
            base.PolicyRun(p, base.rule_of(p, context.interpretations), seen, eta, penalties=rates)
            for p, eta in played
        )
        yield replace(bandit, runs=runs)
