"""The policy that forgets: floors in every window, means that change, weights of late rewards."""

from typing import Any

import numpy as np
import pytest

from penalized_bandits import (
    BanditError,
    Bernoulli,
    Changing,
    Instance,
    Player,
    Policy,
    half_life,
    simulate,
)
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies.ours.forgetting_threshold import weight

H = 7.0


def player_of(*tau: float, tuning: float = H, **options: Any) -> Player:
    return Player("forgetting_threshold", tau, 1.0, tuning=tuning, **options)


def lacks(arms: list[int], tau: FloatArray) -> FloatArray:
    """Return the largest lack of each arm over the windows that end in each round, (T + 1, K)."""
    pulls = np.cumsum(np.eye(len(tau))[[0, *arms]], axis=0) - np.eye(len(tau))[0]
    owed = tau * np.arange(len(arms) + 1)[:, None] - pulls
    return owed - np.minimum.accumulate(owed, axis=0)


@pytest.mark.parametrize("n_arms", [2, 3, 4, 5, 6])
def test_every_window_lacks_fewer_than_k_minus_1_pulls(n_arms: int) -> None:
    rng = np.random.default_rng(n_arms)
    for total in (1.0, 1.0, 0.9, 0.6):
        tau = total * rng.dirichlet(np.full(n_arms, rng.choice([0.3, 1.0, 10.0])))
        tau *= min(1.0, 1.0 / tau.sum())
        live = player_of(*tau, tuning=rng.choice([0.5, 30.0, 1e9]))
        arms, due = list[int](), list[int]()
        for _ in range(300):
            arms.append(int(live.choose()))
            due.append(arms[-1])
            if rng.random() < 0.2:
                # Rewards late, of any size, larger for whatever is owed nothing.
                sizes = rng.choice([0.0, 1.0, 1e6], len(due)) * (1.0 - tau[due])
                live.update(due, rng.normal(sizes))
                due = []
        together = lacks(arms, tau).sum(axis=1)
        assert together.max() < n_arms - 1
        assert total < 1.0 or n_arms < 4 or together.max() > 1.0


@pytest.mark.parametrize("tau", [(0.15, 0.35), (0.1, 0.3), (0.2, 0.2)])
def test_no_period_of_two_arms_lacks_a_pull(tau: tuple[float, float]) -> None:
    # Debts are 1 in decimals, and less or more in binary.
    bandit = Changing(Instance([0.6, 0.5], tau, 1.0, Bernoulli()), {}, 20)
    run = simulate("forgetting_threshold", bandit, 2000, seed=1, replicates=200, tuning=50.0)
    assert run.unfairness()[:, -1].max() < 1e-9


def test_the_largest_debt_comes_first_where_arms_sleep() -> None:
    rng, tau = np.random.default_rng(1), np.array([0.125, 0.25, 0.125])
    live, debts = player_of(*tau, tuning=1e6), np.zeros(3)
    for _ in range(600):
        there = sorted(rng.permutation(3)[: rng.integers(1, 4)].tolist())
        choice = live.choose(available=there)
        owed = (debts + tau)[there].max()
        assert owed < 1.0 or (debts + tau)[choice] == owed
        debts = np.maximum(debts + tau - np.eye(3)[choice], 0.0)
        live.update(choice, rng.random())


def test_it_loses_less_than_the_hard_threshold_where_means_change() -> None:
    steady = Instance([0.5, 0.2, 0.2], 0.1, 1.0, Bernoulli())
    means = {n: [0.5, 0.2, 0.8 if n % 1200 == 601 else 0.2] for n in range(601, 4800, 600)}
    half = half_life(0.1, 0.3, 4800, 600)
    loss, other = (
        simulate(p, Changing(steady, means, 100), 4800, replicates=20, tuning=h).dynamic_regret()
        for p, h in (("forgetting_threshold", half), ("hard_threshold_ucb", None))
    )
    saved = (other - 3 * loss)[:, -1]
    assert saved.mean() > 5 * saved.std(ddof=1) / 20**0.5


