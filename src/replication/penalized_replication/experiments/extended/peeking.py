"""Intervals of users who look at any time: three arms under floors that grow up to all rounds.

Without floors the hard threshold is UCB1's or KL-UCB's rule; floors that share all rounds make of
each policy an allocation of equal shares.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Annotated

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.rewards import Bernoulli
from penalized_replication.experiments import keys
from penalized_replication.experiments.base import Case, Context, at_horizon, declare

RATE = 1.0
"""Penalty rate of all arms, at least any gap."""


class PeekingInstance(keys.NamedCase):
    means: keys.Means


class PeekingSection(keys.RegretSection):
    floors: keys.Values[Annotated[float, Field(ge=0, le=1)]]
    """Totals of the fairness fractions, which all arms share equally; A = 1."""
    looks: Annotated[int, Field(ge=1, le=1000)] = 1
    """Number of evenly spaced rounds up to T after which pulls are recorded; by default 1."""
    instances: keys.Named[PeekingInstance]
    """Bandits by name, with Bernoulli rewards."""


@declare("peeking", title="Intervals at some time and at the last", readings=("log_of",))
def peeking(section: PeekingSection, context: Context) -> Iterator[Case]:
    kinds = product(section.instances.items(), section.floors, section.horizons)
    for (name, given), total, horizon in kinds:
        means, arms = np.array(given.means), len(given.means)
        words = f"{given.label or name.replace('_', ' ')}, Σ τ = {total:g}"
        tau, looks = np.full(arms, total / arms), section.looks
        bandit = Case(
            f"{name}_floors{total:g}", means, tau, Bernoulli(), (), label=words, group=name
        )
        seen = sorted({-(-horizon * i // looks) for i in range(1, looks)} - {horizon})
        yield at_horizon(bandit, horizon, section.policies, context, np.full(arms, RATE), seen)


peeking_looks = replace(
    peeking, id="peeking_looks", title="Intervals at the first significant look"
)
