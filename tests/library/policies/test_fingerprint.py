"""What a policy can see is part of its kernels: no constant of its own goes unnoticed."""

import importlib
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

from penalized_bandits import POLICIES, Arm, BanditError, Gaussian, Instance, Policy, Round
from penalized_bandits.engine._specialise import _digest
from penalized_bandits.engine.simulate import Engine, simulate_part, why_plain
from penalized_bandits.policies.fingerprint import fingerprint
from penalized_bandits.policies.reads import reads_variance

BANDIT = Instance([0.9, 0.5, 0.3], [0.1, 0.2, 0.3], 0.7, Gaussian(0.1))
C = 2.0
TABLE = np.array([1.0, 2.0])
HELPERS = ModuleType("my_helpers")


def scaled(radius: float) -> float:
    return C * radius


@numba.njit
def scaled_compiled(radius: float) -> float:
    return C * radius


@numba.njit
def choose(state: Round) -> int:
    best, choice = -np.inf, 0
    for k in range(len(state.pulls)):
        index = state.means[k] + scaled_compiled(np.sqrt(2 * state.log / state.pulls[k]))
        if index > best:
            best, choice = index, k
    return choice


def choose_plainly(state: Round) -> int:
    radii = [scaled_compiled(radius) for radius in (2 * state.log / state.pulls) ** 0.5]
    return int((state.means + radii).argmax())


def policy(**rule: Any) -> Policy:
    return Policy("mine", **rule)


def captured(value: Any) -> Callable[[Arm], float]:
    return lambda arm: arm.mean + value * arm.radius


def captured_function(function: Any) -> Callable[[Arm], float]:
    return lambda arm: arm.mean + function(arm.radius)


WAYS: dict[str, Callable[[], Policy]] = {
    "global": lambda: policy(index=lambda arm: arm.mean + C * arm.radius),
    "helper": lambda: policy(index=lambda arm: arm.mean + scaled(arm.radius)),
    "compiled helper": lambda: policy(index=lambda arm: arm.mean + scaled_compiled(arm.radius)),
    "array": lambda: policy(index=lambda arm: arm.mean + TABLE[1] * arm.radius),
    "module": lambda: policy(
        index=lambda arm: arm.mean + HELPERS.scaled(arm.radius) + HELPERS.nothing
    ),
    "compiled choose": lambda: policy(choose=choose),
    "plain choose": lambda: policy(choose=choose_plainly),
    "default": lambda: policy(index=lambda arm, c=C: arm.mean + c * arm.radius),
    "keyword default": lambda: policy(index=lambda arm, *, c=C: arm.mean + c * arm.radius),
    "closure": lambda: policy(index=captured(C)),
    "function in a closure": lambda: policy(index=captured_function(scaled)),
}
"""Ways in which a formula can see the constant C."""
PLAIN = ("plain choose", "keyword default")  # numba knows no keyword-only arguments


def pulls(rule: Policy, engine: Engine | None = None) -> list[list[int]]:
    return simulate_part(rule, BANDIT, 300, replicates=2, engine=engine).pulls[:, -1].tolist()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("played", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("way", WAYS)
def test_a_constant_that_changes_is_seen(
    way: str, *, played: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list[Any]()
    for value in (0.1, 5.0):
        monkeypatch.setitem(globals(), "C", value)
        monkeypatch.setitem(globals(), "TABLE", np.array([1.0, value]))
        vars(HELPERS).update(nothing=0.0, scaled=scaled)
        rule = WAYS[way]()
        found.append(pulls(rule) if played else _digest(rule))
        if played:
            assert (why_plain(rule) is None) == (way not in PLAIN)
            expected = pulls(policy(index=lambda arm, c=value: arm.mean + c * arm.radius), "plain")
            assert found[-1] == pulls(rule, "plain") == expected
        else:
            assert found[-1] == _digest(WAYS[way]())
    assert found[0] != found[1]


@dataclass
class Constants:
    c: float
    by_arm: dict[int, Decimal]


def of_an_object(value: float) -> Callable[[Round], int]:
    constants = Constants(value, {0: Decimal(3)})
    return lambda state: int(constants.c)


def imports_when_called(state: Round) -> int:
    import constants_of_a_test  # pyright: ignore[reportMissingImports]

    return constants_of_a_test.C


def test_constants_of_plain_policies_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fingerprint(of_an_object(1.0), "it") == fingerprint(of_an_object(1.0), "it")
    assert fingerprint(of_an_object(1.0), "it") != fingerprint(of_an_object(2.0), "it")

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "constants_of_a_test.py"
    file.write_text("C = 1\n")
    before = fingerprint(imports_when_called, "it")
    file.write_text("C = 22\n")
    importlib.invalidate_caches()
    importlib.reload(sys.modules["constants_of_a_test"])
    assert fingerprint(imports_when_called, "it") != before


def test_where_a_function_stands_is_not_seen() -> None:
    text = "def index(arm):\n    return arm.mean + sum(x for x in (1.0, 2.0)) * arm.radius\n"
    found = []
    for name, lines_before in (("a.py", ""), ("b.py", "\n# A comment.\n")):
        scope: dict[str, Any] = {"__name__": "mine"}
        exec(compile(lines_before + text, name, "exec"), scope)
        found.append(fingerprint(scope["index"], "it"))
    assert found[0] == found[1]


def test_a_value_that_cannot_be_known_is_refused_by_name(tmp_path: Path) -> None:
    with (tmp_path / "open").open("w") as opened:
        rule = policy(index=captured(opened))
        with pytest.raises(BanditError, match=r"policy mine reads value in .*captured.*TextIO"):
            simulate_part(rule, BANDIT, 10)


@pytest.mark.parametrize("drawn", [np.random, random, random.random, np.random.default_rng(0)])
def test_numbers_that_no_seed_gives_are_refused(drawn: object) -> None:
    with pytest.raises(BanditError, match=r"policy mine draws with value"):
        simulate_part(policy(index=captured(drawn)), BANDIT, 10)


def test_ufuncs_are_functions() -> None:
    root = np.sqrt
    rule = policy(index=lambda arm: arm.mean + root(arm.radius))
    other = policy(index=lambda arm: arm.mean + np.sqrt(arm.radius))
    assert pulls(rule) == pulls(other)


def test_a_function_that_calls_itself_has_a_fingerprint() -> None:
    def index(arm: Arm) -> float:
        return arm.mean if arm.n < 0 else index(arm._replace(n=-1.0)) + C * arm.radius

    rule = policy(index=index)
    assert fingerprint(rule, "it") == fingerprint(rule, "it")
    assert pulls(rule, "plain") == pulls(rule)


def _unpacked(arm: Arm) -> float:
    _, mean, radius, *_, variance = arm
    return mean + radius * variance


@pytest.mark.parametrize(
    "index",
    [
        lambda arm: arm.radius * arm.variance,
        lambda arm: arm.radius * arm[11],
        lambda arm: arm.radius * getattr(arm, "variance"),  # noqa: B009
        _unpacked,
        eval("lambda arm: arm.radius * arm[11]", {}),  # of no module
    ],
)
def test_a_function_that_may_read_the_variance_is_found(index: Callable[[Arm], float]) -> None:
    assert reads_variance(Policy("mine", index=index))
    assert not reads_variance(POLICIES["hard_threshold_ucb"])
