"""Steps of the proofs in docs/pages/theory/gap-free.md, in exact fractions and in numbers."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.special import rel_entr

from penalized_bandits import BanditError, Bernoulli, Instance, penalized_regret, simulate
from penalized_bandits.theory import gap_free
from penalized_bandits.theory.inputs import instance_of

ZERO = Fraction(0)
Vector = Sequence[Fraction]
Choice = Callable[[list[Fraction], list[int]], int]
"""An arm, from the e_k(n) and the arms below their level."""


class Path(NamedTuple):
    """A sequence of pulls, and its regret beyond the bounds (8) and (9)."""

    regret: Fraction
    deficits: list[Fraction]
    gaps: list[Fraction]
    most: Fraction
    """g*."""
    excess: Fraction
    after_start: Fraction
    """Of (9), for paths whose first K pulls are of different arms."""


def play(mu: Vector, a: Vector, tau: Vector, rounds: int, choose: Choice) -> Path:
    arms, best = range(len(mu)), max(mu)
    rates = [rate if share else ZERO for rate, share in zip(a, tau, strict=True)]
    counts, lost = [0] * len(mu), []
    for n in range(1, rounds + 1):
        below = [k for k in arms if counts[k] < tau[k] * n]
        worth = [mu[k] + (rates[k] if k in below else ZERO) for k in arms]
        arm = choose(worth, below)
        lost.append(max(worth) - worth[arm])
        counts[arm] += 1
    deficits = [max(tau[k] * rounds - counts[k], ZERO) for k in arms]
    gaps = [best - m for m in mu]
    regret = sum((gaps[k] * counts[k] + rates[k] * deficits[k] for k in arms), ZERO)
    regret -= rounds * sum(min(gaps[k], rates[k]) * tau[k] for k in arms)
    most = max(*(rates[k] - gaps[k] for k in arms), ZERO)
    excess = regret - sum(lost) - sum(rates) + most
    late = regret - sum(lost[len(mu) :]) - sum(gaps) - (len(mu) - 1) * most
    return Path(regret, deficits, gaps, most, excess, late)


def bandit_of(*values: Sequence[str]) -> tuple[Vector, Vector, Vector]:
    mu, a, tau = ([Fraction(x) for x in row] for row in values)
    return mu, a, tau


def drawn(rng: np.random.Generator, size: int, top: int = 6) -> list[Fraction]:
    return [Fraction(int(x), 6) for x in rng.integers(0, top + 1, size)]


def bandit(rng: np.random.Generator) -> tuple[Vector, Vector, list[Fraction]]:
    """Return means, rates and fractions: zeros, ties A = Delta and sums of 1 among them."""
    arms = int(rng.integers(2, 5))
    mu, weights = drawn(rng, arms), rng.integers(0, 4, arms)
    a = drawn(rng, arms, int(rng.choice([3, 6, 60])))
    a = [max(mu) - m if rng.random() < 0.2 else rate for m, rate in zip(mu, a, strict=True)]
    total = int(weights.sum()) + int(rng.choice([0, 0, 1, 5]))
    return mu, a, [Fraction(int(w), max(total, 1)) for w in weights]


def choices(rng: np.random.Generator, arms: int) -> Iterator[Choice]:
    """Yield pulls at random, of due arms, greedy ones, and the worst."""
    yield lambda _, __: int(rng.integers(arms))
    yield lambda _, below: int(rng.choice(below or range(arms)))
    yield lambda worth, _: worth.index(max(worth))
    yield lambda worth, _: worth.index(min(worth))


def after_start(arms: int, choose: Choice) -> Choice:
    """Return a choice that pulls each arm once and then goes by another."""
    first = iter(range(arms))

    def started(worth: list[Fraction], below: list[int]) -> int:
        for arm in first:
            return arm
        return choose(worth, below)

    return started


@pytest.mark.parametrize("seed", range(60))
def test_lemma_r_on_every_path(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mu, a, tau = bandit(rng)
    for choose in choices(rng, len(mu)):
        assert play(mu, a, tau, int(rng.integers(1, 25)), choose).excess <= 0
        rounds = int(rng.integers(len(mu), 25))
        started = play(mu, a, tau, rounds, after_start(len(mu), choose))
        assert started.excess <= 0
        assert started.after_start <= 0


@pytest.mark.parametrize("rounds", [4, 5, 40])
def test_both_bounds_are_attained(rounds: int) -> None:
    numbers = bandit_of(("0.9", "0.5", "0.4", "0.2"), ("10", "0", "0", "0"), ("1", "0", "0", "0"))
    found = play(*numbers, rounds, after_start(4, lambda _, __: 0))
    assert found.regret == Fraction("31.6")
    assert found.excess == found.after_start == 0


@pytest.mark.parametrize("seed", range(30))
def test_the_drift_of_sums(seed: int) -> None:
    """Lemma 2', for every balanced round, set of arms and subset of it."""
    rng = np.random.default_rng(seed)
    tau = bandit(rng)[2]
    arms, rounds = len(tau), int(rng.integers(4, 30))
    served = [k for k in range(arms) if rng.random() < 0.8] or [0]
    counts, others, since = [0] * arms, 0, [0]
    for n in range(1, rounds + 1):
        due = [k for k in served if counts[k] < tau[k] * n]
        if not due:
            since.append(others)
        arm = int(rng.choice(due if due and rng.random() < 0.8 else range(arms)))
        counts[arm] += 1
        others += arm not in due
        lack = {k: max(tau[k] * n - counts[k], ZERO) for k in served}
        subsets = [s for size in range(1, len(served) + 1) for s in combinations(served, size)]
        for before, chosen in product(since, subsets):
            part, whole = sum(tau[k] for k in chosen), sum(tau[k] for k in served)
            bound = part * (len(served) - 1 + others - before)
            assert sum(lack[k] for k in chosen) * (1 - whole + part) <= bound


