"""The Kullback-Leibler upper confidence bound for rewards in [0, 1].

Source: Garivier and Cappé, COLT 2011 (arXiv 1102.2490).
"""

import math


def upper_bound(mean: float, level: float) -> float:
    """Return the largest q >= mean with kl(mean, q) <= level.

    kl(p, q) = p log(p/q) + (1-p) log((1-p)/(1-q)) is that of Bernoulli laws, which bounds
    the deviations of any rewards in [0, 1].  A mean outside is taken to the nearest end.
    """
    p = min(max(mean, 0.0), 1.0)
    if p >= 1.0:
        return 1.0
    if p <= 0.0:
        return 1.0 - math.exp(-level)
    own = p * math.log(p) + (1.0 - p) * math.log(1.0 - p)
    # Two bounds from above: Pinsker's, and p log(p/q) >= p log p.  kl is convex in q, so
    # Newton's steps from above never pass the root.
    q = min(p + math.sqrt(0.5 * level), 1.0 - math.exp((own - level) / (1.0 - p)))
    for _ in range(50):
        slope = (q - p) / (q * (1.0 - q)) if p < q < 1.0 else 0.0
        if slope <= 0.0:
            break
        divergence = own - p * math.log(q) - (1.0 - p) * math.log(1.0 - q)
        step = (divergence - level) / slope
        q -= step
        if abs(step) <= 1e-13:
            break
    return max(q, p)


def bound_exceeds(mean: float, level: float, value: float) -> bool:
    """Whether ``upper_bound(mean, level)`` is above a value; False where the two are close.

    It is where kl(mean, value) < level: one divergence in the place of a solve.
    """
    p = min(max(mean, 0.0), 1.0)
    if value < p:
        return True
    if value >= 1.0:
        return False
    divergence = (1.0 - p) * math.log((1.0 - p) / (1.0 - value))
    if p > 0.0:
        divergence += p * math.log(p / value)
    # The margin is far more than rounding can make of it, up to 10^9 pulls.
    return divergence < level * (1.0 - 1e-6)


def bracket(mean: float, level: float, later: float, guess: float) -> tuple[float, float]:
    """Return limits of ``upper_bound(mean, .)`` at all levels from one to a later one.

    One of Newton's steps from a guess, where it is short: it ends above the bound, and
    by at most 0.2 of its length where that is below 0.1 of the distances of the guess from the
    mean and from 1, by Taylor's formula.  The bound is concave in the level.
    """
    p = min(max(mean, 0.0), 1.0)
    low = high = 1.0
    again = True
    if 0.0 < p < guess < 1.0:
        divergence = p * math.log(p / guess) + (1.0 - p) * math.log((1.0 - p) / (1.0 - guess))
        step = (divergence - level) * guess * (1.0 - guess) / (guess - p)
        again = abs(step) > 0.1 * min(guess - p, 1.0 - guess)
        high = guess - step
        low = high - 0.25 * abs(step)
    if again:
        low = high = upper_bound(p, level)
    if p < low < 1.0:
        high += (later - level) * low * (1.0 - low) / (low - p)
    # The margin is far more than rounding can make of it.
    return low - 1e-9, min(high, 1.0) + 1e-9
