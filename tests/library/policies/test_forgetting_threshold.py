"""The policy that forgets: floors in every window, means that change, weights of late rewards."""

from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from penalized_bandits import BanditError, Instance, Player, Policy, half_life
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.oracle import trace
from penalized_bandits.live import Journal, _arms, player
from penalized_bandits.policies.ours.forgetting_threshold import weight

H = 7.0


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
        live = Player("forgetting_threshold", tau, 1.0, tuning=rng.choice([0.5, 30.0, 1e9]))
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


def test_surplus_of_other_rules_leaves_windows_without_an_arm() -> None:
    instance = Instance([0.2, 0.9, 0.1], 0.1, 1.0, Bernoulli())
    arms = {p: trace(p, instance, 1000).arms for p in ("hard_threshold_ucb", "ucb1")}
    assert all(lacks(of, instance.fairness).max() > 2 for of in arms.values())


def loss(policy: str, tuning: float | None, seed: int) -> float:
    """Return the regret to the best arm of each round; a low arm is best in every other part."""
    rng, rounds, part = np.random.default_rng(seed), 4800, 600
    live, total = Player(policy, [0.1] * 3, 1.0, tuning=tuning), 0.0
    for n in range(rounds):
        means = [0.5, 0.2, 0.8 if n // part % 2 else 0.2]
        arm = live.choose()
        live.update(arm, float(rng.random() < means[arm]))
        total += max(means) - means[arm]
    return total


def test_it_loses_less_than_the_hard_threshold_where_means_change() -> None:
    half = half_life(0.1, 0.3, 4800, 600)
    pairs = [
        (loss("hard_threshold_ucb", None, s), loss("forgetting_threshold", half, s))
        for s in range(4)
    ]
    saved = np.subtract(*np.transpose(pairs))
    assert saved.mean() > 5 * saved.std(ddof=1) / 2 > 0


@pytest.mark.parametrize("scale", [1.0, 1e9])
def test_a_reward_fades_from_the_round_of_its_choice(
    scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=1e9)
    for module in (_arms, player):
        monkeypatch.setattr(module, "now", lambda: clock.now)
    rng, live = (
        np.random.default_rng(4),
        Player("forgetting_threshold", [0.2, 0.3, 0.0], 1.0, tuning=H),
    )
    taken, opened = list[tuple[int, int, float]](), list[tuple[int, int, str]]()

    def check() -> None:
        counts, sums = np.zeros(3), np.zeros(3)
        for arm, made, reward in taken:
            counts[arm] += 0.5 ** ((live.rounds - made) / H)
            sums[arm] += 0.5 ** ((live.rounds - made) / H) * reward
        assert live.effective_counts == pytest.approx(counts, rel=1e-9)
        assert live.means == pytest.approx(
            np.divide(sums, counts, np.full(3, np.nan), where=counts > 0), rel=1e-9, nan_ok=True
        )

    check()
    for n in range(1, 121):
        there = [0, 1] if n % 20 < 8 else None
        choice = live.choose(available=there)
        opened.append((int(choice), n, choice.id))
        clock.now += 1.0
        while len(opened) > 5:
            arm, made, key = opened.pop(int(rng.integers(6)))
            oldest = min(m for k, m, _ in [*opened, (arm, made, "")] if k == arm)
            reward = scale * rng.random()
            # By its id, or, where it is the oldest of its arm, by the arm's number.
            live.update(arm if made == oldest else key, reward)
            taken.append((arm, made, reward))
        if n % 30 == 0:
            live.observe(1, [0.25 * scale, 0.5 * scale])
            taken += [(1, n, 0.25 * scale), (1, n, 0.5 * scale)]
        if n == 100:
            live.expire(3.0, as_reward=scale)
            taken += [(k, made, scale) for k, made, _ in opened if made <= n - 3 + 1]
            opened = [each for each in opened if each[1] > n - 3 + 1]
            live = Player.from_state(live.state())
        check()


def test_batches_of_rewards_by_number_are_of_the_oldest_choices() -> None:
    live = Player("forgetting_threshold", [0.0, 0.0], 0.0, tuning=H)
    chosen = live.choose(6)
    own = [i for i, arm in enumerate(chosen, 1) if arm == 0]
    live.update([0, chosen[own[1] - 1], 0], [1.0, 0.0, 0.5])
    weights = [weight(6 - i, H) for i in (own[0], own[1], own[2])]
    assert live.effective_counts == pytest.approx([sum(weights), 0.0])
    assert live.means[0] == pytest.approx((weights[0] + 0.5 * weights[2]) / sum(weights))


def test_a_sleeping_arm_is_owed_what_its_accrual_says() -> None:
    for accrual, arms in (("always", [1] * 6), ("available", [0] * 3)):
        live = Player("forgetting_threshold", [0.0, 0.3], 0.0, tuning=1e9, accrual=accrual)
        live.update(live.choose(2), [1.0, 0.0])
        for _ in range(20):
            live.update(live.choose(available=[0]), 1.0)
        assert live.choose(len(arms)) == arms, accrual


def test_a_player_goes_on_from_its_state_and_from_its_journal(tmp_path: Path) -> None:
    rng, live = (
        np.random.default_rng(2),
        Player("forgetting_threshold", [0.2, 0.1, 0.1], 0.0, tuning=H),
    )
    with closing(Journal(tmp_path / "a", Player.from_state(live.state()))) as journal:
        for _ in range(40):
            choices = live.choose(3)
            assert journal.player.choose(3) == choices
            rewards = rng.random(2).tolist()
            for each in (live, journal.player):
                each.update([int(arm) for arm in choices[1:]], rewards)
            live = Player.from_state(live.state())
        (tmp_path / "b").write_bytes((tmp_path / "a").read_bytes())
    with closing(Journal(tmp_path / "b")) as journal:
        assert journal.player.means.tolist() == live.means.tolist()
        assert journal.player.choose(50) == live.choose(50)


def test_what_takes_means_to_be_constant_refuses() -> None:
    live = Player("forgetting_threshold", [0.1, 0.1], 0.0, tuning=H)
    live.update(live.choose(4), [1.0, 0.0, 0.5, 0.5])
    for ask in (live.best, live.intervals, lambda: live.best(best_at=10.0)):
        with pytest.raises(
            BanditError, match=r"means that change, but (best|intervals without best_at) takes"
        ):
            ask()
    assert (live.intervals(best_at=10.0)[:, 0] < live.means).all()
    other = Player("ucb1", [0.1, 0.1], 0.0)
    other.update(other.choose(3), [1.0, 0.0, 0.5])
    assert other.effective_counts.tolist() == other.counts
    with pytest.raises(BanditError, match="memory of policy mine is 2: one that forgets needs at"):
        Policy("mine", choose=lambda now: 0, memory=2, forgets=weight)
    limits = {"ceilings": 0.6, "excess_penalties": 1.0}
    with pytest.raises(BanditError, match="policy forgetting_threshold knows floors alone"):
        Player("forgetting_threshold", [0.1, 0.1], 0.0, tuning=H, **limits)


def test_half_lives() -> None:
    assert half_life(0.5, 1.0, 1000) == pytest.approx(np.log(1000) / 2)
    assert half_life(0.5, 1e-9, 1000, 16.0) == pytest.approx(4.0)
    good = {"least_share": 0.1, "smallest_difference": 0.1, "horizon": 100}
    for name, value in {**dict.fromkeys(good, 0), "rounds_between_changes": -1.0}.items():
        with pytest.raises(BanditError, match=f"{name} is {value}: it must be a"):
            half_life(**{**good, name: value})
