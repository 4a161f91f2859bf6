"""Figure 2: unfairness of each arm along the scale eta, Setting 2."""

from itertools import cycle

from penalized_bandits.policies import POLICIES
from penalized_bandits.theory.fluid import break_points
from penalized_replication.figures.base import Tables, Values, ends_of, select, summary_of
from penalized_replication.figures.panels import CaseGrid, Drawing
from penalized_replication.figures.style import entry, look_of, shades, tidy

DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1)), (0, (7, 1.5, 1.2, 1.5)))
"""Of arms, by turns: neighbours differ, in grey as well."""
_AT_T: Values = {"marker": "o", "markersize": 3.4, "markeredgewidth": 0.8, "markerfacecolor": "w"}
_AT_INFINITY: Values = {"marker": "|", "markersize": 6, "markeredgewidth": 1.2}


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each case (rows) and policy (columns)."""
    table = summary_of(tables, metric="arm_unfairness")
    # One hue from dark to light: the order of the arms is legible in grey.
    colours = zip(shades(int(table["arm"].max())), cycle(DASHES), strict=False)
    looks: list[Values] = [{"color": colour, "linestyle": dashes} for colour, dashes in colours]
    cases, policies = table["case"].unique(), table["policy"].unique()
    rows = [[(case, policy) for policy in policies] for case in cases]
    height, margin = (1.6, 0.9) if column else (1.95, 0.5)
    grid = CaseGrid(rows, height, margin=margin, sharex=True, sharey="row", column=column)
    for axes, (case, policy) in grid:
        rows = select(table, case=case, policy=policy)
        for arm in rows["arm"].unique():
            path = select(rows, arm=arm).sort_values("scale")
            band: Values = {"color": looks[arm - 1]["color"], "alpha": 0.25, "linewidth": 0}
            axes.fill_between(path["scale"], path["ci_low"], path["ci_high"], **band)
            axes.plot(path["scale"], path["mean"], **looks[arm - 1])
        arms = rows.drop_duplicates("arm").sort_values("arm")
        horizon = int(arms["horizon"].iloc[0])
        # Only differences of means matter.
        starts = break_points(-arms["gap"], arms["fairness_fraction"], horizon)
        for arm, start, gap in zip(arms["arm"], starts, arms["gap"], strict=True):
            look = {"color": looks[arm - 1]["color"], "zorder": 4, "clip_on": False}
            # The prediction is of policies whose scale is the penalty rate.
            if gap > 0 and not POLICIES[policy].ignores_penalties:
                axes.plot(start, 0, **_AT_T, **look)
                axes.plot(gap, 0, **_AT_INFINITY, **look)
        most = select(table, case=case)["mean"].max()
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.05 * most, 1.06 * most))
        tidy(axes)
        between = "\n" if column else " "
        grid.title(axes, f"{look_of(policy).label},{between}{rows['label'].iloc[0]}")
    grid.label("Scale η (1: fairest)", "Unfairness (pulls short of τT)", once=column)
    handles = [entry(f"arm {arm}", **look) for arm, look in enumerate(looks, start=1)]
    grey: Values = {"color": "0.3", "linestyle": "none"}
    handles.append(entry("turns unfair at this T (predicted)", **_AT_T, **grey))
    handles.append(entry("as T → ∞: at its gap Δ", **_AT_INFINITY, **grey))
    return grid.legend(handles, 3 if column else -(-len(handles) // 2))


def caption_values(tables: Tables) -> Values:
    """Return the first policy, and the ends of the largest eta at which an arm lacks a pull."""
    table = summary_of(tables, metric="arm_unfairness")
    policy = table["policy"].iloc[0]
    unfair = table[(table["policy"] == policy) & (table["mean"] >= 1)]
    last = unfair.groupby(["case", "arm"])["scale"].max()
    return {"policies": [policy], "ends": ends_of(last, ".2g")}
