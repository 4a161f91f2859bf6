"""The examples in docstrings of public functions."""

import doctest
from importlib import import_module

import pytest

MODULES = ("bandit.regret", "engine.simulate", "policies.base", "theory.bounds", "theory.inputs")


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module: str) -> None:
    found = doctest.testmod(import_module(f"penalized_bandits.{module}"))
    assert found.attempted > 0
    assert found.failed == 0
