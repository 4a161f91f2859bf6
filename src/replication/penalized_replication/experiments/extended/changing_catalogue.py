"""Arms that sleep and rewards in batches: the same bandits and rewards with and without."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.common.typing import BoolArray
from penalized_replication.experiments import base, keys
from penalized_replication.experiments.base import Case, Context, declare
from penalized_replication.experiments.extended.long_runs import LongCase

if TYPE_CHECKING:
    from penalized_bandits.engine.play import Accrual

FLOORS_GROW: "dict[Accrual, str]" = {"always": "always", "available": "while available"}
"""Declared accruals of floors, in words."""


class ChangingCatalogue(keys.RegretSection):
    cases: dict[keys.CaseName, LongCase]
    batches: keys.Values[keys.SeveralArms]
    """Rounds whose rewards come together."""
    available: keys.Share
    """Chance with which each arm is there in a round."""


def batch_case(instance: str, batch: int) -> str:
    """Return the id of the case of an instance in batches."""
    return f"{instance}_batch{batch}"


def sleeping_case(instance: str, accrual: str) -> str:
    """Return the id of the case of an instance whose arms sleep."""
    return f"{instance}_sleep_{accrual}"


def availability(section: ChangingCatalogue, seed: int, instance: str) -> BoolArray:
    """Return whether each arm is there in each round, the same in all replicates, (T, K).

    Independent draws; where all arms would sleep, the one whose draw is least is there.
    """
    from penalized_bandits.engine.streams import Stream

    n_arms = len(section.cases[instance].means)
    stream = Stream(seed, ("changing_catalogue", instance, "available"))
    drawn = stream.uniforms(section.horizons[-1], n_arms)
    return drawn <= np.maximum(section.available, drawn.min(axis=1, keepdims=True))


@declare(
    "changing_catalogue",
    title="Arms that sleep and rewards in batches",
    readings=("log_of", "lfg"),
    compared=True,
)
def changing_catalogue(section: ChangingCatalogue, context: Context) -> Iterator[Case]:
    from penalized_bandits.engine.simulation import Schedule

    for name, given in section.cases.items():
        rates, label = np.array(given.penalties), name.replace("_", " ")
        runs = base.regret_runs(section.policies, section.horizons, context, rates)
        bandit = base.fixed_bandit(name, given, Bernoulli(), runs=runs, instance=name)
        yield bandit
        for size in section.batches:
            identifier, in_batches = batch_case(name, size), f"{label}, batches of {size}"
            yield replace(bandit, id=identifier, label=in_batches, schedule=Schedule(batch=size))
        there = availability(section, context.seed, name)
        by_arm = tuple(run for run in runs if not run.rule.shares_memory)
        for accrual, how in FLOORS_GROW.items():
            identifier = sleeping_case(name, accrual)
            asleep = f"{label}, arms sleep, floors grow {how}"
            schedule = Schedule(available=there, accrual=accrual)
            yield replace(bandit, id=identifier, label=asleep, schedule=schedule, runs=by_arm)
