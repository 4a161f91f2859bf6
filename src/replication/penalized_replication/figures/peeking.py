"""How often intervals miss: at some time, at the first significant look, at a fixed T."""

import pandas as pd
from matplotlib.axes import Axes

from penalized_replication.claims.sharp.peeking import ALPHA, OURS, TWO_ARMS, USUAL
from penalized_replication.figures.base import Drawing, Tables, Values, claim_of, select
from penalized_replication.figures.panels import CaseGrid, draw_means, policy_handles
from penalized_replication.figures.style import GREY, entry, look_of, tidy

EVER, FIRST, FIXED = "at some time", "once significant", "at T"
PROMISED = {EVER: ALPHA, FIRST: 1 - TWO_ARMS, FIXED: ALPHA}
FACES = {USUAL: "full", OURS: "none"}
PROMISE: Values = {"color": GREY, "linewidth": 0.9, "linestyle": (0, (1, 1.5))}
COLUMNS = ["shows", "kind", "bandit", "floors", "policy", "mean", "ci_low", "ci_high"]


def misses(tables: Tables) -> pd.DataFrame:
    """Return how often intervals miss, in per cent, from the parts of claims."""
    rows: list[list[object]] = []
    for claim, shows, kind, sign, unit in (
        ("S24", EVER, USUAL, 1, 1.0),
        ("S25", EVER, OURS, 1, 1.0),
        ("S26", FIRST, "", -1, 1.0),
        ("S27", FIXED, USUAL, 1, ALPHA),
    ):
        for part in claim_of(tables, "peeking_claims", claim).parts:
            ends = sorted(100 * unit * (x if sign > 0 else 1 - x) for x in (part.low, part.high))
            middle = 100 * unit * (part.estimate if sign > 0 else 1 - part.estimate)
            about = [kind or part.quantity, part.values["bandit"], part.values["floors"]]
            rows.append([shows, *about, part.policy, middle, *ends])
    return pd.DataFrame(rows, columns=COLUMNS)


def _panel(axes: Axes, rows: pd.DataFrame, shows: str, floors: list[float]) -> None:
    policies = rows["policy"].unique()
    for place, policy in enumerate(policies):
        for kind, face in FACES.items():
            hollow: Values = {} if kind == USUAL else {"fillstyle": face, "markersize": 5.5}
            points = select(rows, policy=policy, kind=kind)
            x = points["floors"].map(floors.index) + 0.14 * (place - (len(policies) - 1) / 2)
            draw_means(axes, x, points, **look_of(policy).style | hollow)
    axes.axhline(100 * PROMISED[shows], **PROMISE)
    axes.set_ylim(0, 100 if shows == EVER else None)
    axes.set_xticks(range(len(floors)), [f"{total:g}" for total in floors])
    tidy(axes)


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a row for each bandit of which first significant looks are known."""
    rows = misses(tables)
    floors = sorted(set(rows["floors"]))
    first = select(rows, shows=FIRST)
    bandits = (rows if first.empty else first)["bandit"].unique()
    panels = [[(bandit, shows) for shows in PROMISED] for bandit in bandits]
    grid = CaseGrid(panels, 1.55, margin=1.0, column=column)
    for axes, (bandit, shows) in grid:
        _panel(axes, select(rows, bandit=bandit, shows=shows), shows, floors)
        grid.title(axes, f"{bandit}, {shows}", fontsize=6.8)
    grid.label("Total of the floors, Σ τ", "Misses (%)")
    ever = select(rows[rows["bandit"].isin(bandits)], shows=EVER)
    low, high = (select(ever, kind=kind)["mean"] for kind in FACES)
    grid.figure.suptitle(
        "Means equal or close: the usual 95 % interval misses in "
        f"{low.min():.0f} to {low.max():.0f} of 100 runs,"
        f"\none that holds at all times in at most {high.max():.1f}",
        fontsize=7 if column else 8,
        fontweight="bold",
    )
    kinds = [entry(kind, color=GREY, marker="o", fillstyle=face) for kind, face in FACES.items()]
    handles = [*policy_handles(rows), *kinds, entry("promise", **PROMISE)]
    grid.figure.legend(handles=handles, loc="outside lower center", ncols=2 if column else 3)
    return grid.figure
