"""Interactive reward against unfairness: Settings 3 and 5, panel by panel."""

import csv
import math
from collections.abc import Sequence
from io import StringIO
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from penalized_bandits.common.numbers import estimate, format_number
from penalized_bandits.figures.base import select
from penalized_bandits.figures.style import FRONTIER_COLOUR, Look, look_of
from penalized_bandits.figures.tradeoff import METRICS
from penalized_bandits.policies import POLICIES

WIDE: dict[str, Any] = {"stroke": "transparent", "strokeWidth": 6, "strokeJoin": "round"}
"""Around a mark, so that it is met by a finger and not only by a pointer."""

_SHAPES = {
    "o": "circle",
    "s": "square",
    "^": "triangle-up",
    "D": "diamond",
    "v": "triangle-down",
    "P": "cross",
    "<": "triangle-left",
    # Vega has no filled X; this is one, within the square from -1 to 1.
    "X": "M-1,-.6L-.6,-1L0,-.4L.6,-1L1,-.6L.4,0L1,.6L.6,1L0,.4L-.6,1L-1,.6L-.4,0Z",
}


SILENT: dict[str, Any] = {"aria": False, "tooltip": None}
"""Marks that say nothing: neither to a pointer nor to who does not see them."""


def panel_names(table: pd.DataFrame) -> dict[str, str]:
    """Name the cases of a setting with a trade-off, for reading."""
    rows = table.drop_duplicates("case").sort_values("case").to_dict("records")
    movies = {row["case"]: f" (K = {row['n_arms']})" for row in rows if row["law"] == "categorical"}
    return {row["case"]: row["label"] + movies.get(row["case"], "") for row in rows}


def near() -> alt.Parameter:
    """Return what is chosen by pointing at it."""
    return alt.selection_point(name="near", on="pointerover", clear="pointerout", empty=False)


