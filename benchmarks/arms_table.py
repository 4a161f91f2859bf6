"""Table ``arms``: what more arms cost, the engine choosing its loop."""

from benchmarks.effort import Effort
from benchmarks.instances import linear_instance
from benchmarks.policies_table import contender, size_of
from benchmarks.tables import Goal, Row, Table, headed
from benchmarks.timing import alternate, one_core, say, spread

NOTE = """
Hard threshold, medians [quartiles] over {repetitions} repetitions in turn, one core. T = 10,000 and
128 replicates; with 10,000 arms T = 200,000 and one replicate, in which blocks of arms are looked
at.
"""
FEW, MANY, LIMIT = 118, 10_000, 10
HEADINGS = {
    "arms": "K",
    "rewards": "rewards",
    "ns_per_pull": "ns per pull",
    "times_k118": f"times K = {FEW}",
}


def make(effort: Effort) -> Table:
    """Time the hard threshold for every number of arms, in turn."""
    rows: list[Row] = []
    goals: list[Goal] = []
    with one_core():
        for family in ("gaussian", "bernoulli"):
            say(f"arms: {family}")
            times = alternate(
                [
                    contender(
                        "hard_threshold_ucb",
                        linear_instance(n_arms, family),
                        *size_of("hard_threshold_ucb", n_arms, effort),
                        name=str(n_arms),
                    )
                    for n_arms in effort.arms
                ],
                effort.repetitions,
            )
            base = times[str(FEW if FEW in effort.arms else effort.arms[0])]
            for n_arms in effort.arms:
                ns, ratio = spread(times[str(n_arms)]), spread(times[str(n_arms)] / base)
                found: Row = {"ns_per_pull": ns, "times_k118": ratio}
                rows.append({"arms": n_arms, "rewards": family, **found})
                if n_arms == MANY and FEW in effort.arms:
                    text = f"time per pull at K = {MANY:,} in units of that at K = {FEW}, {family}"
                    goals.append(Goal(text, LIMIT, ratio.median, str(ratio), at_least=False))
    note = NOTE.format(repetitions=effort.repetitions)
    view = headed(rows, HEADINGS)
    return Table("arms", "More arms", note, rows, view, goals)
