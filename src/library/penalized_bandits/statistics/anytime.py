"""Intervals for means that hold at all times at once: confidence sequences.

An arm's mean is in its interval after every number N of rewards, but for a probability of at most
alpha, however the policy chooses and whenever the user looks or stops, if rewards have the same
mean given the past and the arm.  Choose the normal mixture, or another, before there are data.
Proofs: ``research/docs/intervals.md``.  Sources: Ville 1939; Robbins, Ann. Math. Statist. 41,
1970; for the portfolio Cover, Math. Finance 1, 1991; Orabona and Jun, IEEE Trans. Inform. Theory
70, 2024.
"""

import math
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.bandit.logged import STEPS, logged, twentieth
from penalized_bandits.common.changes import Change, apply
from penalized_bandits.common.errors import LARGEST, TINY, BanditError, at_least_0, number_in
from penalized_bandits.common.numbers import CONFIDENCE
from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray

HALVINGS = 45  # bisections divide a bracket by two to this power
DROP = 40.0  # the quadrature leaves out tails that are below exp(-40) of the integral
BLOCK = 1_000_000  # numbers in an array of the quadrature, at most


def _gauss_legendre(n: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights (n,) on [-1, 1]; NumPy's hang on the LAPACK of the machine."""
    x = -np.cos(np.pi * (np.arange(n) + 0.75) / (n + 0.5))
    slope = x
    for _ in range(10):
        before, value = np.ones(n), x
        for j in range(2, n + 1):
            before, value = value, ((2 * j - 1) * x * value - (j - 1) * before) / j
        slope = n * (x * value - before) / (x**2 - 1.0)
        x = x - value / slope
    return x, 2.0 / ((1.0 - x**2) * slope**2)


NODES, WEIGHTS = _gauss_legendre(48)  # of a rule on each side of the integrand's largest value


def error_shares(confidence: float, n_arms: int, arms: float | None = None) -> FloatArray:
    """Return the error probability of each of K arms, shape (K,), in all 1 - confidence at most.

    Each has (1 - confidence) / arms, where ``arms`` is the largest number of arms that there will
    ever be, by default K; with ``math.inf`` the k-th has 6 (1 - confidence) / (pi k)^2.

    >>> error_shares(0.95, 2, arms=5).round(6)
    array([0.01, 0.01])
    """
    alpha = 1.0 - number_in("confidence", confidence, TINY, 1 - 1e-15, "between 0 and 1")
    right = f"at least {n_arms}, the arms that there are"
    most = n_arms if arms is None else number_in("arms", arms, n_arms, math.inf, right)
    k = np.arange(1.0, n_arms + 1.0)
    return np.full(n_arms, alpha / most) if most < math.inf else 6.0 * alpha / (np.pi * k) ** 2


def beta_interval(counts: ArrayLike, sums: ArrayLike, alpha: ArrayLike) -> FloatArray:
    """Return intervals for means of rewards in [0, 1]: Robbins' beta mixture.

    They have all q with q^S (1 - q)^(N - S) > alpha B(S + 1, N - S + 1), B the beta function:
    those of :func:`portfolio_interval` for N - S rewards of 0 and S of 1, S any real number.

    Shapes are (...) of the number N of rewards, their sum S and alpha, and (..., 2) of the ends,
    which rise with S.  BanditError if S is not from 0 to N, and as there.

    >>> beta_interval([0, 100, 100], [0, 50, 100], alpha=0.05 / 3).round(3).tolist()
    [[0.0, 1.0], [0.33, 0.67], [0.917, 1.0]]
    """
    n, s = numbers("counts", counts, least=0.0), numbers("sums", sums)
    if n.shape != s.shape or (s < 0).any() or (s > n).any():
        raise BanditError(
            f"sums is {sums!r:.80} for counts {counts!r:.80}: rewards in [0, 1] have a sum from 0 "
            "to their number; divide rewards by their range, or use the normal mixture"
        )
    return portfolio_interval(np.stack([n - s, s], axis=-1), [0.0, 1.0], alpha)


def portfolio_interval(table: ArrayLike, support: ArrayLike, alpha: ArrayLike) -> FloatArray:
    """Return intervals for means of rewards with L values in [0, 1]: a universal portfolio.

    They have all q where the mean over lambda, from -1 / (1 - q) to 1 / q, of the product of
    1 + lambda (X - q) over rewards X is below 1 / alpha; they lie within :func:`beta_interval`.

    Parameters
    ----------
    table
        How often each value came, of each arm, shape (..., L).  A reward between two values may
        count for both, in parts that keep its mean: intervals are then longer.
    support
        The values, shape (L,).
    alpha
        Error probability of each arm over all times, shape (...).

    Returns
    -------
    FloatArray
        Lower and upper ends, shape (..., 2), which rise if a reward does; [0, 1] without rewards.

    Raises
    ------
    BanditError
        If a value or alpha is outside [0, 1], a count negative, or shapes differ.

    Notes
    -----
    The logarithm of the mean is convex in q: Newton's steps come from outside.  The quadrature's
    relative error is below 1e-9 for whole counts, 1e-5 for others, and 1e-15 N if that is more.

    Examples
    --------
    >>> portfolio_interval([5, 5, 25, 50, 15], [0, 0.25, 0.5, 0.75, 1], alpha=0.05).round(3)
    array([0.579, 0.73 ])
    """
    x, rows = numbers("support", support, least=0.0, most=1.0), numbers("table", table, least=0.0)
    alpha = numbers("alpha", alpha, least=0.0, most=1.0)
    shape = rows.shape[:-1]
    if rows.shape != (*shape, *x.shape) or alpha.shape not in ((), shape):
        shapes = f"{rows.shape}, {x.shape} and {alpha.shape}"
        raise BanditError(f"table, support, alpha have shapes {shapes}: not (..., L), (L,), (...)")
    rows, alpha = rows.reshape(-1, x.size), np.broadcast_to(alpha, shape).ravel()
    ends, size = np.empty((len(rows), 2)), max(1, BLOCK // (2 * NODES.size * x.size))
    for part in (slice(i, i + size) for i in range(0, len(rows), size)):
        ends[part, 0] = 1.0 - _upper_end(rows[part], 1.0 - x, alpha[part])
        ends[part, 1] = _upper_end(rows[part], x, alpha[part])
    return ends.reshape(*shape, 2)


def normal_interval(
    counts: ArrayLike, sums: ArrayLike, alpha: ArrayLike, *, sigma: float, best_at: float
) -> FloatArray:
    """Return intervals for means of sigma-sub-Gaussian rewards: Robbins' normal mixture.

    Ends are S / N -+ sigma / N sqrt((N + rho) (log(1 + N / rho) + 2 log(1 / alpha))), shape
    (..., 2), the whole line without rewards.  Parameters and errors are those of
    :func:`beta_interval`, but that S may be any number.  ``best_at``, chosen beforehand, is the N
    at which the interval is as short as it can be for any rho.

    >>> normal_interval(1000, 500, 0.05 / 3, sigma=0.5, best_at=1000).round(3)
    array([0.446, 0.554])
    """
    n, s = numbers("counts", counts, least=0.0), numbers("sums", sums)
    best_at = number_in("best_at", best_at, TINY, LARGEST, "a number of rewards, at least 1")
    c = -2.0 * np.log(np.maximum(numbers("alpha", alpha, least=0.0, most=1.0), TINY))
    size, x = np.maximum(n, 1.0), np.ones_like(c)
    for _ in range(HALVINGS):  # for the shortest, rho = best_at / x with x = c + log(1 + x)
        x = c + np.log1p(x)
    rho = best_at / x
    half = at_least_0("sigma", sigma) / size * np.sqrt((n + rho) * (np.log1p(n / rho) + c))
    half = np.where(n > 0, half, np.inf)
    return np.stack([s / size - half, s / size + half], axis=-1)


def _upper_end(rows: FloatArray, x: FloatArray, alpha: FloatArray) -> FloatArray:
    """Return the upper ends (A,) for counts (A, L) of values (L,)."""
    n = np.maximum(rows.sum(axis=1), TINY)
    mean = np.minimum((rows * x).sum(axis=1) / n, 1.0)
    with np.errstate(divide="ignore", over="ignore"):
        # By N kl(mean, q) < log((N + 1) / alpha): two bounds of policies/classical/kl_ucb.py.
        level = (np.log1p(n) - np.log(alpha)) / n
        own = sum(p * np.log(np.maximum(p, TINY)) for p in (mean, 1.0 - mean))
        q = np.minimum(mean + np.sqrt(level / 2.0), -np.expm1((own - level) / (1.0 - mean)))
    seen = rows.any(axis=1)
    free, q = (q < 1.0) & seen, np.where(seen, q, 1.0)
    for _ in range(HALVINGS if free.any() else 0):
        value, slope = _log_wealth(rows[free], x, q[free])
        step = np.maximum((value + np.log(alpha[free])) / slope, 0.0)
        q[free] -= step
        if (step <= 1e-10 * (q - mean)[free]).all():
            break
    return q


def _log_wealth(rows: FloatArray, x: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the logarithm of the mean product at q (A,) above the mean, and its slope in q.

    In w = q + lambda q (1 - q), uniform on [0, 1], a factor is w X / q + (1 - w) (1 - X) / (1 - q).
    """
    counts, at = rows[:, None], q[:, None, None]
    up, down = x / at, (1.0 - x) / (1.0 - at)

    def factor(w: FloatArray) -> FloatArray:
        return np.maximum(down + w[..., None] * (up - down), TINY)

    def log_product(w: FloatArray) -> FloatArray:
        return (counts * np.log(factor(w))).sum(axis=-1)

    def halved(high: FloatArray, is_above: Callable[[FloatArray], BoolArray]) -> FloatArray:
        low = np.zeros_like(high)
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            above = is_above(middle)
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return low

    # The product is log-concave in w; its largest value is below q, where lambda is 0.
    peak = halved(q[:, None], lambda w: (counts * (up - down) / factor(w)).sum(axis=-1) < 0)
    top = log_product(peak)
    left = halved(peak, lambda w: log_product(w) >= top - DROP)
    right = 1.0 - halved(1.0 - peak, lambda w: log_product(1.0 - w) >= top - DROP)
    sides = ((peak - left) / 2.0, left + peak), ((right - peak) / 2.0, peak + right)
    w = np.hstack([both / 2.0 + half * NODES for half, both in sides])
    mass = np.hstack([half * WEIGHTS for half, _ in sides]) * np.exp(log_product(w) - top)
    total, share = mass.sum(axis=-1), w[..., None]
    slope = (1.0 - share) * down / (1.0 - at) - share * up / at
    slope = (counts * slope / factor(w)).sum(axis=-1)
    return top[:, 0] + np.log(total), (mass * slope).sum(axis=-1) / total


class Tally:
    """Rewards of K arms: sums, and how often each value came, in twentieths."""

    def __init__(self, n_arms: int) -> None:
        self.start, self.history, self.extremes = n_arms, [0] * n_arms, [0.0, 0.0]
        """Arms at the start; rewards, (K,), that are of no choice; numbers around all rewards."""
        self.lost = [0] * n_arms  # choices, (K,), that were given up without a reward
        self.totals = [0.0] * n_arms
        self.table, self.complete = (np.zeros((n_arms, STEPS + 1)).tolist() for _ in range(2))
        """How often each value came, (K, .); the same of rewards before an arm's first choice
        without one."""

    @property
    def counts(self) -> IntArray:
        """Number of rewards of each arm, shape (K,)."""
        return np.rint(np.sum(self.table, axis=1)).astype(np.int64)

    def with_arm(self) -> list[Change]:
        """Return the changes that an arm without rewards makes."""
        new = {"history": 0, "lost": 0, "totals": 0.0}
        new |= {name: [0.0] * (STEPS + 1) for name in ("table", "complete")}
        return [(vars(self), name, [*getattr(self, name), one]) for name, one in new.items()]

    def counted(
        self, rewards: list[tuple[int, float]], complete: list[tuple[int, float]]
    ) -> list[Change]:
        """Return the changes of rewards (arm, reward), and the rewards that complete a prefix."""
        (least, most), totals = self.extremes, dict[int, float]()
        for arm, reward in rewards:
            least, most = min(least, reward), max(most, reward)
            totals[arm] = totals.get(arm, self.totals[arm]) + reward
        changes: list[Change] = [(vars(self), "extremes", [least, most])]
        changes += [(self.totals, arm, total) for arm, total in totals.items()]
        if len(rewards) == 1 and complete == rewards:
            # What most events are, in a third of the time.
            arm, (value, part) = rewards[0][0], twentieth(rewards[0][1])
            for row in (self.table[arm], self.complete[arm]):
                changes.append((row, value, row[value] + (1.0 - part)))
                if part:
                    changes.append((row, value + 1, row[value + 1] + part))
            return changes
        return changes + _counts(self.table, rewards) + _counts(self.complete, complete)

    def intervals(
        self, alpha: FloatArray, sigma: float, best_at: float | None, missing: FloatArray | None
    ) -> FloatArray:
        """Return intervals (K, 2), with missing rewards (K,) such that hold whatever they are."""
        if best_at is not None:
            if missing is not None and missing.any():
                raise BanditError("late is 'any', but best_at is given: late rewards need bounds")
            return normal_interval(self.counts, self.totals, alpha, sigma=sigma, best_at=best_at)
        if self.extremes[0] < 0 or self.extremes[1] > 1:
            raise BanditError(
                f"rewards are from {self.extremes[0]:g} to {self.extremes[1]:g}: for intervals "
                "scale them to [0, 1], or, if they are sub-Gaussian, give best_at and a sigma (the "
                "noise of a player) that fits them"
            )

        def ends(table: FloatArray) -> FloatArray:
            used = np.flatnonzero(table.any(axis=0)) if table.any() else np.zeros(1, int)
            return portfolio_interval(np.ascontiguousarray(table[:, used]), used / STEPS, alpha)

        table = np.array(self.table)
        if missing is None or not missing.any():
            return ends(table)
        first, (least, most) = ends(np.array(self.complete)), (table.copy() for _ in range(2))
        least[:, 0] += missing
        most[:, -1] += missing
        low, high = np.maximum(ends(least), first), np.minimum(ends(most), first)
        return np.column_stack([low[:, 0], high[:, 1]])


def _counts(table: list[list[float]], rewards: list[tuple[int, float]]) -> list[Change]:
    cells: dict[tuple[int, int], float] = {}
    for arm, reward in rewards:
        value, part = twentieth(reward)
        if part:
            cells[arm, value + 1] = cells.get((arm, value + 1), table[arm][value + 1]) + part
        cells[arm, value] = cells.get((arm, value), table[arm][value]) + (1.0 - part)
    return [(table[arm], value, cell) for (arm, value), cell in cells.items()]


def intervals(
    frame: Any,
    *,
    arm: str,
    reward: str,
    confidence: float = CONFIDENCE,
    arms: float | None = None,
    sigma: float | None = None,
    best_at: float | None = None,
) -> dict[Hashable, tuple[float, float]]:
    """Return an interval for the mean of each arm in a log, right at all times at once.

    Rewards and names of arms are those of two columns, as for :meth:`Categorical.from_data`; the
    rest is as for :meth:`penalized_bandits.live.Player.intervals`, of rewards that are
    sigma-sub-Gaussian if ``best_at`` is given.  ``arms`` is by default their number in the log.
    Whether a reward is in the log must not depend on what it is: a player's ``late`` allows that.
    The result has (lower end, upper end) by the arm's name; BanditError as for these two.

    >>> log = {"ad": ["x", "y"] * 50, "clicks": [0, 1] * 50}
    >>> {ad: (round(a, 2), round(b, 2)) for ad, (a, b) in
    ...  intervals(log, arm="ad", reward="clicks").items()}
    {'x': (0.0, 0.14), 'y': (0.86, 1.0)}
    """
    names, of_row, rewards = logged(frame, arm, reward)
    if (sigma is None) != (best_at is None):
        raise BanditError("sigma and best_at: give both, for sub-Gaussian rewards, or neither")
    tally, alpha = Tally(len(names)), error_shares(confidence, len(names), arms)
    apply(tally.counted([*zip(of_row.tolist(), rewards.tolist(), strict=True)], []))
    ends = tally.intervals(alpha, sigma or 0.0, best_at, None)
    return dict(zip(names, map(tuple, ends.tolist()), strict=True))
