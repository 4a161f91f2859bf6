"""Verdicts of the claims under each alternative reading of the paper."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from penalized_replication.claims.joined.verdicts import NEEDED
from penalized_replication.figures.base import Drawing, Tables, Values, in_order
from penalized_replication.figures.case_grid import CaseGrid, chunks
from penalized_replication.figures.style import entry
from penalized_replication.storage.files import is_published
from penalized_replication.storage.summaries import read_table

CLAIMS_A_COLUMN = 20
"""More claims than this are set in two blocks side by side."""
READINGS = {
    "readings.log_of: n-1": ("R1", "log(n − 1)\nin the index"),
    "readings.means: once": ("R4", "means drawn\nonce"),
    "readings.movielens_rewards: fraction": ("R8", "movie reward:\nrating/highest"),
    "readings.setting_4_rewards: bernoulli": ("R10", "Setting 4:\nBernoulli rewards"),
    "readings.lfg: original": ("R13", "LFG as first\npublished"),
}
"""Numbers of the readings in the config's list, and what their alternatives mean."""


def _mark(colour: str, marker: str, face: str) -> Values:
    return {"color": colour, "marker": marker, "markerfacecolor": face, "linestyle": "none"}


MARKS: dict[str, Values] = {
    "reproduced": _mark("#0B5D43", "o", "#0B5D43"),
    "consistent": _mark("#0A4F82", "^", "#DCEBF8"),
    "partly": _mark("#6D4A00", "D", "#FBECC9"),
    "not reproduced": _mark("#8F3300", "X", "#8F3300"),
    "undecided": _mark("#474C53", "o", "white"),
    "identity": _mark("#474C53", "s", "#E9EBEE"),
    "not measured": _mark("#474C53", "x", "#474C53"),
}
"""Marks of verdicts in the colours of the page; shapes and filling differ in grey as well."""
ALWAYS = ("reproduced", "partly", "not reproduced")
"""Verdicts that the legend explains whether they are there or not."""

_EMPTY: Values = {"color": "#BBBBBB", "marker": ".", "linestyle": "none"}


def _named(changes: str) -> tuple[str, str]:
    """Return number and words of what a scenario changes; of a user's own, as it is."""
    return READINGS.get(changes, ("", changes))


def _symbol(axes: Axes, x: float, y: float, verdict: str) -> None:
    mark = MARKS[verdict]
    size = 4.6 if mark["marker"] == "D" else 5.4
    axes.plot(x, y, **mark, markeredgewidth=0.9, markersize=size, clip_on=False, zorder=3)


def _block(axes: Axes, table: pd.DataFrame, claims: Sequence[str]) -> None:
    columns = in_order(table["changes"])
    cells = {(row.id, row.changes): row for row in table.itertuples()}
    default = table.drop_duplicates("id").set_index("id")["paper_verdict"]
    for y, claim in enumerate(claims):
        _symbol(axes, 0, y, str(default[claim]))
        for x, changes in enumerate(columns, start=1):
            cell = cells.get((claim, changes))
            if cell is None:
                axes.plot(x, y, **_EMPTY, markersize=1.6)
                continue
            _symbol(axes, x, y, str(cell.verdict))
            if cell.changed:
                frame = {"fill": False, "edgecolor": "black", "linewidth": 1.1}
                box = axes.add_patch(Rectangle((x - 0.36, y - 0.42), 0.72, 0.84, **frame))
                box.set_gid(f"changed {claim} {cell.scenario}")
    for y in np.arange(4.5, len(claims) - 1, 5):
        axes.axhline(float(y), color="#D0D0D0", linewidth=0.5, zorder=1)
    axes.axvspan(-0.5, 0.5, color="#F2F2F2", linewidth=0, zorder=0)
    axes.set_xlim(-0.5, len(columns) + 0.5)
    axes.set_yticks(range(len(claims)), claims)
    heads = ["default", *(_named(column)[1] for column in columns)]
    axes.set_xticks(range(len(heads)), heads, rotation=50, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=6.5)
    axes.spines[:].set_visible(False)


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a row for each claim and a column for each alternative reading."""
    table = read_table(tables["verdicts"], needed=NEEDED)
    claims = sorted(in_order(table["id"]), key=lambda name: (name[:3], name))
    n_blocks = 1 if column or len(claims) <= CLAIMS_A_COLUMN else 2
    length = -(-len(claims) // n_blocks)
    grid = CaseGrid([chunks(claims, length)], 0.19 * length, margin=1.5, column=column)
    for axes, some in grid:
        _block(axes, table, some)
        # Rows of both blocks have one height.
        axes.set_ylim(length - 0.5, -0.5)
    known = {*ALWAYS, *table["verdict"], *table["paper_verdict"]}
    handles = [entry(name, markersize=5, **mark) for name, mark in MARKS.items() if name in known]
    handles.append(entry("changed", markersize=7, **_mark("black", "s", "none")))
    handles.append(entry("cannot change", markersize=2, **_EMPTY))
    columns = 3 if column else -(-len(handles) // 2) if len(handles) > 6 else None
    return grid.legend(handles, columns)


def caption_values(tables: Tables, _: object) -> Values:
    """Return the alternative readings, the verdicts counted, and the claims with another one."""
    table = read_table(tables["verdicts"], needed=NEEDED)
    found = map(_named, in_order(table["changes"]))
    changed = table[table["changed"]]
    return {
        "readings_shown": [f"{' '.join(words.split())} ({number})" for number, words in found],
        "published": is_published(tables["verdicts"]),
        "pairs": len(table),
        "changed": in_order(changed["id"]),
    }
