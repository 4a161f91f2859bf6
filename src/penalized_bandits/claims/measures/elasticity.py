"""Whether pulls are proportional to the inverse squared gap, in the panels of Figure 4."""

from dataclasses import dataclass, replace

import numpy as np

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.claims.base import Finding, Part, above, nothing_known, within
from penalized_bandits.claims.evidence import Evidence, bandit_of, penalties_of
from penalized_bandits.claims.measures.unfairness_paths import ROUNDING
from penalized_bandits.common.confidence import TAILS
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import resampled_means
from penalized_bandits.statistics.paths import elasticity
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of

SETTING = "setting_4"
OFF = 0.01
"""How far from its level, as a share of it, an arm's mean must be to be off it."""
SAME_SIDE = 0.95
"""Share of replicates in which it must be on that side."""
FEWEST = 3
TOLERANCE = 0.1
"""Distance from 1 at which an exponent still means proportional."""
STRAIGHT = 0.95
"""R² of a straight line through the origin above which pulls are about proportional."""
LINE = "line through the origin"
"""How the name of a part on such a line ends."""

RULE = (
    "In each panel, over the arms that are {side} their level τ_k T (their mean by more than 1 % "
    "and they themselves in at least 95 % of replicates), two parts. Exponent: that of mean pulls "
    "as a power of {inverse} (Theil and Sen) is within 0.1 of 1. Straight line: R² of mean pulls "
    "on a line in {inverse} through the origin, 1 − Σ(N_k − b x_k)²/Σ(N_k − N̄)², is above 0.95. "
    "Each holds if its 95 % interval, a bootstrap of replicates, is on that side, fails if all of "
    "it is on the other. Undecided with fewer than three such arms of different gaps."
)


@dataclass(frozen=True, eq=False)
class Panel:
    """Arms of one panel that are off their level, n of them."""

    distance: FloatArray
    """Delta_k - A_k of non-critical arms, Delta_k of critical ones, shape (n,)."""
    pulls: FloatArray
    """Shape (R, n)."""
    predicted: FloatArray
    """Fluid prediction, shape (n,)."""
    shift: float
    """The best arm's radius sqrt(2 log T/N_1), which the prediction adds to the distance."""


def _kind(outcome: Outcome, critical: bool) -> tuple[FloatArray, BoolArray]:
    """Distance of each arm, and which arms are of the kind."""
    gap, rate = gaps(outcome.means[0]), penalties_of(outcome)[0]
    if critical:
        return gap, (gap > ROUNDING) & (rate >= gap - ROUNDING)
    return gap - rate, gap > rate + ROUNDING


def panel_of(outcome: Outcome, critical: bool) -> Panel:
    """Pick the arms of a kind that are above (critical) or below their level."""
    distance, wanted = _kind(outcome, critical)
    level = outcome.fairness * outcome.horizon
    mean = outcome.pulls.mean(axis=0)
    if critical:
        off = (mean > (1 + OFF) * level) & ((outcome.pulls > level).mean(axis=0) >= SAME_SIDE)
    else:
        off = (mean < (1 - OFF) * level) & ((outcome.pulls < level).mean(axis=0) >= SAME_SIDE)
    used = wanted & off
    predicted = predicted_pulls(instance_of(*bandit_of(outcome)), float(outcome.horizon))
    best = mean[np.argmax(outcome.means[0])]
    return Panel(
        distance[used],
        outcome.pulls[:, used].astype(np.float64),
        predicted[used],
        float(np.sqrt(2 * np.log(outcome.horizon) / best)),
    )


def _exponent(
    case: str, panel: Panel, side: str, resamples: int
) -> tuple[Part, tuple[float, float] | None]:
    """Return the exponent's part, and the prediction's exponent and that in shifted distance."""
    case = f"{case} exponent"
    if np.unique(np.round(panel.distance, 9)).size < FEWEST:
        why = f"{panel.distance.size} arms {side} the level: three of different gaps are needed"
        return nothing_known(case, why), None
    x = panel.distance**-2.0
    found = elasticity(x, panel.pulls, resamples=resamples)
    predicted = elasticity(x, panel.predicted).over_points.value
    mean = panel.pulls.mean(axis=0)
    shifted = elasticity((panel.distance + panel.shift) ** -2.0, mean).over_points.value
    points = found.over_points
    detail = (
        f"{mean.size} arms with {mean.min():.0f} to {mean.max():.0f} pulls; interval over arms "
        f"[{points.low:.3g}, {points.high:.3g}]; fluid prediction {predicted:.3f}"
    )
    value, over = points.value, found.over_replicates
    if over is None:
        return Part(case, value, -np.inf, np.inf, "undecided", 1.0, detail), (predicted, shifted)
    part = within(case, value, over.low, over.high, 1 - TOLERANCE, 1 + TOLERANCE, 1.0)
    return replace(part, detail=detail), (predicted, shifted)


