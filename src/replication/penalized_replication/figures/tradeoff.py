"""Reward against unfairness, and the gain over rivals at equal unfairness (Figures 3 and 5)."""

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.rules import MoreAtEveryLevel
from penalized_replication.figures import base
from penalized_replication.figures.base import Tables, Values, select, summary_of
from penalized_replication.figures.panels import CaseGrid, Drawing, policy_handles, say
from penalized_replication.figures.style import FRONTIER_COLOUR, SHADE, entry, look_of, tidy
from penalized_replication.storage.tables import read_table

NEGLIGIBLE = MoreAtEveryLevel.negligible  # share of the frontier's range of reward
TAIL = 0.05  # of the panel's width; runs nearer to the fairest one are about as fair
GAIN, REWARD = "Gain (% of the range)", "Reward over T rounds"
UNFAIRNESS = "Unfairness (pulls short of τT, all arms)"
_ORACLE: Values = {"color": FRONTIER_COLOUR, "linewidth": 1.2}


def _curve(table: pd.DataFrame, policy: str) -> pd.DataFrame:
    """Return reward and unfairness of a policy with half widths, a row for each tuning.

    The half width of the reward is that of the loss against always pulling the best arm:
    what the drawn instances add to every policy's reward alike is left out.
    """
    rows = select(table, policy=policy).sort_values("tuning", kind="stable")
    rows = rows.assign(half=(rows["ci_high"] - rows["ci_low"]) / 2)
    metrics = ("expected_reward", "reward_loss", "unfairness")
    reward, loss, unfairness = (select(rows, metric=m).reset_index() for m in metrics)
    halves = {"reward_half": loss["half"], "unfairness_half": unfairness["half"]}
    return pd.DataFrame({"reward": reward["mean"], "unfairness": unfairness["mean"], **halves})


def lowest(curve: pd.DataFrame, near: float) -> float:
    """Return the least reward of a curve; of runs about as fair as its fairest the best counts."""
    fair = curve["unfairness"] <= curve["unfairness"].min() + near
    shown = curve["reward"] - curve["reward_half"].fillna(0)
    return min(shown[~fair].min() if (~fair).any() else np.inf, shown[fair].max())


def draw_curves(tables: Tables, grid: CaseGrid, columns: int | None) -> Drawing:
    """Draw the curves of the cases in the panels of a grid, and a legend of so many columns."""
    table, frontiers = summary_of(tables), read_table(tables["frontier"])
    thin = {"markersize": 2.4, "linewidth": 0.9, "elinewidth": 0.6}
    for axes, case in (panel for panel in grid if not panel[0].has_data()):
        rows, frontier = select(table, case=case), select(frontiers, case=case)
        axes.plot(frontier["unfairness"], frontier["expected_reward"], **_ORACLE, zorder=1)
        curves = {policy: _curve(rows, policy) for policy in rows["policy"].unique()}
        for place, (policy, curve) in enumerate(curves.items()):
            axes.errorbar(
                curve["unfairness"],
                curve["reward"],
                xerr=np.nan_to_num(curve["unfairness_half"]),
                yerr=np.nan_to_num(curve["reward_half"]),
                # The first policy named is the one that the figure is about.
                zorder=3 + len(curves) - place,
                label=policy,
                **{**look_of(policy).style, **thin},
            )
        # Policies reach a small part of the frontier: show that part.
        points = pd.concat(curves.values())
        most = (points["unfairness"] + points["unfairness_half"].fillna(0)).max()
        right = max(1.06 * most, 1.0)  # a little beyond
        top = np.interp(right, frontier["unfairness"], frontier["expected_reward"])
        bottom = min(lowest(curve, TAIL * right) for curve in curves.values())
        margin = 0.05 * (top - bottom)
        axes.set_xlim(-0.04 * right, right)
        axes.set_ylim(bottom - margin, top + margin)
        tidy(axes)
        arms = f" (K = {rows['n_arms'].iloc[0]})" if len({*table["law"]}) == 1 else ""
        label = f"{rows['label'].iloc[0]}{arms}"
        # In lines; a number stays beside its name.
        wrapped = textwrap.fill(label.replace(" = ", "\u00a0=\u00a0"), 12)
        grid.title(axes, wrapped if columns else label, fontsize=6.2 if columns else 6.8)
    grid.figure.supxlabel(UNFAIRNESS)
    return grid.legend([*policy_handles(table), entry("Oracle frontier", **_ORACLE)], columns)


def draw_gains(axes: Axes, gains: Iterable[Mapping[str, Any]], looks: Values | None = None) -> None:
    """Draw the hard threshold's reward less each rival's, at equal unfairness.

    ``gains`` are facts of a claim: a case, a rival, levels, and shares of the frontier's range at
    these.  ``looks`` are dashes by case, where not those of the rival.
    """
    if not (gains := [*gains]):
        say(axes, 0.5, 0.5, "no gains to compare")
    axes.axhspan(-100 * NEGLIGIBLE, 100 * NEGLIGIBLE, color=SHADE, linewidth=0, zorder=0.5)
    axes.axhline(0, color=look_of(PAPER_POLICY).colour, linewidth=0.9, zorder=1)
    for gain in gains:
        look, at = look_of(gain["rival"]), gain["levels"]
        # None, in files, stands for NaN: of one replicate no interval is known.
        ends = ("low", "estimate", "high")
        low, value, high = (100 * np.array(gain[end], np.float64) for end in ends)
        style = {**look.style, "linestyle": (looks or {}).get(gain["case"], look.dashes)}
        axes.plot(at, value, **style, markersize=2.0, linewidth=0.8, zorder=3)
        axes.fill_between(at, low, high, color=look.colour, alpha=0.25, linewidth=0, zorder=2)
    tidy(axes)


def gains_of(tables: Tables) -> list[Mapping[str, Any]]:
    """Return the gains, which are facts of the measured claims on the setting."""
    return [gain for claim in base.claims_of(tables) for gain in claim.facts.get("gains", ())]


def tradeoff_values(tables: Tables, drawn: Drawing) -> Values:
    """Return what captions need: claims, gains, their unit, and points below the panels drawn.

    ``lost`` has a rival's case in which it earns more at every level, and by how much.
    """
    below = [
        (curve.get_label(), *point)
        for axes in drawn.axes
        for curve in axes.containers
        for point in curve[0].get_xydata()
        if point[1] < axes.get_ylim()[0]
    ]
    cases = summary_of(tables).drop_duplicates("case").set_index("case")
    lost: list[Values] = []
    rest: list[float] = []
    for gain in gains_of(tables):
        shares = [100 * share for share in gain["estimate"] if share is not None]
        if shares and all(high is not None and high < 0 for high in gain["high"]):
            about: Values = {x: cases.loc[gain["case"], x] for x in ("label", "n_arms")}
            lost.append({"rival": gain["rival"], "by": -min(shares), **about})
        else:
            rest += shares
    rewards = read_table(tables["frontier"]).groupby("case", sort=False)["expected_reward"]
    return {
        "claims": [claim.id for claim in base.claims_of(tables)],
        "negligible": f"{100 * NEGLIGIBLE:g}",
        "lost": lost,
        "least": min(rest, default=0.0),
        "ends": [end.replace("-", "−") for end in base.ends_of(rest, ".1f")],
        "units": [*dict.fromkeys(base.ends_of((rewards.max() - rewards.min()) / 100, ".1f"))],
        "cut": pd.DataFrame(below, columns=["policy", "unfairness", "reward"]),
    }