@pytest.mark.parametrize("seed", range(60))
def test_optimism_on_every_path(seed: int) -> None:
    """Lemma O: eq. (10) for indices that are any numbers."""
    rng = np.random.default_rng(1000 + seed)
    mu, a, tau = bandit(rng)
    arms, rounds = len(mu), int(rng.integers(len(mu), 25))
    short, over, first = [ZERO] * arms, [ZERO], iter(range(arms))
    rates = [rate if share else ZERO for rate, share in zip(a, tau, strict=True)]

    def choose(_: list[Fraction], below: list[int]) -> int:
        for arm in first:
            return arm
        u = [m + Fraction(int(x), 6) for m, x in zip(mu, rng.integers(-3, 7, arms), strict=True)]
        index = [u[k] + (rates[k] if k in below else ZERO) for k in range(arms)]
        arm = index.index(max(index))
        short[:] = [max(z, m - x) for z, m, x in zip(short, mu, u, strict=True)]
        over.append(u[arm] - mu[arm])
        return arm

    found = play(mu, a, tau, rounds, choose)
    best = mu.index(max(mu))
    share = [tau[k] if rates[k] >= found.gaps[k] and k != best else ZERO for k in range(arms)]
    share[best] = 1 - sum(share, ZERO)
    failures = rounds * sum(y * z for y, z in zip(share, short, strict=True))
    bound = failures + sum(over) + sum(found.gaps) + (arms - 1) * found.most
    assert found.regret <= bound


