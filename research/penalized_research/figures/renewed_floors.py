"""Dynamic penalized regret against T where floors are renewed and few changes are abrupt."""

from penalized_bandits.comparison.looks import looks_of
from penalized_bandits.policies import POLICIES
from penalized_replication.figures.base import Drawing, Tables, select, summary_of
from penalized_replication.figures.panels import CaseGrid, draw_means, log_axes
from penalized_replication.figures.style import entry
from penalized_research.rivals import RIVALS


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw each policy with the tuning of least mean regret at each T."""
    rows = summary_of(tables, *tables, metric="penalized_regret").sort_values("mean")
    rows = rows.drop_duplicates(["policy", "horizon"]).sort_values("horizon")
    rules = POLICIES | {rival.id: rival for rival in RIVALS}
    drawn = [rules[policy] for policy in rules if policy in set(rows["policy"])]
    looks = looks_of(drawn, [rule.label for rule in drawn])
    grid = CaseGrid([["wide"]], 2.6, margin=0.9, column=column)
    horizons = sorted(rows["horizon"].unique())
    for axes, _ in grid:
        for rule, look in zip(drawn, looks, strict=True):
            own = select(rows, policy=rule.id)
            draw_means(axes, own["horizon"], own, **look.style)
        log_axes(axes, horizons)
        axes.set_xticks(horizons)
    grid.label("Horizon T (rounds)", "Dynamic penalized regret")
    return grid.legend([entry(look.label, **look.style) for look in looks], 2 if column else 3)
