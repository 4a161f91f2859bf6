"""The MovieLens arms, for every experiment that plays them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits.common.numbers import format_number
from penalized_bandits.common.typing import FloatArray
from penalized_replication.common.errors import DatasetError
from penalized_replication.experiments.base import Case, Context, half_spread
from penalized_replication.storage.files import read_json


def _record(counts: Path) -> dict[str, Any]:
    """Return where rating counts come from, as far as it is known."""
    provenance = counts.with_name("provenance.json")
    return read_json(provenance) if provenance.is_file() else {}


def dataset_of(context: Context) -> str:
    """Return the short name of the ratings: MovieLens, or a table's file."""
    record = _record(Path(context.rating_counts or ""))
    return str(record.get("title") or record.get("dataset", "MovieLens")).removesuffix(" 1M")


def movie_bandit(context: Context, m0: int, tau: float) -> Case:
    """Return the movies with more than m0 ratings (R8, R9) as a case without runs; tau_k = tau / K.

    Raises DatasetError if fewer than two movies have so many ratings.
    """
    assert context.rating_counts is not None  # noqa: S101
    path = Path(context.rating_counts)
    # Interpretation a config must not pay for pandas.
    from penalized_replication.datasets import counts as ratings

    counts, record = ratings.read_counts_csv(path), _record(path)
    if (found := len(counts.more_than(m0).table)) < 2:
        most = ", ".join(map(str, counts.table["n_ratings"][:2]))
        items = f"{len(counts.table)} items of {record.get('dataset', path.name)} have more ratings"
        wanted = f"expected at least 2, to be the arms; the most rated have {most}"
        raise DatasetError(f"m0 = {m0}: {found} of the {items}, {wanted}")
    if m0 < (least := record.get("config", {}).get("least", 0)):
        raise DatasetError(
            f"m0 = {m0}: {path} has only items with more than {least} ratings: give such an m0 to "
            "an experiment of the config itself, not to a scenario alone"
        )
    rewards = ratings.reward_distributions(counts, m0, context.interpretations.movielens_rewards)
    n_arms = rewards.means.size
    fairness = np.full(n_arms, tau / n_arms)
    label = f"m₀ = {format_number(m0)}"
    return Case(f"m0_{m0}", rewards.means, fairness, rewards, label=label, m0=m0)


def movies_with_rates(section: Any, context: Context) -> Iterator[tuple[Case, FloatArray]]:
    """Yield the bandit of each m0 of a section, and A_k, half the spread of its means."""
    for m0 in section.m0:
        bandit = movie_bandit(context, m0, section.fairness)
        yield bandit, half_spread(bandit.means)
