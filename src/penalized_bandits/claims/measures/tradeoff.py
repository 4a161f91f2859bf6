"""Reward at equal unfairness: the trade-off curves of Figures 3 and 5 compared."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtr

from penalized_bandits.bandit.frontier import Frontier, oracle_frontier
from penalized_bandits.bandit.regret import expected_reward, unfairness
from penalized_bandits.claims.base import Finding, Part, Series, above, by_p_values, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.effects import NEGLIGIBLE, VERSION, negligible, percent
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_bandits.statistics.estimates import ROUNDING, resampled_means, student
from penalized_bandits.storage.replicates import Outcome

RIVALS = ("fair_learn", "lfg", "lfg_original")
"""LFG as this paper has it, with a wider radius, and as its authors published it."""
LEVELS = np.arange(1, 10) / 10
"""Where curves are compared, as shares of the range of unfairness that both reach."""
RESAMPLES = 999

RULE = (
    "For each panel and rival (Flearn, LFG as in this paper, LFG as its authors published it), at "
    "nine levels of unfairness (10 %, ..., 90 % of the range that both policies reach), each "
    "policy's mean reward interpolated along its curve: holds if the hard threshold's is larger "
    "at every level, fails if it is smaller at some level (largest one-sided p for the one, "
    "Bonferroni over levels for the other), at Holm-adjusted p < 0.05 over all panels and rivals. "
    "Errors are from a bootstrap of replicates, the same ones for both policies. Undecided where "
    "the curves have no range in common, and where the difference is negligible: a gain whose "
    f"95 % interval is within {100 * NEGLIGIBLE:g} % of the oracle frontier's range of reward at "
    "every level, a loss for which it is so where the loss is largest."
)


@dataclass(frozen=True, eq=False)
class Curve:
    """One policy in one panel: J tunings, R replicates."""

    unfairness: FloatArray
    """Total unfairness in pulls, shape (R, J)."""
    reward: FloatArray
    """Total expected reward, shape (R, J)."""

    @property
    def reach(self) -> tuple[float, float]:
        """Least and largest mean unfairness."""
        mean = self.unfairness.mean(axis=0)
        return float(mean.min()), float(mean.max())

    def at(self, levels: FloatArray) -> FloatArray:
        """Mean reward at levels of mean unfairness, shape (L,)."""
        mean = (self.unfairness.mean(axis=0)[None], self.reward.mean(axis=0)[None])
        return interpolated(*mean, levels)[0]


def curve_of(evidence: Evidence, setting: str, case: str, policy: str) -> Curve:
    """Collect a policy's runs in a panel."""
    runs = evidence.outcomes(setting, case=case, policy=policy)
    return Curve(
        np.stack([unfairness(run.pulls, run.fairness, run.horizon) for run in runs], axis=1),
        np.stack([expected_reward(run.pulls, run.means) for run in runs], axis=1),
    )


def interpolated(x: FloatArray, y: FloatArray, levels: FloatArray) -> FloatArray:
    """Interpolate B curves through points (B, J), in order of x, at levels (L,).

    As `numpy.interp` row by row: constant beyond the ends; of points with equal x the last
    stands for those to its right, the first for those to its left.
    """
    order = np.argsort(x, axis=1, kind="stable")
    x, y = np.take_along_axis(x, order, axis=1), np.take_along_axis(y, order, axis=1)
    last = x.shape[1] - 1
    right = (x[:, :, None] <= levels).sum(axis=1)
    left = np.clip(right - 1, 0, last)
    right = np.clip(right, 0, last)
    x_left, x_right = (np.take_along_axis(x, side, axis=1) for side in (left, right))
    y_left, y_right = (np.take_along_axis(y, side, axis=1) for side in (left, right))
    width = x_right - x_left
    share = np.divide(levels - x_left, width, out=np.zeros_like(width), where=width > 0)
    return y_left + np.clip(share, 0, 1) * (y_right - y_left)


def common_levels(curves: list[Curve]) -> FloatArray | None:
    """Levels of unfairness within the range that all curves reach; None if there is none."""
    low = max(curve.reach[0] for curve in curves)
    high = min(curve.reach[1] for curve in curves)
    # Less than a pull is no range: all tunings are fair, or all equally unfair.
    return low + LEVELS * (high - low) if high - low >= 1 else None