def _tuning(policy: str, value: float) -> str:
    if math.isnan(value):
        return "none"
    tuning = POLICIES[policy].tuning
    return f"{tuning.symbol if tuning else 'A'} = {format_number(value)}"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def points_of(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return one row a panel, policy and tuning: where it is drawn, and its text on hover.

    The bar of the reward is that of the loss against always pulling the best arm, as in
    the figures.
    """
    rows: list[dict[str, Any]] = []
    names = panel_names(table)
    for (case, policy), runs in table.groupby(["case", "policy"], sort=False):
        wide = (select(runs, metric=m).sort_values("tuning").to_dict("records") for m in METRICS)
        for order, (reward, loss, unfairness) in enumerate(zip(*wide, strict=True)):
            half = (loss["ci_high"] - loss["ci_low"]) / 2
            said = {"reward_text": reward, "loss_text": loss, "unfairness_text": unfairness}
            rows.append(
                {
                    "panel": names[str(case)],
                    "policy": POLICIES[str(policy)].label,
                    "tuning": _tuning(str(policy), float(reward["tuning"])),
                    "order": order,
                    "reward": _number(reward["mean"]),
                    "reward_low": _number(reward["mean"] - half),
                    "reward_high": _number(reward["mean"] + half),
                    "unfairness": _number(unfairness["mean"]),
                    "unfairness_low": _number(unfairness["ci_low"]),
                    "unfairness_high": _number(unfairness["ci_high"]),
                    **{
                        name: estimate(row["mean"], row["ci_low"], row["ci_high"])
                        for name, row in said.items()
                    },
                }
            )
    return rows


def frontier_of(
    frontier: pd.DataFrame, table: pd.DataFrame, points: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the part of each panel's frontier that the policies reach."""
    rows: list[dict[str, Any]] = []
    names = panel_names(table)
    for case, curve in frontier.groupby("case", sort=False):
        panel = names[str(case)]
        right = max(1.06 * max(p["unfairness"] for p in points if p["panel"] == panel), 1.0)
        x, y = curve["unfairness"].to_numpy(), curve["expected_reward"].to_numpy()
        drawn = np.append(x[x < right], right)
        rows += [
            {
                "panel": panel,
                "unfairness": round(float(a), 4),
                "reward": round(float(b), 4),
                "last": int(a == right),
            }
            for a, b in zip(drawn, np.interp(drawn, x, y), strict=True)
        ]
    return rows


def table_of(rows: Sequence[dict[str, Any]]) -> alt.InlineData:
    """Return rows for Vega as CSV: half the bytes of a list of objects."""
    text = StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    parse = {
        name: "string" if any(isinstance(row[name], str) for row in rows) else "number"
        for name in rows[0]
    }
    return alt.InlineData(values=text.getvalue(), format=alt.CsvDataFormat(type="csv", parse=parse))


def _dashes(look: Look) -> list[float]:
    return [1, 0] if look.dashes == "-" else list(look.dashes[1])


def tradeoff_chart(table: pd.DataFrame, frontier: pd.DataFrame, title: str) -> dict[str, Any]:
    """Return the specification of a setting's chart: a panel at a time, chosen from a list.

    ``title`` says what the chart is, for those who do not see it.
    """
    points = points_of(table)
    panels = list(dict.fromkeys(row["panel"] for row in points))
    policies = table["policy"].unique()
    looks, names = [look_of(p) for p in policies], [POLICIES[p].label for p in policies]
    chosen = alt.selection_point(
        name="panel",
        fields=["panel"],
        bind=alt.binding_select(options=panels, name="Panel"),
        value=panels[0],
    )
    pointed = near()
    x = alt.X("unfairness:Q").title("Unfairness Σₖ (τₖT − Nₖ)₊ (pulls)")
    x = x.scale(padding=8, nice=False).axis(tickCount=6, labelFlush=True)
    y = alt.Y("reward:Q").title("Total expected reward").scale(zero=False)
    # In two columns on a phone, where a row would be cut off; 0 is one row.
    columns = alt.ExprRef(expr="width < 420 ? 2 : 0")
    legend = alt.Legend(title=None, orient="top", symbolSize=70, columns=columns)
    colour = alt.Color(
        "policy:N", scale=alt.Scale(domain=names, range=[k.colour for k in looks]), legend=legend
    )
    shapes = alt.Scale(domain=names, range=[_SHAPES[k.marker] for k in looks])
    oracle = (
        alt.Chart(table_of(frontier_of(frontier, table, points)))
        .transform_filter(chosen)
        .encode(x=x, y=y)
    )
    frontier_line = oracle.mark_line(strokeWidth=1.6, color=FRONTIER_COLOUR, **SILENT)
    frontier_name = (
        oracle.transform_filter("datum.last")
        .mark_text(align="right", dx=-4, dy=-9, fontSize=12, color=FRONTIER_COLOUR, **SILENT)
        .encode(text=alt.value("Oracle frontier"))
    )
    base = alt.Chart().transform_filter(chosen).encode(x=x, y=y, color=colour)
    # One layer a policy: as a scale, dashes would be drawn around the marks of the legend.
    lines = [
        base.transform_filter(alt.FieldEqualPredicate(field="policy", equal=name))
        .mark_line(strokeWidth=1.4, strokeDash=_dashes(look), **SILENT)
        .encode(order="order:Q")
        for name, look in zip(names, looks, strict=True)
    ]
    across = base.mark_rule(strokeWidth=0.9, **SILENT).encode(
        x="unfairness_low:Q", x2="unfairness_high:Q"
    )
    upright = base.mark_rule(strokeWidth=0.9, **SILENT).encode(y="reward_low:Q", y2="reward_high:Q")
    marks = (
        base.mark_point(filled=True, opacity=1, **WIDE)
        .encode(
            shape=alt.Shape("policy:N", scale=shapes, legend=legend),
            size=alt.condition(pointed, alt.value(150), alt.value(45)),
            tooltip=[
                alt.Tooltip("policy:N", title="Policy"),
                alt.Tooltip("tuning:N", title="Tuning"),
                alt.Tooltip("reward_text:N", title="Reward [95 %]"),
                alt.Tooltip("loss_text:N", title="Below the best arm [95 %]"),
                alt.Tooltip("unfairness_text:N", title="Unfairness [95 %]"),
            ],
        )
        .add_params(chosen, pointed)
    )
    return (
        alt.layer(frontier_line, frontier_name, *lines, across, upright, marks)
        .properties(data=table_of(points[::-1]), height=360, description=title)
        .properties(width="container")
        .to_dict()
    )
