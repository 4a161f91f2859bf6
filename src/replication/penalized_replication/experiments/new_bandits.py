"""Experiments on new bandits, to confirm what was found on others.

Each case is played on one bandit, the same in all replicates and at all horizons, drawn with
the master seed.  How it is drawn is frozen: whoever changes it ends every confirmation so far.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from penalized_bandits.bandit.rewards import Categorical, Gaussian
from penalized_replication.experiments.base import Case, Context, Experiment

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