def kl(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return rel_entr(p, q) + rel_entr(1 - p, 1 - q)


def test_constants_of_the_lower_bounds() -> None:
    eps = np.linspace(1e-3, 1 / 24, 200)
    assert (kl(np.full(200, 0.5), 0.5 + 2 * eps) <= 8.12 * eps**2).all()
    rate, share = np.meshgrid(np.linspace(0.01, 0.5, 50), np.linspace(0.02, 1, 50))
    eps = np.minimum(share * rate, 0.25)
    assert (kl(0.75 - rate - eps, 0.75 - rate + eps) <= 11.1 * eps**2).all()
    assert (1 - np.sqrt(1 / 3)) / 16 > 1 / gap_free.SIGNS
    assert (1 - np.sqrt(8 / 35)) / 24 > 1 / gap_free.SHARE
    assert np.sqrt(15) + np.sqrt(2 * np.pi) + np.sqrt(2) < gap_free.MOSS_RATE


def test_theorem_4_5_without_its_constant() -> None:
    for arms, rate in product((2, 5, 30), (0.0, 0.5, 20.0)):
        for horizon in max(3, arms * (1 + rate) ** 2) * np.array([1, 2, 100]):
            one = instance_of([1.0] + [0.0] * (arms - 1), 1 / arms, rate)
            claimed = np.sqrt(32 * arms * horizon * np.log(horizon))
            assert gap_free.upper_bound_i(one, horizon) <= claimed


TABLE = [
    ((0.55, *[0.5] * 9), 0.2, 0.0, 20_000, (733.7, 3.0, 4614), (291.6, 6.2, 3489)),
    ((0.75, 0.4, 0.5, 0.4), 0.3, 0.24975, 16_000, (200.3, 2.2, 2586), (78.9, 2.2, 1975)),
    (
        (0.75, 0.25, 0.25), (0.5, 0.45, 0.55), (0.3, 0.35, 0.34), 20_000,
        (115.1, 1.6, 2529), (44.8, 1.3, 1913),
    ),
    (
        (0.9, 0.5, 0.4, 0.2), (10, 0, 0, 0), (0.999, 0, 0, 0), 1000,
        (21.6, 0.02, 591), (21.6, 0.02, 525),
    ),
]  # fmt: skip


@pytest.mark.parametrize("row", TABLE)
def test_simulations_and_bounds(row: tuple[Any, ...]) -> None:
    means, rates, tau, horizon, published, moss = row
    one = Instance(means, tau, rates, Bernoulli())
    bounds = (gap_free.upper_bound_i, gap_free.upper_bound_m)
    rules = ("hard_threshold_ucb", None), ("moss_hard_threshold", horizon / len(means))
    for (mean, error, bound), of, (policy, tuning) in zip(
        (published, moss), bounds, rules, strict=True
    ):
        assert of(one, horizon) == pytest.approx(bound, abs=0.6)
        run = simulate(policy, one, horizon, replicates=60, seed=1, tuning=tuning)
        regret = penalized_regret(run.pulls[:, -1], one.means, one.fairness, one.penalties)
        assert regret.mean() == pytest.approx(mean, abs=4 * error * np.sqrt(1 + 200 / 60))


def test_lower_bounds() -> None:
    # Two of three arms count: the third has fewer than one pull due, or too small a rate.
    assert gap_free.lower_bound_j([0.25, 0.25, 0.001], 0.5, 400) == pytest.approx(20 / 38)
    assert gap_free.lower_bound_j([0.25, 0.25, 0.25], [0.5, 0.5, 0.01], 400) == pytest.approx(
        20 / 38
    )
    assert gap_free.lower_bound_j(0.25 * np.ones(4), 0.5, [400, 1600]) == pytest.approx(
        np.array([30, 60]) / 38
    )
    assert gap_free.bernoulli_bound_4_8([0.5, 0.5], 100) == 0
    assert gap_free.bernoulli_bound_4_8([0.25, 0.25], 100) == pytest.approx(5 / 46)
    rows = instance_of([[0.9, 0.5], [0.5, 0.5]], [0.5, 0.0], [[1.0, 9.0], [2.0, 9.0]])
    assert gap_free.start_up(rows) == pytest.approx([0.4 + 1.0, 2.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gap_free.upper_bound_i(instance_of([0.5] * 3, 0.1), 2), "at least 3 rounds"),
        (lambda: gap_free.lower_bound_j([0.5, 0.5], 0.6, 100), r"Theorem J needs them in \[0, 1/2"),
        (lambda: gap_free.bernoulli_bound_4_8([0.5, 0.5], 15), "at least 16 rounds"),
    ],
)
def test_refuses(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()
