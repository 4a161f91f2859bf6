"""Interactive reward against unfairness: Settings 3 and 5, panel by panel."""

import math
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from penalized_bandits.common.numbers import estimate, format_number
from penalized_bandits.policies import POLICIES
from penalized_replication.figures.base import select
from penalized_replication.figures.style import FRONTIER_COLOUR, look_of
from penalized_replication.figures.tradeoff import METRICS

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
            numbers = {
                "reward": reward["mean"],
                "reward_low": reward["mean"] - half,
                "reward_high": reward["mean"] + half,
                "unfairness": unfairness["mean"],
                "unfairness_low": unfairness["ci_low"],
                "unfairness_high": unfairness["ci_high"],
            }
            said = {"reward_text": reward, "loss_text": loss, "unfairness_text": unfairness}
            texts = {k: estimate(x["mean"], x["ci_low"], x["ci_high"]) for k, x in said.items()}
            about = {
                "panel": names[str(case)],
                "policy": POLICIES[str(policy)].label,
                "tuning": _tuning(str(policy), float(reward["tuning"])),
                "order": order,
            }
            shown = {k: None if math.isnan(x) else round(x, 4) for k, x in numbers.items()}
            rows.append({**about, **shown, **texts})
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
        for a, b in zip(drawn.tolist(), np.interp(drawn, x, y).tolist(), strict=True):
            place = {"unfairness": round(a, 4), "reward": round(b, 4)}
            rows.append({"panel": panel, **place, "last": int(a == right)})
    return rows


def vega_csv(rows: Sequence[dict[str, Any]]) -> alt.InlineData:
    """Return rows for Vega as CSV: half the bytes of a list of objects."""
    words = {name for row in rows for name, value in row.items() if isinstance(value, str)}
    parse = {name: "string" if name in words else "number" for name in rows[0]}
    text = pd.DataFrame(rows).to_csv(index=False, lineterminator="\n")
    return alt.InlineData(values=text, format=alt.CsvDataFormat(type="csv", parse=parse))


def tradeoff_chart(table: pd.DataFrame, frontier: pd.DataFrame, title: str) -> dict[str, Any]:
    """Return the specification of a setting's chart: a panel at a time, chosen from a list.

    ``title`` says what the chart is, for those who do not see it.
    """
    points = points_of(table)
    panels = list(dict.fromkeys(row["panel"] for row in points))
    looks = {POLICIES[policy].label: look_of(policy) for policy in table["policy"].unique()}
    choice = alt.binding_select(options=panels, name="Panel")
    chosen = alt.selection_point(name="panel", fields=["panel"], bind=choice, value=panels[0])
    pointed = near()
    x = alt.X("unfairness:Q").title("Unfairness Σₖ (τₖT − Nₖ)₊ (pulls)")
    x = x.scale(padding=8, nice=False).axis(tickCount=6, labelFlush=True)
    y = alt.Y("reward:Q").title("Total expected reward").scale(zero=False)
    # In two columns on a phone, where a row would be cut off; 0 is one row.
    columns = alt.ExprRef(expr="width < 420 ? 2 : 0")
    legend = alt.Legend(title=None, orient="top", symbolSize=70, columns=columns)
    colours = alt.Scale(domain=[*looks], range=[look.colour for look in looks.values()])
    shapes = alt.Scale(domain=[*looks], range=[_SHAPES[look.marker] for look in looks.values()])
    oracle = alt.Chart(vega_csv(frontier_of(frontier, table, points)))
    oracle = oracle.transform_filter(chosen).encode(x=x, y=y)
    frontier_line = oracle.mark_line(strokeWidth=1.6, color=FRONTIER_COLOUR, **SILENT)
    frontier_name = (
        oracle.transform_filter("datum.last")
        .mark_text(align="right", dx=-4, dy=-9, fontSize=12, color=FRONTIER_COLOUR, **SILENT)
        .encode(text=alt.value("Oracle frontier"))
    )
    colour = alt.Color("policy:N", scale=colours, legend=legend)
    base = alt.Chart().transform_filter(chosen).encode(x=x, y=y, color=colour)
    # One layer a policy: as a scale, dashes would be drawn around the marks of the legend.
    lines = []
    for name, look in looks.items():
        dashes = [1, 0] if look.dashes == "-" else list(look.dashes[1])
        own = base.transform_filter(alt.FieldEqualPredicate(field="policy", equal=name))
        line = own.mark_line(strokeWidth=1.4, strokeDash=dashes, **SILENT)
        lines.append(line.encode(order="order:Q"))
    bar = base.mark_rule(strokeWidth=0.9, **SILENT)
    across = bar.encode(x="unfairness_low:Q", x2="unfairness_high:Q")
    upright = bar.encode(y="reward_low:Q", y2="reward_high:Q")
    titles = {"policy": "Policy", "tuning": "Tuning", "reward_text": "Reward [95 %]"}
    titles |= {"loss_text": "Below the best arm [95 %]", "unfairness_text": "Unfairness [95 %]"}
    marks = base.mark_point(filled=True, opacity=1, **WIDE).encode(
        shape=alt.Shape("policy:N", scale=shapes, legend=legend),
        size=alt.condition(pointed, alt.value(150), alt.value(45)),
        tooltip=[alt.Tooltip(f"{field}:N", title=words) for field, words in titles.items()],
    )
    layers = (frontier_line, frontier_name, *lines, across, upright)
    return (
        alt.layer(*layers, marks.add_params(chosen, pointed))
        .properties(data=vega_csv(points[::-1]), height=360, width="container", description=title)
        .to_dict()
    )