@dataclass(frozen=True, eq=False)
class Comparison:
    """Reward of one curve less that of another at levels of unfairness, shape (L,) each."""

    levels: FloatArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p_greater: FloatArray
    p_less: FloatArray


def compare(
    ours: Curve, theirs: Curve, levels: FloatArray, seed: int = 0, resamples: int = RESAMPLES
) -> Comparison:
    """Compare curves at levels, with the bootstrap's standard errors and Student's t.

    The curves' replicates are pairs.  With one replicate nothing is decided.
    """
    difference = ours.at(levels) - theirs.at(levels)
    n, n_ours = ours.unfairness.shape
    if n == 1:
        nothing = np.full_like(difference, np.inf)
        ones = np.ones_like(difference)
        return Comparison(levels, difference, -nothing, nothing, ones, ones)
    rows = np.hstack([ours.unfairness, ours.reward, theirs.unfairness, theirs.reward])
    drawn = resampled_means(rows, resamples, np.random.default_rng(seed))
    mine, other = drawn[:, : 2 * n_ours], drawn[:, 2 * n_ours :]
    n_theirs = theirs.reward.shape[1]
    resampled = interpolated(mine[:, :n_ours], mine[:, n_ours:], levels) - interpolated(
        other[:, :n_theirs], other[:, n_theirs:], levels
    )
    # The bootstrap's variance is that of n - 1 in the place of n.
    error = resampled.std(axis=0) * np.sqrt(n / (n - 1))
    rounding = ROUNDING * np.abs(ours.at(levels)).max()
    error = np.where(error > rounding, error, 0.0)
    scaled = np.divide(
        difference,
        error,
        out=np.where(np.abs(difference) > rounding, np.copysign(np.inf, difference), 0.0),
        where=error > 0,
    )
    half = student(n) * error
    exact = (error == 0) & (scaled == 0)
    return Comparison(
        levels,
        difference,
        difference - half,
        difference + half,
        np.where(exact, 1.0, stdtr(n - 1, -scaled)),
        np.where(exact, 1.0, stdtr(n - 1, scaled)),
    )


def frontier_of(outcome: Outcome) -> Frontier:
    """Return the oracle frontier of an outcome's bandits."""
    one_bandit = (outcome.means == outcome.means[0]).all()
    means = outcome.means[0] if one_bandit else outcome.means
    return oracle_frontier(means, outcome.fairness, outcome.horizon)


def _distances(frontier: Frontier, curves: dict[str, Curve]) -> dict[str, float]:
    """Mean distance below the frontier, as a share of its range, where all policies reach."""
    levels = common_levels(list(curves.values()))
    span = float(frontier.reward[-1] - frontier.reward[0])
    if levels is None or span <= 0:
        return {}
    best = frontier.reward_at(levels)
    return {name: float((best - curve.at(levels)).mean()) / span for name, curve in curves.items()}


def _keeps_its_sign(ours: Curve, theirs: Curve, least: float) -> bool:
    """Whether the least difference has the same sign with every second tuning left out."""
    thin = [Curve(c.unfairness[:, ::2], c.reward[:, ::2]) for c in (ours, theirs)]
    levels = common_levels(thin)
    if levels is None:
        return False
    return bool(np.sign((thin[0].at(levels) - thin[1].at(levels)).min()) == np.sign(least))


def _note(found: dict[str, dict[str, float]], coarser: list[bool]) -> str:
    text = (
        "Reward and unfairness are means over replicates at each tuning; beyond the larger of the "
        "least and the smaller of the largest unfairness no policy is compared. At the ends of "
        "the range the hard threshold and Flearn are the same: both are UCB1 at A = 0 and "
        "α = τ_k T, and with α = 0 and large A both keep every arm at its level. "
        f"{VERSION} "
    )
    if coarser:
        text += (
            "Intervals leave out the error of interpolation; with every second tuning left out "
            f"the least difference keeps its sign in {sum(coarser)} of {len(coarser)} comparisons. "
        )
    shares: dict[str, list[float]] = {}
    for distances in found.values():
        for policy, share in distances.items():
            shares.setdefault(policy, []).append(share)
    if not shares:
        return text + "There is no range of unfairness that all policies reach."
    spans = ", ".join(
        f"{policy} {min(values):.1%} to {max(values):.1%}" for policy, values in shares.items()
    )
    return (
        text + "Mean distance below the oracle frontier where all policies reach, as a share of "
        f"the frontier's range of reward, least to most over {len(found)} panels: {spans}."
    )


