"""The notebooks, one file each in ``workflow/notebooks``.  A new one is a file and an entry here.

They are run and rendered by ``run.py`` and ``page.py``, which import papermill and nbconvert;
``tables.py`` and ``picture.py`` are for use inside of them.  Reading the list costs nothing.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Notebook:
    """A notebook and what it stands on."""

    id: str
    """Name of its file without the suffix."""
    title: str
    description: str
    """What a reader finds in it, in one sentence."""
    tables: tuple[str, ...] = ()
    """Files that it reads, relative to the folder of results."""
    replicates: tuple[str, ...] = ()
    """Settings and studies whose tables of replicates it reads."""

    @property
    def path(self) -> str:
        """Its file in the project."""
        return f"workflow/notebooks/{self.id}.ipynb"

    @property
    def reads_results(self) -> bool:
        """Whether it takes the folder of results as a parameter."""
        return bool(self.tables or self.replicates)


NOTEBOOKS: dict[str, Notebook] = {
    notebook.id: notebook
    for notebook in (
        Notebook(
            "tour",
            "A tour: what a penalty does",
            "One small bandit, played round by round: which arm was pulled and why, what the "
            "penalty rate changes, and what it costs.",
        ),
        Notebook(
            "intermediate_results",
            "Inside the results: replicates, summaries, claims",
            "Where the numbers come from: a summary computed again from replicates, the "
            "distributions behind the means of Figure 1, and the parts of its claims.",
            tables=(
                "summaries/setting_1.csv",
                "claims/claims.csv",
                "claims/parts.csv",
                "movielens/provenance.json",
            ),
            replicates=("setting_1",),
        ),
        Notebook(
            "own_policy",
            "A policy and a bandit of your own",
            "A new policy in a few lines, compared with the paper's on common rewards and "
            "checked against the oracle in plain Python.",
        ),
        Notebook(
            "movielens_arms",
            "The MovieLens arms and the price of fairness",
            "Which movies the arms are, what fairness costs on them, and which movies lose "
            "pulls under each policy.",
            tables=(
                "summaries/setting_3.csv",
                "summaries/setting_3_frontier.csv",
                "movielens/rating_counts.csv",
                "movielens/provenance.json",
            ),
            replicates=("setting_3",),
        ),
    )
}
"""All notebooks, in the order of reading."""
