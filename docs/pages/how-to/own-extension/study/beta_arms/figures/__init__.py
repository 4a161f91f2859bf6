"""The figures: a line for each."""

from penalized_replication.figures import Figure

FIGURES = (
    Figure(
        "regret_by_arms",
        "penalized regret against the number of arms",
        studies=("seventh",),
        claims=("B01",),
    ),
)
