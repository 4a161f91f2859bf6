"""Figure 1 with UCB1 and up to long horizons: regret, its spread over draws, and who is ahead."""

import math
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import wilson
from penalized_bandits.theory.limits import linear_constant
from penalized_bandits.theory.lower_bound import lower_bound
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.horizon_series import bandit_at, regret_of
from penalized_replication.figures import EVERY_FIGURE, base, overtaking, panels, style, tables_of
from penalized_replication.figures.overtaking import CLAIM, FIGURE_1_ENDS, is_drawn, rounded
from penalized_replication.storage.replicates import read_replicates

BAND = "#8FB8D8"
PAIR = (PAPER_POLICY, "ucb1")
_BOUND: base.Values = {"color": style.GREY, "linestyle": (0, (4, 2)), "linewidth": 0.9}
_SHARES: tuple[base.Values, ...] = (
    {"color": "0.2", "marker": "o", "linestyle": "-", "markerfacecolor": "w"},
    {"color": "0.5", "marker": "s", "linestyle": (0, (5, 1.5))},
)
"""Looks of shares of draws, by number of arms in turn."""
PAGE_SHAPE = (1200, 630)  # pixels of the picture that links to a page are shown with


@cache
def draws_of(*replicates: Path | str) -> pd.DataFrame:
    """Return regret and lower bound of each replicate of the drawn bandits, by its number.

    ``worth`` is whether an arm has 0 < Delta < A: without one UCB1 stays ahead.
    """
    found: list[pd.DataFrame] = []
    for run in (run for run in read_replicates(replicates) if is_drawn(run.case)):
        bound = lower_bound(bandit_at(run, slice(None)), run.horizon)
        worth = linear_constant(run.bandits) > 0
        about: base.Values = {"case": run.case, "policy": run.policy, "horizon": run.horizon}
        about |= {"n_arms": run.info.n_arms, "total_fairness": run.info.total_fairness}
        about |= {"regret": regret_of(run), "bound": bound, "worth": worth}
        found.append(pd.DataFrame(about))
    return pd.concat(found).reset_index(names="replicate")


def mark(axes: Axes, crossing: Comparison, who: str = "") -> None:
    """Mark where the hard threshold overtakes, with its interval; write it below the title."""
    words = crossing.reason or f"{crossing.values['change']} by T = {crossing.values['last']:,}"
    if crossing.values.get("change") == "not yet":  # the last T by which that is shown
        words = f"not by T = {crossing.low:,.0f}"
    if not math.isnan(crossing.estimate):
        left, right = axes.get_xlim()
        low, high = max(crossing.low, left), min(crossing.high, right)
        axes.axvspan(low, high, color=BAND, linewidth=0, zorder=0.6)
        colour = style.look_of(PAPER_POLICY).colour
        axes.axvline(crossing.estimate, color=colour, linewidth=1.0, zorder=1.5)
        known = crossing.low > 0 and math.isfinite(crossing.high)
        words = f" [{rounded(crossing.low)}, {rounded(crossing.high)}]" if known else ""
        words = f"{who}{crossing.values['change']} at T = {rounded(crossing.estimate)}{words}"
    place: base.Values = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "top"}
    note = axes.annotate(words, (0, 1), (0, 11.8), fontsize=6, linespacing=1.25, **place)
    # The title makes room above; to the right it may go on over the gap between panels.
    note.set_in_layout(False)


def shade(axes: Axes) -> float:
    """Shade the horizons of the paper's Figure 1; return where they end."""
    left, right = axes.get_xlim()
    ends = min(max(FIGURE_1_ENDS, left), right)
    axes.axvspan(left, ends, color=style.SHADE, linewidth=0, zorder=0.4)
    return ends


