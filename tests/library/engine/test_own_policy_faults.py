"""A policy of a user's own that fails: every loop raises what plain Python raises, and where."""

import inspect
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit

from penalized_bandits import POLICIES, Arm, BanditError, Bernoulli, Hints, Instance, Policy, Round
from penalized_bandits.engine.simulate import simulate_part

UCB1 = POLICIES["ucb1"]
BANDIT = Instance([0.9, 0.6, 0.5, 0.4, 0.3], 0.1, 0.4, Bernoulli())
TABLE = np.arange(40.0)


def late_nan(arm: Arm) -> float:
    return math.nan if arm.n >= 30 and arm.mean < 0.7 else arm.mean + arm.radius


def table_index(arm: Arm) -> float:
    return arm.mean + arm.radius + 0.0 * TABLE[int(arm.n)]


def beyond_helper(values: Any, k: int) -> float:
    return values[k + 40]


@njit
def beyond_inside(state: Round) -> int:
    return 1 if beyond_helper(state.means, state.n) > 0.5 else 0


def plain_raises(state: Round) -> int:
    return {"arm": 0}["arms" if state.n > 10 else "arm"]


@njit
def writes(state: Round) -> int:
    index = state.means
    index += np.sqrt(2 * state.log / state.observed)
    return index.argmax()  # type: ignore[return-value]


def of_index(index: Callable[[Arm], float], **options: Any) -> Policy:
    return Policy("own", index=index, **options)


def of_choice(choose: Any, *, compiles: bool = True) -> Policy:
    return Policy("own", choose=choose, hints=Hints(compiles=compiles))


def error_of(policy: Policy, engine: Any = None, **options: Any) -> str:
    arguments: dict[str, Any] = {"horizon": 100, "replicates": 20, "checkpoints": [10, 100]}
    with pytest.raises(BanditError) as caught:
        simulate_part(policy, BANDIT, engine=engine, **{**arguments, **options})
    return str(caught.value)


LATE = of_index(late_nan)
LAZY = of_index(
    late_nan,
    hints=Hints(index_is_nondecreasing=True, index_exceeds=lambda arm, value: arm.mean > value),
)
RISING = Hints(index_is_nondecreasing=True)
LEADER = of_index(late_nan, hints=RISING)
LATE_URGENCY = of_index(
    lambda arm: -math.inf if arm.n > 20 else arm.mean + arm.radius,
    urgency=lambda arm: math.nan if arm.n >= 30 else -math.inf,
)
# Urgent while the index is no number.
URGENT_FIRST = of_index(
    lambda arm: arm.mean * math.nan, urgency=lambda arm: arm.mean if arm.n < 60 else -math.inf
)


@pytest.mark.parametrize(
    ("policy", "engine", "said"),
    [
        (LATE, "lanes", "index of arm . in round 30"),
        (LAZY, "lazy", "index of arm . in round 30"),
        (LEADER, "leader", "index of arm . in round 30"),
        (LATE_URGENCY, "lanes", "urgency of arm 0 in round 30"),
        # No index counts where an arm is urgent.
        (URGENT_FIRST, "lanes", "index of arm 0 in round 60"),
    ],
)
def test_a_score_that_is_no_number(policy: Policy, engine: str, said: str) -> None:
    found = error_of(policy, engine)
    assert found == error_of(policy, "plain")
    assert re.fullmatch(f"policy own returned nan as the {said}: it is not a number", found)


@pytest.mark.parametrize(
    ("choose", "said"),
    [
        (lambda state: 9 if state.n == 40 else 0, "arm 9 in round 40"),
        (lambda state: float(state.n % 2), "arm 0.0 in round 6"),
    ],
)
def test_a_choice_that_is_no_arm(choose: Any, said: str) -> None:
    found = error_of(of_choice(choose))
    assert found == error_of(of_choice(choose, compiles=False))
    assert found == f"policy own chose {said}: it must be a whole number from 0 to 4"


@pytest.mark.filterwarnings("ignore::penalized_bandits.common.errors.PlainPythonWarning")
def test_a_compiled_choice_cannot_write_into_the_engine() -> None:
    own, ucb1 = (simulate_part(p, BANDIT, 300, replicates=3) for p in (of_choice(writes), UCB1))
    np.testing.assert_array_equal(own.pulls, ucb1.pulls)


def line_of(text: str) -> str:
    lines = inspect.getsource(inspect.getmodule(line_of)).splitlines()  # type: ignore[arg-type]
    return f"({__file__}, line {next(i for i, line in enumerate(lines, 1) if text in line)})"


@pytest.mark.parametrize(
    ("policy", "problem", "line"),
    [
        (of_choice(beyond_inside), "IndexError: index 46", "return values[k + 40]"),
        (of_index(table_index), "IndexError: index 40", "TABLE[int(arm.n)]"),
        (of_choice(plain_raises, compiles=False), "KeyError: 'arms'", 'return {"arm": 0}'),
    ],
)
def test_an_error_names_the_file_and_the_line(policy: Policy, problem: str, line: str) -> None:
    said = error_of(policy)
    assert said.startswith(f"policy own failed: {problem}"), said
    assert said.endswith(line_of(line))


@pytest.mark.parametrize("text", ["", "a.so: failed to map segment from shared object"])
def test_too_little_memory_is_no_fault_of_a_policy(text: str) -> None:
    def fails(state: Round) -> int:
        raise ImportError(text) if text else MemoryError

    with pytest.raises(ImportError if text else MemoryError):
        simulate_part(of_choice(fails, compiles=False), BANDIT, 100, replicates=1)


def very_late_nan(arm: Arm) -> float:
    return math.nan if arm.n >= 400_000 and arm.mean < 0.7 else arm.mean + arm.radius


CHOICE = of_choice(lambda state: 7 if state.n == 400_000 else state.n % 5)


@pytest.mark.parametrize(
    ("policy", "engine"),
    [
        (of_index(very_late_nan), "lanes"),
        (of_index(very_late_nan, hints=RISING), "leader"),
        (CHOICE, "rounds"),
    ],
)
def test_a_late_error_is_not_played_again(policy: Policy, engine: str) -> None:
    found = error_of(policy, engine, horizon=1_000_000, replicates=3)
    why = "an index is not a number, or the choice is no arm"
    assert found == f"policy own failed in round 400000 or soon after: {why}"