def _weighed(part: Part, found: Comparison) -> Part:
    """Say how large the differences are; a negligible gain, or loss, decides nothing."""
    worst = int(np.argmin(found.difference))
    share = found.difference / part.stake
    sizes = f"{percent(share.min())} to {percent(share.max())} of the frontier's range"
    detail = f"{sizes}; {part.detail}"
    loss = negligible(found.low[worst], found.high[worst], part.stake)
    gain = negligible(found.low.min(), found.high.max(), part.stake)
    if (part.status == "fails" and loss) or (part.status == "holds" and gain):
        return replace(part, status="undecided", detail=f"negligible: {detail}")
    return replace(part, detail=detail)


def highest_reward(evidence: Evidence, setting: str) -> Finding:
    """Say in each panel whether the hard threshold has the highest reward at equal unfairness."""
    parts: list[Part] = []
    comparisons: list[Comparison | None] = []
    distances: dict[str, dict[str, float]] = {}
    coarser: list[bool] = []
    for case in evidence.cases(setting):
        curves = {p: curve_of(evidence, setting, case, p) for p in (PAPER_POLICY, *RIVALS)}
        frontier = frontier_of(evidence.outcomes(setting, case=case)[0])
        span = float(frontier.reward[-1] - frontier.reward[0])
        distances[case] = _distances(frontier, curves)
        for rival in RIVALS:
            name = f"{case} against {rival}"
            levels = common_levels([curves[PAPER_POLICY], curves[rival]])
            if levels is None:
                parts.append(nothing_known(name, "no range of unfairness in common"))
                comparisons.append(None)
                continue
            pair = curves[PAPER_POLICY], curves[rival]
            found = compare(*pair, levels, resamples=evidence.resamples)
            worst = int(np.argmin(found.difference))
            detail = (
                f"at unfairness {levels[worst]:.4g} of {levels[0]:.4g} to {levels[-1]:.4g} pulls; "
                f"mean over the levels {found.difference.mean():+.4g}"
            )
            least = float(found.difference[worst])
            interval = float(found.low[worst]), float(found.high[worst])
            coarser.append(_keeps_its_sign(*pair, least))
            part = above(name, least, *interval, 0.0, stake=span)
            parts.append(replace(part, detail=detail))
            comparisons.append(found)
    decided = by_p_values(
        parts,
        [1.0 if one is None else float(one.p_greater.max()) for one in comparisons],
        [
            1.0 if one is None else min(1.0, one.p_less.size * float(one.p_less.min()))
            for one in comparisons
        ],
    )
    weighed = tuple(
        part if one is None else _weighed(part, one)
        for part, one in zip(decided, comparisons, strict=True)
    )
    note = _note({case: found for case, found in distances.items() if found}, coarser)
    return Finding(
        f"total expected reward of {PAPER_POLICY} less the rival's at equal unfairness, at the "
        "level where it is least",
        weighed,
        note=f"{note} {_by_rival(weighed)}",
        series=tuple(
            Series(part.name, *_shares(one, part.stake))
            for part, one in zip(parts, comparisons, strict=True)
            if one is not None
        ),
    )


def _shares(found: Comparison, span: float) -> Iterator[tuple[float, ...]]:
    """Yield levels, and differences with their intervals as shares of the frontier's range."""
    yield tuple(found.levels.tolist())
    for values in (found.difference, found.low, found.high):
        yield tuple((values / span).tolist())


def _by_rival(parts: Sequence[Part]) -> str:
    """Say what came out against each rival, and the least difference in size."""
    sentences = []
    for rival in RIVALS:
        found = [p for p in parts if p.name.endswith(f" against {rival}") and p.stake > 0]
        if found:
            counts = Counter(part.status for part in found)
            least = min(part.estimate / part.stake for part in found)
            sentences.append(
                f"Against {POLICIES[rival].label}: {counts['holds']} hold, {counts['fails']} fail, "
                f"{counts['undecided']} undecided; the least difference is {percent(least)} of "
                "the frontier's range."
            )
    return " ".join(sentences)