def _draw_cell(axes: Axes, rows: pd.DataFrame, draws: pd.DataFrame) -> None:
    """Draw mean regrets, their spread over draws, and the mean lower bound."""
    for policy, some in draws[draws["policy"].isin(PAIR)].groupby("policy"):
        # Bands hold 80 % of the draws.
        low, high = (some.groupby("horizon")["regret"].quantile(share) for share in (0.1, 0.9))
        colour = style.look_of(str(policy)).colour
        axes.fill_between(low.index, low, high, color=colour, alpha=0.13, linewidth=0)
    axes.plot(draws.groupby("horizon")["bound"].mean(), **_BOUND, zorder=2)
    first = rows["policy"].isin(PAIR)
    panels.draw_policies(axes, rows[~first], linewidth=0.7, markersize=1.8, elinewidth=0.5)
    panels.draw_policies(axes, rows[first], linewidth=1.4, markersize=2.6, elinewidth=0.7)
    panels.log_axes(axes, sorted(rows["horizon"].unique()))


def _draw_shares(axes: Axes, draws: pd.DataFrame) -> None:
    """Draw the share of draws in which the hard threshold has less regret, by number of arms."""
    for (_, some), look in zip(draws.groupby("n_arms", sort=False), _SHARES, strict=False):
        by_policy = some.pivot_table("regret", ["replicate", "horizon"], "policy")
        ahead = by_policy[PAIR[0]].lt(by_policy[PAIR[1]]).groupby("horizon").agg(["sum", "size"])
        shares = [wilson(int(x), int(n)).interval for x, n in ahead.itertuples(index=False)]
        rows = 100 * pd.DataFrame(shares, columns=["mean", "ci_low", "ci_high"])
        every = max(1, len(rows) // panels.MARKERS)
        few = {"markevery": every, "errorevery": every, "markersize": 2.6, "elinewidth": 0.7}
        panels.draw_means(axes, ahead.index, rows, **few, **look)
        axes.axhline(100 * some["worth"].mean(), color=look["color"], linestyle=":", linewidth=0.9)
    axes.set_ylim(-4, 104)


def draw(tables: base.Tables, *, column: bool = False) -> base.Drawing:
    """Draw the cells of Figure 1, below them shares of draws; in one column the first crossing."""
    every = base.summary_of(tables, "crossover", "setting_1", metric="penalized_regret")
    table = every[every["case"].map(is_drawn) & (every["setting"] == "crossover")]
    draws, horizons = draws_of(*tables["crossover_replicates"]), sorted(every["horizon"].unique())
    crossed = {one.case: one for one in base.comparisons_of(tables, CLAIM) if is_drawn(one.case)}
    if column:
        first = next(iter(overtaking.crossings([*crossed.values()])), None)
        case = first.case if first else table["case"].iloc[0]
        return _example(base.select(table, case=case), base.select(draws, case=case), first)
    # Of policies that are there twice the longer runs.
    longer = every["setting"].eq("crossover") | ~every["policy"].isin(table["policy"])
    both = every[every["case"].isin(table["case"]) & longer]
    rows = [some["case"].unique() for _, some in table.groupby("n_arms", sort=False)]
    totals = table["total_fairness"].unique().tolist() if {*PAIR} <= {*draws["policy"]} else []
    labels = ["Penalized regret R(T)"] * len(rows) + ["Share of draws (%)"]
    rows += [totals] if totals else []
    grid = panels.CaseGrid(rows, 1.95, margin=0.8, sharex=True, sharey="row")
    for axes, case in grid:
        if case in totals:
            _draw_shares(axes, base.select(draws, total_fairness=case))
            grid.title(axes, f"hard threshold ahead, τ = {case:g}")
        else:
            _draw_cell(axes, base.select(both, case=case), base.select(draws, case=case))
            grid.title(axes, base.select(table, case=case)["label"].iloc[0], pad=14.8)
        panels.horizon_axis(axes, horizons)
        panels.tidy(axes)
        shade(axes)
        if case in crossed:
            mark(axes, crossed[case])
    grid.label_rows(*labels[: len(rows)])
    grid.figure.supxlabel("Horizon T (rounds)")
    patches = {f"T ≤ {FIGURE_1_ENDS:,}": style.SHADE, "hard threshold overtakes UCB1": BAND}
    patches["bands: 80 % of draws"] = "0.82"
    numbers = zip(table["n_arms"].unique(), _SHARES, strict=False)
    marks = [
        style.entry("lower bound, mean", **_BOUND),
        *(Patch(facecolor=colour, linewidth=0, label=label) for label, colour in patches.items()),
        *(style.entry(f"ahead, K = {n}", **look) for n, look in numbers if totals),
    ]
    return grid.legend([*panels.policy_handles(both), *marks], 4)


def _example(table: pd.DataFrame, draws: pd.DataFrame, crossing: Comparison | None) -> base.Drawing:
    """Draw the two curves of one cell with their names, and where they cross."""
    size = (style.COLUMN_WIDTH, style.COLUMN_WIDTH * PAGE_SHAPE[1] / PAGE_SHAPE[0])
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    table = table[table["policy"].isin(PAIR)].sort_values("horizon")
    _draw_cell(axes, table, draws)
    last, ends = table["horizon"].max(), shade(axes)
    beside: base.Values = {"textcoords": "offset points", "annotation_clip": False}
    beside |= {"fontsize": 6.5, "linespacing": 1.15}
    bound = base.select(draws, horizon=last)["bound"].mean()
    late = base.select(table, horizon=last).set_index("policy")["mean"]
    names = [(mean, style.look_of(str(policy))) for policy, mean in late.items()]
    of_policies = ((mean, look.label, look.colour) for mean, look in names)
    for mean, name, colour in (*of_policies, (bound, "lower bound", style.GREY)):
        bold: base.Values = {"color": colour, "weight": "bold", "va": "center", **beside}
        axes.annotate(name.replace(" ", "\n"), (last, mean), (6, 0), **bold)
    if ends < axes.get_xlim()[1]:
        words, place = "the paper\nstops here", (ends, axes.get_ylim()[1])
        axes.annotate(words, place, (-3, -3), ha="right", va="top", color=style.GREY, **beside)
    if crossing is not None:
        mark(axes, crossing, f"{style.look_of(PAPER_POLICY).label} ")
    late_win = crossing is not None and crossing.estimate > FIGURE_1_ENDS
    title = overtaking.FINDING if late_win else "Penalized regret against the horizon"
    figure.suptitle(title, x=0.01, ha="left", fontsize=9, weight="bold")
    about = f"mean and 80 % of {table['n_replicates'].max()} draws, {table['label'].iloc[0]}"
    axes.set_title(f"Less is better; {about}", loc="left", fontsize=6.5, pad=14.8)
    axes.set_xlabel("Horizon T (rounds)", fontsize=6.5)
    axes.set_ylabel("Penalized regret", fontsize=6.5)
    return figure


def save_preview(results: Path, target: Path) -> None:
    """Write the form of one column, from a folder of results, as a PNG of `PAGE_SHAPE`."""
    paths: base.Values = {}
    for name, path in tables_of(EVERY_FIGURE["theory_crossover"]).items():
        parts = (results / path).glob("*.parquet")  # of replicates, in order: 2of12 before 10of12
        paths[name] = sorted(parts, key=lambda p: (len(p.name), p.name)) or results / path
    drawn = base.draw_figure(EVERY_FIGURE["theory_crossover"], paths, column=True)
    plt.rcParams["savefig.dpi"] = PAGE_SHAPE[0] / drawn.get_figwidth()
    base.write_drawing(drawn, target)


def caption_values(tables: base.Tables) -> base.Values:
    """Return where the curves cross, and in what share of the draws of the fewest arms never."""
    late = [one for one in base.comparisons_of(tables, CLAIM) if is_drawn(one.case)]
    horizons = [crossing.estimate for crossing in overtaking.crossings(late)]
    draws = draws_of(*tables["crossover_replicates"])
    fewest = base.select(draws, n_arms=draws["n_arms"].min())
    never = 100 - 100 * fewest.groupby("case")["worth"].mean()
    return {
        "measured": bool(late),
        "crossed": [*dict.fromkeys(rounded(f(horizons)) for f in (min, max))] if horizons else [],
        "least": draws["n_arms"].min(),
        "never": [*dict.fromkeys(base.ends_of(never[never > 0], ".1f"))],
    }
