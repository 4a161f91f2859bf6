"""The figures: each has a line here."""

from penalized_replication.figures import Figure
from penalized_research import COMPARED

TABLE = {"comparison_by_case": "comparison_by_case.csv"}

EXTENDED = tuple(
    Figure(name, title, tables=TABLE, behind=COMPARED)
    for name, title in (
        ("all_policies_regret", "penalized regret of every policy against the lower bound"),
        ("all_policies_tradeoff", "reward lost against the oracle frontier at equal unfairness"),
    )
)

SHARP = (
    Figure(
        "sharp_constants",
        "regret over log T up to T = 10⁸ against its limits and the lower bound",
        studies=("sharp_short", "sharp_long", "sharp_kl", "sharp_longest", "sharp_longest_kl"),
    ),
    Figure(
        "minimax_rate",
        "regret over √(K T) on the worst gaps, with bounds free of the gaps",
        studies=("minimax_policies",),
    ),
    Figure(
        "floors",
        "regret under hard floors over the water level's and the soft level's unit",
        studies=("floors", "floors_many"),
    ),
)

CEILINGS = (
    Figure(
        "stairs",
        "regret over log T under floors and ceilings against its limits and the lower bound",
        studies=("stairs",),
    ),
)

CHANGING = (
    Figure(
        "renewed_floors",
        "dynamic penalized regret against T at eight changes of the means",
        studies=("renewed_floors",),
    ),
)

FIGURES = (*EXTENDED, *SHARP, *CEILINGS, *CHANGING)
