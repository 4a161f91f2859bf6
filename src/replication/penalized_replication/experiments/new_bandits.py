"""The extended experiments on new bandits, to confirm what was found on the old ones.

Each case is played on one bandit, the same in all replicates and at all horizons, drawn with
the master seed.  How it is drawn is frozen, as is the set ``confirm`` of ``config/scenarios.yaml``
(``claims/ledger/frozen.csv``): whoever changes either takes new seeds and adds a line there.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from penalized_bandits.bandit.rewards import Categorical, Gaussian
from penalized_bandits.common.files import digest
from penalized_replication.experiments.base import Case, Context, Experiment, Readings
from penalized_replication.experiments.catalogue import experiment as experiment_of

NOISE = (0.1, 0.5)
"""Range that the standard deviation of Gaussian rewards is drawn from."""


def on_new_bandits(experiment: Experiment) -> Experiment:
    """Return an experiment with the same cases, horizons and runs on bandits that are drawn anew.

    mu_k is U[0, 1); tau_k the case's own total divided as Dirichlet(1, ..., 1) divides it; A_k
    is U[0, s), s the spread of the means.  Movies keep their ratings, hence their means.
    """

    def cases(section: Any, context: Context) -> Iterator[Case]:
        from penalized_bandits.engine.streams import Stream

        for case in experiment.cases(section, context):
            # The same bandit at all horizons, where each has a case of its own.
            stream = Stream(context.seed, (experiment.id, case.info.instance, "a new bandit"))
            means, shares, rates, noise = stream.uniforms(4, len(case.fairness))
            rewards = case.rewards
            if isinstance(rewards, Categorical):
                means = rewards.means
            elif isinstance(rewards, Gaussian):
                rewards = Gaussian(NOISE[0] + (NOISE[1] - NOISE[0]) * float(noise[0]))
            parts, drawn = -np.log1p(-shares), rates * np.ptp(means)
            fairness = case.fairness.sum() * parts / parts.sum()
            # Where one rate is tuned it stays.
            runs = tuple(
                replace(run, penalties=drawn) if isinstance(run.penalties, np.ndarray) else run
                for run in case.runs
            )
            yield replace(case, means=means, fairness=fairness, rewards=rewards, runs=runs)

    return replace(experiment, cases=cases)


def frozen_digest(sections: Mapping[str, Any], seeds: Sequence[int], counts: str) -> str:
    """Return the digest of a confirmation: its sections by experiment, and all bandits it draws.

    ``counts`` is the path of the table of rating counts.
    """
    lines: list[str] = []
    for name, values in sections.items():
        lines.append(json.dumps({name: values}, sort_keys=True))
        wanted = on_new_bandits(experiment_of(name))
        section = wanted.section.model_validate(dict(values))
        for seed in seeds:
            context = Context(seed, Readings(), 0, 1, counts)
            for case in wanted.all_cases(section, context):
                numbers = [*case.means, *case.fairness, case.rewards.noise]
                bandit = " ".join(f"{number:.6g}" for number in numbers)
                lines += [f"{seed} {name} {case.id} {case.rewards.id}", bandit]
                for run in case.runs:
                    rates = np.ravel(0.0 if run.penalties is None else run.penalties)
                    shown = " ".join(f"{rate:.6g}" for rate in rates)
                    played = f"{run.policy} {run.checkpoints} {run.scale} {run.tuning}"
                    lines.append(f"{played} {shown}")
    return digest("\n".join(lines), 12)
