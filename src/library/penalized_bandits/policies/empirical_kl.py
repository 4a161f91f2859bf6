"""The empirical Kullback-Leibler upper confidence bound for rewards with few values in [0, 1].

    U = max { E_q X : KL(p, q) <= level, q on the values seen and 1 },    p the law seen

With weights q_j proportional to p_j / (1 - t x_j), t in [0, 1], the level reached is

    KL(t) = E_p log(1 - t X) + log S(t),    S(t) = E_p [1 / (1 - t X)]
    E_q X = E_p [X / (1 - t X)] / S(t)

and t solves KL(t) = level; where no t up to 1 does, t = 1 and what is left of q lies on 1.
U is concave in the level, with slope 1 / t - U.

Source: Cappé, Garivier, Maillard, Munos and Stoltz, Annals of Statistics 41, 2013; the dual in
one variable is that of Honda and Takemura (COLT 2010).
"""

import math

from penalized_bandits.common.typing import FloatArray

STEPS = 20
"""Values are counted on 0, 1/20, ..., 1: exact for stars in quarters, fifths, tenths."""


def count(counts: FloatArray, k: int, reward: float) -> tuple[int, float]:
    """Count a reward of arm k, in rows 0 to ``STEPS`` of (.., K); return the value and a part.

    One between two values counts for both in parts that keep its mean, so that its law is
    spread and the bound too large rather than too small; one outside [0, 1] at the nearest end.
    The part returned is that of the value above.
    """
    place = min(max(reward, 0.0), 1.0) * STEPS
    value = math.floor(place + 0.5)
    part = 0.0
    if abs(place - value) < 1e-6:
        counts[value, k] += 1.0
    else:
        value = math.floor(place)
        part = place - value
        counts[value + 1, k] += part
        counts[value, k] += 1.0 - part
    return value, part


def level_at(counts: FloatArray, k: int, pulls: float, t: float) -> tuple[float, float, float]:
    """Return KL(t), its slope in t and E_q X for the counts of arm k."""
    logs = one = first = second = 0.0
    for j in range(STEPS + 1):
        p = counts[j, k] / pulls
        if p > 0.0:
            x = j / STEPS
            rest = 1.0 - t * x
            logs += p * math.log(rest)
            one += p / rest
            first += p * x / rest
            second += p * x / (rest * rest)
    return logs + math.log(one), second / one - first, first / one


def upper_bound(counts: FloatArray, k: int, pulls: float, level: float) -> tuple[float, float]:
    """Return U for the counts of arm k, and its slope in the level."""
    if level <= 0.0:
        return level_at(counts, k, pulls, 0.0)[2], math.inf
    if counts[STEPS, k] > 0.0:
        if counts[STEPS, k] >= pulls:
            return 1.0, 0.0
    elif level_at(counts, k, pulls, 1.0)[0] <= level:
        logs = 0.0
        for j in range(STEPS):
            if counts[j, k] > 0.0:
                logs += counts[j, k] / pulls * math.log(1.0 - j / STEPS)
        left = math.exp(logs - level)
        return 1.0 - left, left
    # The root of KL(t) is nearly a line through 0: Newton's steps for it, within a bracket.
    low, high, t, mean, root = 0.0, 1.0, 0.5, 0.0, math.sqrt(level)
    for _ in range(60):
        found, slope, mean = level_at(counts, k, pulls, t)
        if found > level:
            high = t
        else:
            low = t
        found = max(found, 0.0)
        step = 2.0 * math.sqrt(found) * (root - math.sqrt(found)) / slope if slope > 0.0 else 1.0
        # KL(t) itself is known to some 1e-16.
        if abs(step) <= (1e-12 + 1e-15 / level) * t:
            break
        t = t + step if low < t + step < high else 0.5 * (low + high)
        if high - low <= 1e-15:
            break
    return mean, 1.0 / t - mean
