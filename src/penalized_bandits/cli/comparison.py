"""Play policies on one bandit, on the same rewards, and compare them replicate by replicate."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.experiments.base import Case
from penalized_bandits.experiments.simulate import outcomes_of
from penalized_bandits.experiments.summaries import rows_of, run_metrics, table_of
from penalized_bandits.storage.replicates import Outcome

CASE = "bandit"
DIFFERENCE = "_difference"
"""End of the names of differences of whole-run metrics."""


def play(
    policies: Iterable[tuple[str, float | None]],
    instance: Instance,
    checkpoints: Sequence[int],
    *,
    replicates: int,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Outcome]:
    """Return the outcomes of policies on the same rewards, as `simulate` has them with this seed.

    ``policies`` are ids, each with its tuning (None where it has none); the last of the
    ``checkpoints`` is the horizon T.  Returns an outcome for each policy and checkpoint, policy by
    policy.  Raises BanditError as `simulate` does, or if a policy is there twice.
    """
    wanted = list(policies)
    ids = [policy for policy, _ in wanted]
    if twice := sorted({policy for policy in ids if ids.count(policy) > 1}):
        raise BanditError(f"policies are compared once each, but {', '.join(twice)} came twice")
    case = Case(CASE, instance.means, instance.fairness, instance.rewards, ()).info
    outcomes: list[Outcome] = []
    for policy, tuning in wanted:
        run = simulate_part(
            policy,
            instance,
            checkpoints[-1],
            replicates=replicates,
            seed=seed,
            tuning=tuning,
            checkpoints=checkpoints,
            threads=threads,
            progress=progress,
        )
        outcomes += outcomes_of(run, case, policy, tuning)
    return outcomes


def differences(setting: str, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return each policy's whole-run metrics less the first policy's, paired by replicate.

    Policies that meet the same rewards vary together: the interval of their difference is
    shorter than what their own intervals suggest.  The table has the columns of the summaries, its
    metrics end in ``_difference``; it is empty where there is one policy only.
    """
    first = {o.horizon: run_metrics(o) for o in outcomes if o.policy == outcomes[0].policy}

    def less(outcome: Outcome) -> dict[str, FloatArray]:
        found, other = run_metrics(outcome), first[outcome.horizon]
        # Of sums of this size the last digits are rounding: equal runs differ by 0.
        reward = np.abs(found["expected_reward"])
        sizes = {key: np.maximum(np.abs(values), reward) for key, values in found.items()}
        sizes["unfairness"] = np.full(len(outcome.pulls), float(outcome.horizon))
        made = {key: values - other[key] for key, values in found.items()}
        return {
            key + DIFFERENCE: np.where(np.abs(x) <= 1e-13 * sizes[key], 0.0, x)
            for key, x in made.items()
        }

    others = [outcome for outcome in outcomes if outcome.policy != outcomes[0].policy]
    return table_of(row for one in others for row in rows_of(setting, one, less(one)))