def straightness(x: FloatArray, rows: FloatArray) -> FloatArray:
    """Return R² of each row (B, n) on a line in x (n,) through the origin, shape (B,)."""
    slope = rows @ x / (x @ x)
    left = ((rows - slope[:, None] * x) ** 2).sum(axis=1)
    return 1 - left / ((rows - rows.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)


def _line(case: str, panel: Panel, resamples: int) -> Part:
    """Return the part on a straight line through the origin."""
    name, x = f"{case} {LINE}", panel.distance**-2.0
    mean = panel.pulls.mean(axis=0)
    value = float(straightness(x, mean[None])[0])
    r = float(np.corrcoef(x, mean)[0, 1])
    intercept = float(np.polynomial.Polynomial.fit(x, mean, 1)(0))
    detail = f"r = {r:.4f}; the best line meets the axis at {intercept:.0f} pulls"
    if len(panel.pulls) == 1:
        return Part(name, value, -np.inf, np.inf, "undecided", STRAIGHT, detail)
    drawn = resampled_means(panel.pulls, resamples, np.random.default_rng(0))
    low, high = np.quantile(straightness(x, drawn), TAILS)
    return replace(above(name, value, float(low), float(high), STRAIGHT), detail=detail)


def proportional_pulls(evidence: Evidence, critical: bool) -> Finding:
    """Say in each panel of a row of Figure 4 whether pulls go as the inverse squared gap."""
    prefix, side = ("critical_", "above") if critical else ("noncritical_", "below")
    parts: list[Part] = []
    laws: list[tuple[float, float]] = []
    errors: list[float] = []
    for case in evidence.cases(SETTING):
        if not case.startswith(prefix):
            continue
        panel = panel_of(evidence.outcomes(SETTING, case=case, policy=PAPER_POLICY)[0], critical)
        part, law = _exponent(case, panel, side, evidence.resamples)
        parts += [part, _line(case, panel, evidence.resamples)] if law is not None else [part]
        errors += np.abs(panel.predicted / panel.pulls.mean(axis=0) - 1).tolist()
        if law is not None:
            laws.append(law)
    shown = [p for p in parts if p.limit == 1.0 and not np.isnan(p.estimate)]
    inverse = "1/Δ_k²" if critical else "1/(Δ_k − A_k)²"
    found = Finding(
        f"exponent of N_k(T) as a power of {inverse}; in the parts on a line, R²",
        tuple(parts),
        note=_note(critical, shown, laws, errors),
    )
    if parts and found.shown.name.endswith(LINE):
        return replace(found, quantity=f"R² of N_k(T) on a line in {inverse} through the origin")
    return found


def _note(
    critical: bool, shown: list[Part], laws: list[tuple[float, float]], errors: list[float]
) -> str:
    distance = "Δ_k" if critical else "Δ_k − A_k"
    text = (
        "Proportional is exponent 1. The fluid prediction is instead "
        f"N_k = 2 log T/({distance} + √(2 log T/N_1))²: the best arm's own radius adds to the "
        "distance, so that the exponent is below 1 at any T."
    )
    if not critical:
        # With fixed parameters a critical arm is at its level from some T on.
        text += " In the limit T → ∞ it is 1."
    if shown:
        needed = max(abs(end - 1) for part in shown for end in (part.low, part.high))
        if np.isfinite(needed):
            text += (
                " All exponents that can be decided hold at a tolerance of "
                f"{np.ceil(100 * needed) / 100:g} or more (here {TOLERANCE:g})."
            )
    if errors:
        text += (
            f" The prediction's mean relative error over the {len(errors)} arms off their level "
            f"is {np.mean(errors):.2%}."
        )
    if laws:
        predicted, shifted = np.array(laws).T
        text += (
            f" It puts the exponent at {predicted.min():.3f} to {predicted.max():.3f}; in the "
            f"shifted distance's inverse square the data's is {shifted.min():.3f} to "
            f"{shifted.max():.3f}."
        )
    return text