def test_a_reward_fades_from_the_round_of_its_choice() -> None:
    rng, live = np.random.default_rng(4), player_of(0.2, 0.3, 0.0)
    taken, opened = list[tuple[int, int, float]](), list[tuple[int, int, str]]()
    for n in range(1, 121):
        choice = live.choose(available=[0, 1] if n % 20 < 8 else None)
        opened.append((int(choice), n, choice.id))
        while len(opened) > 5:
            arm, made, key = opened.pop(int(rng.integers(6)))
            oldest = all(m > made for k, m, _ in opened if k == arm)
            taken.append((arm, made, 1e9 * rng.random()))
            live.update(arm if oldest else key, taken[-1][2])
        if n % 30 == 0:
            live.observe(1, [0.25, 0.5])
            taken += [(1, n, 0.25), (1, n, 0.5)]
        if n == 100:
            live.expire(0.0, as_reward=1.0)
            taken += [(k, made, 1.0) for k, made, _ in opened]
            opened, live = [], Player.from_state(live.state())
        counts, sums = np.zeros(3), np.zeros(3)
        for arm, made, reward in taken:
            counts[arm] += 0.5 ** ((n - made) / H)
            sums[arm] += 0.5 ** ((n - made) / H) * reward
        assert live.effective_counts == pytest.approx(counts, rel=1e-9)
        assert np.nan_to_num(live.means) * counts == pytest.approx(sums, rel=1e-6)
        assert np.isnan(live.means).tolist() == (counts == 0).tolist()


def test_batches_of_rewards_by_number_are_of_the_oldest_choices() -> None:
    live = player_of(0.0, 0.0)
    chosen = live.choose(6)
    own = [i for i, arm in enumerate(chosen, 1) if arm == 0]
    live.update([0, chosen[own[1] - 1], 0], [1.0, 0.0, 0.5])
    weights = [weight(6 - i, H) for i in (own[0], own[1], own[2])]
    assert live.effective_counts == pytest.approx([sum(weights), 0.0])
    assert live.means[0] == pytest.approx((weights[0] + 0.5 * weights[2]) / sum(weights))


def test_rewards_by_number_are_of_choices_that_are_forgotten_first() -> None:
    live = player_of(0.0, 0.0, remembered=1)
    for there in [0] + 30 * [1] + [0]:
        choice = live.choose(available=[there])
        if there:
            live.update(choice, 0.5)
    live.update(0, 1.0)
    assert live.effective_counts[0] == pytest.approx(weight(31, H))


def test_means_of_rewards_long_past_stay_known() -> None:
    live = player_of(0.1, 0.1, tuning=0.1)
    for arm in (0, 1):
        live.observe(arm, [0.3, 0.4])
    for _ in range(200):
        live.update(live.choose(available=[0]), 0.5)
    assert live.means[1] == pytest.approx(0.35)
    assert 0.0 < live.effective_counts[1] < 1e-90


def test_a_sleeping_arm_is_owed_what_its_accrual_says() -> None:
    for accrual, arms in (("always", [1] * 6), ("available", [0] * 3)):
        live = player_of(0.0, 0.3, tuning=1e9, accrual=accrual)
        live.update(live.choose(2), [1.0, 0.0])
        for _ in range(20):
            live.update(live.choose(available=[0]), 1.0)
        assert live.choose(len(arms)) == arms, accrual


def test_what_takes_means_to_be_constant_refuses() -> None:
    live = player_of(0.1, 0.1)
    live.update(live.choose(4), [1.0, 0.0, 0.5, 0.5])
    for ask in (live.best, live.intervals, lambda: live.best(best_at=10.0)):
        with pytest.raises(BanditError, match=r"means that change, but .* takes them to be const"):
            ask()
    assert (live.intervals(best_at=10.0)[:, 0] < live.means).all()
    other = Player("ucb1", [0.1, 0.1], 0.0)
    other.update(other.choose(3), [1.0, 0.0, 0.5])
    assert other.effective_counts.tolist() == other.counts
    with pytest.raises(
        BanditError, match="forgets of policy mine must be a function, and its memory"
    ):
        Policy("mine", choose=lambda now: 0, memory=2, forgets=weight)
    with pytest.raises(BanditError, match="policy forgetting_threshold is for floors alone"):
        player_of(0.1, 0.1, ceilings=0.6, excess_penalties=1.0)


def test_half_lives() -> None:
    assert half_life(0.5, 1.0, 1000) == pytest.approx(np.log(1000) / 2)
    assert half_life(0.5, 1e-9, 1000, 16.0) == pytest.approx(4.0)
    good = {"least_share": 0.1, "smallest_difference": 0.1, "horizon": 100}
    for name, value in {**dict.fromkeys(good, 0), "rounds_between_changes": -1.0}.items():
        with pytest.raises(BanditError, match=f"{name} is {value}: it must be a"):
            half_life(**{**good, name: value})
