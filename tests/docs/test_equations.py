"""Numbered parts of the paper, and the functions whose docstrings name them."""

import pytest

from maker import equations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Theorems 4.6 to 4.8", {("theorem", n) for n in ("4.6", "4.7", "4.8")}),
        ("Theorem 4.2 b, and Lemma 4.4", {("theorem", "4.2"), ("lemma", "4.4")}),
        ("penalized (1 - tau), seq. 5, 4.2", set()),
    ],
)
def test_references_are_read(text: str, expected: set[tuple[str, str]]) -> None:
    assert equations.references(text) == expected


HOMES = {"setting": ("experiments/paper/",), "figure": ("figures/",)}
"""Where the code of a kind is; of others where formulas are."""


def test_every_number_is_named_where_it_is_computed() -> None:
    numbers = equations.numbers()
    assert len(numbers) == len(set(numbers))
    assert {kind for kind, _ in numbers} == set(equations.KINDS)
    for kind, number in numbers:
        files = equations.places().get((kind, number), {})
        home = HOMES.get(kind, ("bandit/", "policies/", "theory/"))
        inner = [file.partition("/")[2] for file in files]
        assert any(file.startswith(home) for file in inner), (kind, number)


def test_no_docstring_names_an_equation_or_theorem_that_is_not_listed() -> None:
    listed = set(equations.numbers()) | {("theorem", "4.4")}  # within "Theorems 4.1 to 4.8"
    named = {r for r in equations.places() if r[0] in {"equation", "theorem", "lemma"}}
    assert named - listed == set()


def test_the_page_has_a_row_for_each_with_its_function_and_claims() -> None:
    rows = equations.tables().splitlines()
    starts = [line.split(" | ")[0] for line in rows]
    for kind, number in equations.numbers():
        start = f"| **({number})**" if kind == "equation" else f"| **{kind.capitalize()} {number}**"
        assert starts.count(start) == 1, start
    (index,) = (line for line in rows if line.startswith("| **(11)**"))
    assert "policies.hard_threshold_ucb.index" in index
    (fairness,) = (line for line in rows if line.startswith("| **Theorem 4.1**"))
    assert "condition_4_1" in fairness
    assert "#c02" in fairness
