"""Penalized regret over its fluid prediction, under the conditions of Theorem 4.2 and without."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import seaborn as sns

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.fluid import predicted_regret
from penalized_replication.figures.base import Tables, Values, bandit_of, select, summary_of
from penalized_replication.figures.panels import CaseGrid, Drawing, chunks, horizon_axis, say
from penalized_replication.figures.style import GREY, entry, shades, tidy

LEAST = 5.0  # a smaller predicted regret, in units of reward, is no scale: it tends to 0 there
MEETS = "meets both, "
_PREDICTED: Values = {"color": GREY, "linewidth": 1.2}


def broken(bandits: Mapping[int, Instance]) -> str:
    """Return what a bandit, by horizon, breaks of Theorem 4.2's conditions; empty if nothing."""
    first, last = bandits[min(bandits)], bandits[max(bandits)]
    for name, symbol in (("fairness", "τ"), ("penalties", "A")):
        if not np.allclose(getattr(first, name), getattr(last, name)):
            return f"{symbol} depends on T"
    conditions = enumerate(conditions_4_2(last, max(bandits)), start=1)
    parts = [f"({'i' * place})" for place, one in conditions if not one.all()]
    return f"breaks {' and '.join(parts)}" if parts else ""


def ratios(tables: Tables) -> pd.DataFrame:
    """Return the hard threshold's regret, a row for each instance and horizon.

    New columns are ``title`` of the instance; ``group``, title of its panel; ``fluid``, the
    prediction; ``ratio``, ``low`` and ``high``, mean and interval over it, NaN below ``LEAST``.
    Instances that meet the theorem's conditions are first.
    """
    found: list[pd.DataFrame] = []
    for _, runs in summary_of(tables, "log_laws").groupby("instance", sort=False):
        rows = select(runs, metric="penalized_regret", policy=PAPER_POLICY).sort_values("horizon")
        horizons: list[int] = sorted(runs["horizon"].unique().tolist())
        bandits = {horizon: bandit_of(select(runs, horizon=horizon)) for horizon in horizons}
        fluid = np.array([predicted_regret(bandit, horizon) for horizon, bandit in bandits.items()])
        kept = bandits[horizons[-1]].optimal_or_critical.all()
        group = broken(bandits) or f"{MEETS}{'all Δ ≤ A' if kept else 'some Δ > A'}"
        rows = rows.assign(title=runs["label"].iloc[0], group=group, fluid=fluid)
        known = rows["fluid"].where(rows["fluid"] >= LEAST)
        ends = {"ratio": "mean", "low": "ci_low", "high": "ci_high"}
        found.append(rows.assign(**{name: rows[end] / known for name, end in ends.items()}))
    table = pd.concat(found)
    return table.sort_values("group", key=lambda group: ~group.str.startswith(MEETS), kind="stable")


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each group of instances."""
    table = ratios(tables)
    cases = chunks(table["group"].unique(), 2 if column else 3)
    grid = CaseGrid(cases, 1.75, margin=0.5, column=column, turned=False, sharex=True, sharey=True)
    for axes, group in grid:
        grid.title(axes, group)
        rows = select(table, group=group).dropna(subset="ratio")
        if rows.empty:
            say(axes, 0.5, 0.5, f"predictions below {LEAST:g}")
            continue
        hue = shades(rows["title"].nunique())
        axes.axhline(1, **_PREDICTED, zorder=1)
        for colour, (_, some) in zip(hue, rows.groupby("title", sort=False), strict=True):
            axes.vlines(some["horizon"], some["low"], some["high"], color=colour, linewidth=0.8)
        looks: Values = {"hue": "title", "style": "title", "palette": hue, "markers": True}
        looks |= {"dashes": False, "linewidth": 0.9, "markersize": 4.5, "markeredgewidth": 0.3}
        sns.lineplot(rows, x="horizon", y="ratio", ax=axes, errorbar=None, **looks)
        axes.legend(fontsize=6, loc="upper right", handlelength=1.5, labelspacing=0.3)
        axes.set(xlabel="", ylabel="")
        horizon_axis(axes, table["horizon"].tolist())
        tidy(axes)
    # Room for the legends.
    low, high = grid.axes[0, 0].get_ylim()
    grid.axes[0, 0].set_ylim(low, high + 0.3 * (high - low))
    grid.label("Horizon T (rounds)", "Penalized regret, measured over predicted", once=True)
    return grid.legend([entry("fluid prediction, nothing fitted", **_PREDICTED)])


def caption_values(tables: Tables) -> Values:
    """Return the ends of the ratios, and the largest regret where the prediction is no scale."""
    table = ratios(tables)
    rest, there = table["mean"][table["ratio"].isna()], table["ratio"].dropna()
    return {
        "ends": [] if there.empty else [f"{end:.2f}" for end in (there.min(), there.max())],
        "least": f"{LEAST:g}",
        "rest": "" if rest.empty else f"{rest.max() + 0.0:.1f}",
    }
