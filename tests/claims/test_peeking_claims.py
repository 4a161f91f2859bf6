"""The claims on intervals of users who look at any time: what they see, and planted faults."""

import numpy as np
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_ind_from_stats

from outcome_factories import Runs, info_of, outcome
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import IntArray
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.streams import Stream
from penalized_bandits.statistics.anytime import beta_interval
from penalized_replication.claims.results import measure
from penalized_replication.claims.sharp import peeking
from penalized_replication.experiments.base import Context, Readings
from penalized_replication.experiments.catalogue import experiment
from penalized_replication.experiments.extended.peeking import RATE
from penalized_replication.experiments.simulate import simulate_experiment
from tiny_sections import TINY_SHARP

ARMS, RUNS, ROUNDS = 3, 1000, 3000


def test_sums_and_misses_are_those_of_the_simulation() -> None:
    """Against the oracle's rewards, and intervals looked at one by one."""
    played, values = experiment("peeking_looks"), TINY_SHARP["peeking_looks"]
    section = played.section.model_validate({**values, "replicates": 3})
    runs = list(simulate_experiment(played, section, Context(9, Readings(), 0, 3)))
    looks = [x for x in runs if (x.policy, x.case) == (runs[-1].policy, runs[-1].case)]
    paths = peeking.paths_of(looks, "peeking_looks", 9)
    bandit = Instance(paths.means, looks[0].fairness, RATE, looks[0].info.rewards)
    for r in range(3):
        stream = Stream(9, ("peeking_looks", looks[0].case))
        one = trace(looks[0].policy, bandit, looks[-1].horizon, replicate=r, stream=stream)
        arms, rewards = np.array(one.arms), np.array(one.rewards)
        for c, look in enumerate(looks):
            sums = np.bincount(arms[: look.horizon], rewards[: look.horizon], ARMS)
            assert paths.sums[r, c].tolist() == sums.tolist()
        missed = [False] * 3
        for k, mean in enumerate(paths.means):
            s = np.cumsum(rewards[arms == k])
            n = np.arange(1, s.size + 1)
            m, late = s / n, n >= 10
            error = np.sqrt(m * (1 - m) / np.maximum(n - 1, 1))
            for i, level in enumerate((0.95, 1 - 0.05 / ARMS)):
                half = student.ppf((1 + level) / 2, np.maximum(n - 1, 1)) * error
                missed[i] |= bool((np.abs(m - mean) > half)[late].any())
            ends = beta_interval(n, s, 0.05 / ARMS)
            missed[2] |= bool(((mean < ends[:, 0]) | (mean > ends[:, 1])).any())
        assert paths.missed[r].tolist() == missed


def test_first_look_is_that_of_welchs_test() -> None:
    """Of two runs with 10 rewards of each arm, one differs at the second look, in arms 1 and 3."""
    n = np.array([[[10, 10, 10], [40, 40, 40]]] * 2)
    s = np.array([[[5, 5, 5], [20, 20, 20]], [[9, 7, 5], [30, 24, 20]]])
    runs, look, pair = peeking.first_significant(paths(n, s))
    assert (runs.tolist(), look.tolist(), pair.tolist()) == ([1], [1], [[0, 2]])
    assert not peeking.first_significant(paths(n[:1], s[:1]))[0].size
    sd = np.sqrt(s / n * (1 - s / n) * n / (n - 1))
    for at, other, significant in ((0, 2, False), (1, 1, False), (1, 2, True)):
        arms = [(s[1, at, k] / 10 / (1 + 3 * at), sd[1, at, k], n[1, at, k]) for k in (0, other)]
        p = ttest_ind_from_stats(*arms[0], *arms[1], equal_var=False).pvalue
        assert (p < 0.05) == significant


def paths(
    n: IntArray, s: IntArray, *, missed: float = 0.0, kind: int = 0, floors: float = 0.0,
    policy: str = peeking.THOMPSON,
) -> peeking.Paths:  # fmt: skip
    """Return paths of arms with means of one half; a share of runs missed at some time."""
    tau = (floors / ARMS,) * ARMS
    info = info_of(f"equal_floors{floors:g}", tau, group="equal")
    pulls = np.full((1, ARMS - 1), ROUNDS / ARMS)
    last = outcome(pulls, ROUNDS, [0.5] * ARMS, tau, 1.0, case=info, policy=policy)
    table = np.zeros((RUNS, 3), bool)
    table[: round(missed * RUNS), kind] = True
    return peeking.Paths(last, last.means[0], n, s, table)


def seen(share: float, *, low: int = 460) -> tuple[IntArray, IntArray]:
    """Return counts and sums at one look, of which a share of runs has a low sum of arm 1."""
    n = np.full((RUNS, 1, ARMS), ROUNDS // ARMS)
    s = n // 2
    s[: round(share * RUNS), 0, 0] = low
    return n, s


def statuses(monkeypatch: pytest.MonkeyPatch, claim: str, *every: peeking.Paths) -> str:
    monkeypatch.setattr(peeking, "every_path", lambda *_: every)
    parts = measure(claim, Runs({peeking.STUDY: [], peeking.LOOKS: []})).parts
    return "".join(part.status[0] for part in parts)


@pytest.mark.parametrize(
    ("claim", "kind", "shares"),
    [("S24", 0, {0.6: "h", 0.5: "u", 0.4: "f"}), ("S25", 2, {0.03: "h", 0.05: "u", 0.07: "f"})],
)
def test_misses_at_some_time(
    monkeypatch: pytest.MonkeyPatch, claim: str, kind: int, shares: dict[float, str]
) -> None:
    for share, status in shares.items():
        made = paths(*seen(0), missed=share, kind=kind)
        assert statuses(monkeypatch, claim, made) == status, share


@pytest.mark.parametrize(
    ("share", "low", "expected"),
    [(0.2, 460, "hh"), (0.1, 460, "uh"), (0.05, 460, "fh"), (0.2, 430, "hf"), (0.05, 430, "fu")],
)
def test_both_at_the_first_significant_look(
    monkeypatch: pytest.MonkeyPatch, share: float, low: int, expected: str
) -> None:
    """A sum of 460 is outside the usual interval alone, one of 430 outside both."""
    n, s = seen(share, low=low)
    s[:, 0, 2] = 530  # and so inside, and significant against a low sum and against 475
    s[round(share * RUNS) :, 0, 0] = 480
    assert statuses(monkeypatch, "S26", paths(n, s)) == expected


@pytest.mark.parametrize(
    ("floors", "share", "status"),
    [
        (0, 0.3, "h"),
        (0, 0.225, "u"),
        (0, 0.15, "f"),
        (0.3, 0.15, "h"),
        (1, 0.3, "f"),
        (0.1, 0, "v"),
    ],
)
def test_misses_at_a_fixed_time(
    monkeypatch: pytest.MonkeyPatch, floors: float, share: float, status: str
) -> None:
    """A third of the share is missed, of three arms."""
    assert statuses(monkeypatch, "S27", paths(*seen(share), floors=floors)) == status


@pytest.mark.parametrize(("wider", "status"), [(1.0, "h"), (1.1, "f")])
def test_price(monkeypatch: pytest.MonkeyPatch, wider: float, status: str) -> None:
    monkeypatch.setattr(peeking, "beta_interval", lambda *given: wider * beta_interval(*given))
    monkeypatch.setattr(peeking, "WIDTHS", 4)
    assert statuses(monkeypatch, "S28", paths(*seen(0.001, low=490))) == status
