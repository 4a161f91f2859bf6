"""Claims confirmed on new seeds and bandits, all seeds together.

``claims/frozen.csv`` has a line (date, digest) for each confirmation: the digest of its config and
of the bandits that it draws, written before it was run.  ``claims/confirmed.csv`` has what came
out.  Whoever changes the set, or how bandits are drawn, takes new seeds and adds a line.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.stats import gmean

from penalized_bandits.common.files import digest
from penalized_replication.claims.base import Evidence, claim_of
from penalized_replication.claims.results import ClaimResult, decide, measure
from penalized_replication.claims.table.render import described
from penalized_replication.experiments.base import Context, Interpretations
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.new_bandits import on_new_bandits


def confirm(identifier: str, evidence: Mapping[int, Evidence], frozen: str) -> ClaimResult:
    """Measure a claim on the evidence of each seed, which share its level; return one result.

    Its facts have the verdict of each seed alone (``by_seed``), the digest of the rule
    (``rule_digest``), and ``frozen``, the digest of config and bandits.
    """
    declared, shared = claim_of(identifier), len(evidence)
    results = {seed: measure(identifier, own, shared) for seed, own in evidence.items()}
    comparisons = tuple(
        replace(item, case=f"seed_{seed}/{item.case}", label=f"seed {seed}, {item.label}")
        for seed, result in results.items()
        for item in result.comparisons
    )
    facts: dict[str, Any] = {"rule_digest": declared.digest, "frozen": frozen}
    facts["by_seed"] = [declared.verdict(result.comparisons) for result in results.values()]
    first, *_ = results.values()
    of_seeds = [result.facts for result in results.values()]
    every = [own["ratios"] for own in of_seeds if "ratios" in own]
    for law in every[0] if every else ():
        least, most, mean = zip(*(ratios[law] for ratios in every), strict=True)
        # The seeds have as many cases each.
        facts.setdefault("ratios", {})[law] = [min(least), max(most), float(gmean(mean))]
    if chosen := {tuning for own in of_seeds for tuning in own.get("chosen", ())}:
        facts["chosen"] = sorted(chosen)
    result = replace(first, comparisons=comparisons, facts={**first.facts, **facts})
    return replace(described(decide(result)), confirmed="")


def frozen_digest(sections: Mapping[str, Any], seeds: Sequence[int], counts: str) -> str:
    """Return the digest of a confirmation: its sections by experiment, and all bandits it draws.

    ``counts`` is the path of the table of rating counts.
    """
    lines: list[str] = []
    for name, values in sections.items():
        lines.append(json.dumps({name: values}, sort_keys=True))
        experiment = on_new_bandits(EXPERIMENTS[name])
        section = experiment.section.model_validate(dict(values))
        for seed in seeds:
            context = Context(seed, Interpretations(), 0, 1, counts)
            for case in experiment.all_cases(section, context):
                numbers = [*case.means, *case.fairness, case.rewards.noise]
                bandit = " ".join(f"{number:.6g}" for number in numbers)
                lines += [f"{seed} {name} {case.id} {case.rewards.id}", bandit]
                for run in case.runs:
                    rates = np.ravel(0.0 if run.penalties is None else run.penalties)
                    shown = " ".join(f"{rate:.6g}" for rate in rates)
                    played = f"{run.policy} {run.checkpoints} {run.scale} {run.tuning}"
                    lines.append(f"{played} {shown}")
    return digest("\n".join(lines), 12)
