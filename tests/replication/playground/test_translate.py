"""Translation of Python to JavaScript: the same numbers, or an error that names the place."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from browser_helpers import needs_browser
from penalized_bandits import POLICIES, Arm, Card, Policy
from penalized_replication.playground.expressions import CannotTranslateError
from penalized_replication.playground.scripts import engine_source, translations
from penalized_replication.playground.translate import Script

GRID = [-7.5, -3.0, -1.0, -0.5, 0.0, 0.3, 1.0, 2.0, 7.0, math.inf, math.nan]


def truth(a: float, b: float) -> float:
    if a:
        return 1.0
    return 2.0 if not b else 3.0


def loops(a: float, b: float) -> float:
    total, k = 0.0, 5
    for k in range(3):
        total += k
        k = 10
    for j in range(1, 20, 4):
        if j > 9:
            break
        if j == 5:
            continue
        total += j
    while total < 40.0:
        total = total * 2.0 + 1.0
    return total + k + 0.0 * (a > b)


MEANT: list[Callable[..., float]] = [
    *(truth, loops),
    lambda a, b: a % b if b != 0.0 and abs(a) < 1e9 and abs(b) < 1e9 else 0.0,
    lambda a, b: a // b if b != 0.0 and abs(a) < 1e9 and abs(b) < 1e9 else 0.0,
    lambda a, b: 1.0 * (-1 <= a < b) + 2.0 * (a == b) + 4.0 * (not a < b) + 8.0 * (a > 0 or b > 0),
    lambda a, b: min(a, b, 0.7) + 10.0 * max(b, a),
    lambda a, b: a**2 + (b * b + 0.5) ** 0.5,
]
"""One a line: a lambda is found by its line."""


def on_the_page(page: Any, function: Callable[..., float], kind: str, firsts: Any) -> Any:
    """Return what a translated function gives for first arguments of a kind, and the grid."""
    script = Script()
    name = script.function(function, (kind, "number")).text
    # Among the engine's own functions, which nothing outside of it sees.
    engine = engine_source()
    start, end = engine.index("(() => {"), engine.rindex("return {")
    answer = f"{script.text}\nreturn firsts.map((a) => grid.map((b) => {name}(a, b)));"
    return page.evaluate(f"([firsts, grid]) => {engine[start:end]}{answer}}})()", [firsts, GRID])


@needs_browser
@pytest.mark.parametrize("function", MEANT)
def test_functions_give_the_same_numbers(page: Any, function: Callable[..., float]) -> None:
    found = on_the_page(page, function, "number", GRID)
    np.testing.assert_array_equal(found, [[function(a, b) for b in GRID] for a in GRID])


def vectors(weights: Any, a: float) -> float:
    each = ((weights * 2.0 - weights**2) / (1.0 + weights)).sum() + (a - weights)[1]
    return each + 10.0 * weights.argmax() + weights.min() + weights.max() + len(weights)


@needs_browser
def test_vectors_give_the_same_numbers(page: Any) -> None:
    weights = [0.25, 0.5, 4.0]
    (found,) = on_the_page(page, vectors, "vector", [weights])
    np.testing.assert_array_equal(found, [vectors(np.array(weights), a) for a in GRID])


def calls_itself(arm: Arm) -> float:
    return calls_itself(arm) + 1.0


def tries(arm: Arm) -> float:
    try:
        return 1.0 / arm.pulls
    except ZeroDivisionError:
        return math.inf


def changes(arm: Arm) -> float:
    value = arm.mean
    value = (value, 1.0)
    return value[0]


@pytest.mark.parametrize(
    ("function", "kind", "what"),
    [
        (lambda arm: sorted([arm.mean])[0], "arm", r"sorted\(\[arm.mean\]\)"),
        (lambda s: int((s.means + s.memory).argmax()), "round", r"s.means \+ s.memory"),
        (lambda arm: float(int(arm.n) >> 3), "arm", "the operator RShift"),
        (lambda s: int(max(x for x in s.means)), "round", "GeneratorExp"),
        (lambda s: int(np.argmax(s.means)), "round", "s.means, a vector in the place of a number,"),
        (lambda s: int(s.means[-1]), "round", r"s.means\[-1\], a place counted from the end,"),
        (lambda s: 1 if s.means else 0, "round", "the truth of s.means, a vector,"),
        (calls_itself, "arm", "calls itself"),
        (tries, "arm", r"Try \(try:\)"),
        (changes, "arm", "value, a number and then a"),
        (math.sqrt, "arm", "no function made with def or lambda"),
    ],
)
def test_no_translation(function: Callable[..., Any], kind: str, what: str) -> None:
    with pytest.raises(CannotTranslateError, match=what) as refused:
        Script().function(function, (kind,))
    assert function.__name__ in str(refused.value)


def test_every_policy_is_on_the_page_or_absent_with_a_reason() -> None:
    there, absent = translations()
    assert sorted([*there, *(one["id"] for one in absent)]) == sorted(POLICIES)
    assert all(one["why"] for one in absent)


def test_a_new_policy_is_there_without_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    new = Policy("greedy", Card("Greedy </script>"), index=lambda arm: arm.mean)
    odd = Policy("odd", index=tries)
    monkeypatch.setitem(POLICIES, new.id, new)
    monkeypatch.setitem(POLICIES, odd.id, odd)
    there, absent = translations()
    assert [*there][-1] == "greedy"
    assert absent[-1]["id"] == "odd"
    assert "test_translate.tries" in absent[-1]["why"]
    assert "</" not in engine_source()
