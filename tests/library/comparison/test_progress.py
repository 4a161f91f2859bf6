"""Progress of simulations, comparisons and sweeps."""

import sys

import pytest

from penalized_bandits import BanditError, Bernoulli, Instance, compare, simulate, sweep
from penalized_bandits.common.errors import MissingExtraError

BANDIT = Instance([0.9, 0.5], 0.2, 0.3, Bernoulli())


def test_a_function_gets_all_pulls() -> None:
    done: list[int] = []
    simulate("ucb1", BANDIT, 50, replicates=3, progress=done.append)
    assert sum(done) == 150
    compare(["ucb1", "hard_threshold_ucb"], BANDIT, 50, replicates=3, progress=done.append)
    assert sum(done) == 450
    sweep("ucb1", BANDIT, horizons=[10, 40], replicates=3, progress=done.append)
    assert sum(done) == 600
    with pytest.raises(BanditError, match="progress is 'no': it must be None or True or False"):
        simulate("ucb1", BANDIT, 50, progress="no")  # type: ignore[arg-type]


def test_a_bar_comes_if_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    simulate("ucb1", BANDIT, 50, replicates=3)
    assert capsys.readouterr().err == ""  # no terminal
    simulate("ucb1", BANDIT, 50, replicates=3, progress=True)
    assert "150/150" in capsys.readouterr().err


def test_a_bar_needs_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    simulate("ucb1", BANDIT, 50, replicates=3)  # by default it does without
    with pytest.raises(MissingExtraError, match=r"penalized-bandits\[progress\]"):
        simulate("ucb1", BANDIT, 50, replicates=3, progress=True)
