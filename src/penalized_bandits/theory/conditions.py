"""What the theorems of section 4 ask of a bandit, with the numbers that are compared.

Each function takes means mu (K,), fairness fractions tau (K,), penalty rates A (K,) and
one horizon T.  ``reading="stated"`` is the theorem's own condition; ``"proved"`` is what
the steps of its proof need.  Where the proof's numbers come from is said in each docstring;
all of them are for the largest c_0 unless ``slack`` gives another one.

Two windows of the proofs are used throughout.  With c_0 = 1 - sum tau, an arm that is not
ahead of its level gets at most tau_k c_0 T / 2 pulls by round c_0 T / 2, so between rounds
c_0^2 T / 4 and c_0 T / 2 there are at least c_0^2 T / 4 rounds left for arms that explore
(the proof of Lemma 4.4).  Theorem 4.2's own window starts at c_0 T / 4 and counts
tau_k c_0 T / 4 pulls in it, which leaves out an arm that starts it behind its level.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.theory.problem import (
    ROUNDING,
    Reading,
    check_reading,
    horizons,
    problem,
    ratio,
    slack_of,
)
from penalized_bandits.typing import BoolArray, FloatArray


@dataclass(frozen=True, eq=False)
class Condition:
    """A condition ``least <= value < most``, arm by arm, and whether it holds."""

    name: str
    """The theorem and the part of it."""
    what: str
    """The inequality."""
    reading: Reading
    value: FloatArray
    """What is compared, shape (K,), or () where the condition is not about single arms."""
    least: FloatArray
    """Lower limit, the shape of ``value``; -inf where there is none."""
    most: FloatArray
    """Upper limit, never attained, the shape of ``value``; inf where there is none."""
    applies: BoolArray
    """Arms that the condition is about, the shape of ``value``."""
    strict: bool = False
    """Whether the lower limit may not be attained either."""

    @property
    def per_arm(self) -> BoolArray:
        """Whether each arm meets it; True for arms that it is not about."""
        above = self.value > self.least if self.strict else self.value >= self.least
        return np.asarray(~self.applies | (above & (self.value < self.most)))

    @property
    def holds(self) -> bool:
        """Whether every arm meets it."""
        return bool(self.per_arm.all())


def condition(
    name: str,
    what: str,
    reading: Reading,
    value: FloatArray | float,
    *,
    least: FloatArray | float = -np.inf,
    most: FloatArray | float = np.inf,
    applies: BoolArray | bool = True,
    strict: bool = False,
) -> Condition:
    """Bring the parts of a condition to the shape of ``value``."""
    shape = np.shape(value)
    numbers = [np.array(np.broadcast_to(x, shape), dtype=np.float64) for x in (value, least, most)]
    mask = np.array(np.broadcast_to(applies, shape), dtype=np.bool_)
    return Condition(name, what, reading, *numbers, applies=mask, strict=strict)


def _settling(
    n_arms: int, fairness: FloatArray, slack: float, rounds: FloatArray, scale: float
) -> FloatArray:
    """Least margin A - Delta for which the proofs' first window ends as they say, (K,).

    ``scale`` log T/margin^2 pulls are what exploration costs each arm.  All arms together
    must not fill the window: scale K log T/margin^2 < c_0^2 T/4; and one arm not its
    level at the window's start: scale log T/margin^2 <= tau_k c_0^2 T/4.
    """
    pace = 4 * scale * np.log(rounds) / (slack**2 * rounds)
    of_arm = np.where(fairness > 0, ratio(pace, fairness), 0.0)
    return np.sqrt(np.maximum(n_arms * pace, of_arm))


def condition_4_1(
    means: ArrayLike,
    fairness: ArrayLike,
    penalties: ArrayLike,
    horizon: float,
    *,
    reading: Reading = "stated",
    root_alone: bool = False,
    slack: float | None = None,
) -> Condition:
    """Theorem 4.1: every arm's margin A_k - Delta_k is large enough for fairness.

    Stated: A_k - Delta_k >= min{sqrt(32 log T/(tau_k T)), 1} and tau_k > 0, for all k.
    The proof has no minimum: below the horizon where the root falls under 1 the condition
    as stated is the easier A_k - Delta_k >= 1.  ``root_alone=True`` leaves the minimum
    out and keeps the rest of the stated condition.

    Proved: the smallest margin of all arms, c_a, exceeds both sqrt(32 K log T/(c_0^2 T))
    and every sqrt(32 log T/(c_0^2 tau_k T)).  Neither c_0 nor K is in the stated root,
    and without them it is not enough: with tau = (0.9, 0.001, ..., 0.001), K = 11, equal
    means and each A_k at its root, arm 1 gets 0.66 T pulls at every large T.

    Even so the conclusion N_k(T) >= floor(tau_k T) is more than the proof gives; see
    :func:`penalized_bandits.theory.bounds.settled_deficit`.
    """
    check_reading(reading)
    bandit = problem(means, fairness, penalties)
    rounds = horizons(horizon)
    margin = bandit.penalties - bandit.gaps
    tau = bandit.fairness
    if reading == "proved":
        least = _settling(bandit.n_arms, tau, slack_of(bandit, slack), rounds, 8)
        return condition(
            "Theorem 4.1",
            "min A - Delta > max{sqrt(32 K log T/(c_0^2 T)), sqrt(32 log T/(c_0^2 tau T))}",
            reading,
            np.full(bandit.n_arms, margin.min()),
            least=np.where(tau > 0, least, np.inf),
            strict=True,
        )
    root = np.sqrt(ratio(32 * np.log(rounds), tau * rounds))
    least = root if root_alone else np.minimum(root, 1.0)
    return condition(
        "Theorem 4.1",
        "A - Delta >= " + ("sqrt(32 log T/(tau T))" if root_alone else "min{root, 1}"),
        reading,
        margin,
        # A fairness fraction of zero is outside the theorem.
        least=np.where(tau > 0, least, np.inf),
    )


def conditions_4_2(
    means: ArrayLike,
    fairness: ArrayLike,
    penalties: ArrayLike,
    horizon: float,
    *,
    reading: Reading = "stated",
    slack: float | None = None,
) -> tuple[Condition, Condition]:
    """Theorem 4.2 (i) and (ii): critical arms well below their rate, others near theirs.

    c_a is taken as large as (i) allows, the smallest A_k - Delta_k over A_opt and A_cr:
    that makes both conditions as easy as can be.

    Stated: (i) c_a > sqrt(16 c_0^2 K log T/T); (ii) for arms of A_non-cr,
    c_a/4 > Delta_k - A_k >= min{sqrt(8 K log T/(c_0^2 T)), sqrt(log(c_0 T)/(tau_k c_0 T))}.

    Proved: (i) c_a > sqrt(32 K log T/(c_0^2 T)), c_0 dividing where the theorem has it as
    a factor, and c_a >= sqrt(32 log T/(c_0^2 tau_k T)); (ii) Delta_k - A_k at least
    sqrt(16 K log T/(c_0^2 T)) without a minimum (the step "fails when n_2 - n_1 >=
    c_0 T/2" needs c_0^2 T/2 > 8 K log T/(Delta - A)^2), and less than
    c_a sqrt(log(c_0 T/2)/(16 log T)), of which c_a/4 is the limit.  The upper limit is
    still generous: the step before it puts an arm's index above mu + A + sqrt(log n/N)
    except with probability 2/n, where Hoeffding's inequality gives n^-0.34 only.

    An arm with half the largest gap for its rate (Setting 1) can never meet (ii) if it has
    the largest gap, as then Delta - A = A >= c_a.  With A = 0 (UCB1) c_a = 0, so (i) fails.
    """
    check_reading(reading)
    bandit = problem(means, fairness, penalties)
    rounds = horizons(horizon)
    c_0 = slack_of(bandit, slack)
    tau, n_arms = bandit.fairness, bandit.n_arms
    margin = bandit.penalties - bandit.gaps
    served = bandit.optimal | bandit.critical
    c_a = float(margin[served].min())
    log = np.log(rounds)
    if reading == "stated":
        first = np.sqrt(16 * c_0**2 * n_arms * log / rounds)
        of_arm = np.sqrt(ratio(np.log(np.maximum(c_0 * rounds, 1.0)), tau * c_0 * rounds))
        second = np.minimum(np.sqrt(8 * n_arms * log / (c_0**2 * rounds)), of_arm)
        limit = c_a / 4
        what = (
            "c_a > sqrt(16 c_0^2 K log T/T)",
            "c_a/4 > Delta - A >= min{sqrt(8 K log T/(c_0^2 T)), sqrt(log(c_0 T)/(tau c_0 T))}",
        )
    else:
        first = _settling(n_arms, tau, c_0, rounds, 8)
        second = np.sqrt(16 * n_arms * log / (c_0**2 * rounds))
        limit = c_a * np.sqrt(np.log(np.maximum(c_0 * rounds / 2, 1.0)) / (16 * log))
        what = (
            "c_a > max{sqrt(32 K log T/(c_0^2 T)), sqrt(32 log T/(c_0^2 tau T))}",
            "c_a sqrt(log(c_0 T/2)/(16 log T)) > Delta - A > sqrt(16 K log T/(c_0^2 T))",
        )
    return (
        condition(
            "Theorem 4.2 (i)",
            what[0],
            reading,
            np.full(n_arms, c_a),
            least=first,
            applies=served,
            strict=True,
        ),
        condition(
            "Theorem 4.2 (ii)",
            what[1],
            reading,
            -margin,
            least=second,
            most=limit,
            applies=bandit.non_critical,
            strict=reading == "proved",
        ),
    )


def conditions_4_3(
    means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike
) -> tuple[Condition, Condition]:
    """Theorem 4.3: what its proof adds, A_k > Delta_k and no ties of A_k + mu_k.

    The theorem itself lists no condition and includes arms with A_k = Delta_k; where
    either of these fails a coefficient a_j is infinite.  The tie condition compares each
    arm's A_k + mu_k with the nearest other one (infinitely far if it is the only arm).
    """
    bandit = problem(means, fairness, penalties)
    sums = bandit.penalties + bandit.means
    distance = np.abs(sums[:, None] - sums)
    distance[distance < ROUNDING] = 0.0
    np.fill_diagonal(distance, np.inf)
    return (
        condition(
            "Theorem 4.3, strict",
            "A > Delta",
            "proved",
            bandit.penalties - bandit.gaps,
            least=0.0,
            applies=bandit.optimal | bandit.critical,
            strict=True,
        ),
        # Infinity is no tie: an upper limit that no distance reaches would exclude it.
        condition(
            "Theorem 4.3, ties",
            "no other arm has the same A + mu",
            "proved",
            np.minimum(distance.min(axis=1), np.finfo(np.float64).max),
            least=0.0,
            strict=True,
        ),
    )


def condition_lemma_4_4(
    means: ArrayLike,
    fairness: ArrayLike,
    penalties: ArrayLike,
    horizon: float,
    *,
    reading: Reading = "stated",
    slack: float | None = None,
) -> Condition:
    """Lemma 4.4: A_k - Delta_k >= sqrt(32 K log T/T) and tau_k > 0; per arm.

    Each arm stands for itself: the lemma speaks of the arms that meet it.  Arms of
    A_non-cr are not concerned.

    Proved: A_k - Delta_k > sqrt(128 K log T/(c_0^2 T)), from 32 K log T/(A - Delta)^2 <
    c_0^2 T/4, and 32 log T/(A_k - Delta_k)^2 <= tau c_0^2 T/4 for the smallest tau of the
    arms whose margin is at least half as large.  Between the two readings the lemma is
    true nevertheless, as tau_k T is at most a constant times its scale there; but the
    constant depends on c_0 and min tau, so Theorem 4.5's C is not universal.
    """
    check_reading(reading)
    bandit = problem(means, fairness, penalties)
    rounds = horizons(horizon)
    c_0 = slack_of(bandit, slack)
    margin = bandit.penalties - bandit.gaps
    tau = bandit.fairness
    pace = np.log(rounds) / rounds
    if reading == "stated":
        least = np.full(bandit.n_arms, np.sqrt(32 * bandit.n_arms * pace))
        what = "A - Delta >= sqrt(32 K log T/T)"
    else:
        very_critical = margin >= margin[:, None] / 2
        smallest = np.where(very_critical, tau, np.inf).min(axis=1)
        smallest = np.where(np.isfinite(smallest), smallest, tau)
        least = np.sqrt(
            np.maximum(128 * bandit.n_arms * pace / c_0**2, ratio(128 * pace / c_0**2, smallest))
        )
        what = "A - Delta > max{sqrt(128 K log T/(c_0^2 T)), sqrt(128 log T/(c_0^2 tau T))}"
    return condition(
        "Lemma 4.4",
        what,
        reading,
        margin,
        least=np.where(tau > 0, least, np.inf),
        applies=~bandit.non_critical,
        strict=reading == "proved",
    )


def condition_4_5(fairness: ArrayLike) -> Condition:
    """Theorem 4.5: tau_k > 0 for every arm, a constant in T; fairness has shape (K,).

    Whether tau_k depends on T is for the caller to know.
    """
    tau = np.asarray(fairness, dtype=np.float64)
    bandit = problem(np.zeros(tau.shape), tau, 0.0)
    return condition("Theorem 4.5", "tau > 0", "stated", bandit.fairness, least=0.0, strict=True)


def conditions_4_8(fairness: ArrayLike, penalties: ArrayLike, gap: float) -> tuple[Condition, ...]:
    """Theorem 4.8's two instances: K > 1, gap < 1/2, gap < A_k for every arm.

    The theorem allows any positive rates; its proof takes the gap of
    :func:`penalized_bandits.theory.bounds.two_point_gap`, so T must be large enough to
    bring that below every rate.
    """
    tau = np.asarray(fairness, dtype=np.float64)
    bandit = problem(np.zeros(tau.shape), tau, penalties)
    return (
        condition("Theorem 4.8", "K > 1", "stated", float(bandit.n_arms), least=1.0, strict=True),
        condition("Theorem 4.8", "0 < gap < 1/2", "proved", gap, least=0.0, most=0.5, strict=True),
        condition("Theorem 4.8", "A > gap", "proved", bandit.penalties, least=gap, strict=True),
    )
