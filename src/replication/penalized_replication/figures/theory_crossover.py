"""Regret up to long horizons, and where the hard threshold overtakes UCB1."""

import math

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from penalized_bandits.common.numbers import thousands
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.parts import Part
from penalized_replication.claims.results import ClaimResult
from penalized_replication.figures import base
from penalized_replication.figures.case_grid import CaseGrid, Drawing, chunks
from penalized_replication.figures.panels import draw_policies, log_axes, policy_handles
from penalized_replication.figures.style import SHADE, look_of

CLAIM = "C34"
STUDIES = ("crossover", "movie_crossover")
FIGURE_1_ENDS = 16_000
BAND = "#8FB8D8"


def crossings(claim: ClaimResult | None) -> list[Part]:
    """Return the parts of the claim on overtaking UCB1 that have a horizon, in order."""
    parts = claim.parts if claim is not None else ()
    return [part for part in parts if part.status == "holds" and not math.isnan(part.estimate)]


def rounded(value: float) -> str:
    """Write a horizon with three digits."""
    digits = 2 - math.floor(math.log10(value))
    return f"{value:.{digits}f}" if digits > 0 else thousands(int(round(value, digits)))


def horizon_of(part: Part) -> str:
    """Write the horizon from which the hard threshold is ahead, with its interval."""
    known = part.low > 0 and math.isfinite(part.high)
    interval = f" [{rounded(part.low)}, {rounded(part.high)}]" if known else ""
    return f"T = {rounded(part.estimate)}{interval}"


def _mark(axes: Axes, part: Part | None) -> list[str]:
    """Mark where the hard threshold overtakes, with its interval; return it in words."""
    if part is None:
        return []
    if math.isnan(part.estimate):
        return [part.reason or f"{part.values['change']} by T = {thousands(part.values['last'])}"]
    left, right = axes.get_xlim()
    colour = look_of(PAPER_POLICY).colour
    axes.axvspan(max(part.low, left), min(part.high, right), color=BAND, linewidth=0, zorder=0.6)
    axes.axvline(part.estimate, color=colour, linewidth=1.0, zorder=1.5)
    text = horizon_of(part)
    return [text if part.status == "holds" else f"{text}, {part.values['change']}"]


def draw(tables: base.Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each cell; in one column that of the example alone."""
    table = base.summaries_of(tables, STUDIES, metric="penalized_regret")
    claim = base.claim_of(tables, "crossover_claims", CLAIM)
    parts = {part.case: part for part in claim.parts}
    cases = base.in_order(table["case"])
    if column:
        # The first that crosses stands for all.
        cases = [next((part.case for part in crossings(claim)), cases[0])]
    rows, height = chunks(cases, 4), 2.4 if column else 1.95
    grid = CaseGrid(rows, height, margin=0.6, column=column, sharex=True)
    for axes, case in grid:
        rows = base.select(table, case=case)
        draw_policies(axes, rows, markersize=2.4, elinewidth=0.7)
        log_axes(axes, sorted(rows["horizon"].unique()))
        left, right = axes.get_xlim()
        ends = min(max(FIGURE_1_ENDS, left), right)
        axes.axvspan(left, ends, color=SHADE, linewidth=0, zorder=0.4)
        label, notes = rows["label"].iloc[0], _mark(axes, parts.get(case))
        if column:
            axes.set_title("\n".join((label, *notes)), loc="left")
        else:
            grid.noted_title(axes, label, notes, 1)
    grid.label(y="Penalized regret R(T)")
    grid.label_once("Horizon T (rounds)")
    patches = [
        Patch(facecolor=SHADE, linewidth=0, label=f"T ≤ {thousands(FIGURE_1_ENDS)}"),
        Patch(facecolor=BAND, linewidth=0, label="hard threshold overtakes UCB1"),
    ]
    return grid.legend([*policy_handles(table), *patches], 2 if column else 3)


def caption_values(tables: base.Tables, _: object) -> base.Values:
    """Return the least and the largest horizon of a crossing; none if there are none."""
    claim = base.claim_of(tables, "crossover_claims", CLAIM)
    horizons = [part.estimate for part in crossings(claim)]
    return {
        "measured": bool(claim.parts),
        "crossed": [rounded(min(horizons)), rounded(max(horizons))] if horizons else [],
    }
