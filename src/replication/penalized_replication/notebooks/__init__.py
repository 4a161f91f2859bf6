"""The notebooks of ``workflow/notebooks``, and helpers for use inside them."""

from typing import NamedTuple


class Notebook(NamedTuple):
    """Title, files it reads below the folder of results, experiments whose replicates it reads."""

    title: str
    tables: str = ""
    replicates: tuple[str, ...] = ()


NOTEBOOKS: dict[str, Notebook] = {
    "tour": Notebook("A tour: what a penalty does"),
    "intermediate_results": Notebook(
        "Inside the results: replicates, summaries, claims",
        "summaries/setting_1.csv claims/claims.csv claims/comparisons.csv "
        "movielens/provenance.json",
        ("setting_1",),
    ),
    "own_policy": Notebook("A policy and a bandit of your own"),
    "movielens_arms": Notebook(
        "The MovieLens arms and the price of fairness",
        "summaries/setting_3.csv summaries/setting_3_frontier.csv movielens/rating_counts.csv "
        "movielens/provenance.json",
        ("setting_3",),
    ),
}
