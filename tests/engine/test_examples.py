"""The examples in docstrings of public functions."""

import doctest
from importlib import import_module

import pytest

from penalized_bandits.live import Player

MODULES = (
    "bandit.regret", "engine.simulate", "live._arms", "live.choice", "live.player",
    "policies.base", "theory.bounds", "theory.inputs",
)  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module: str) -> None:
    names = {"Player": Player} if module.startswith("live.") else {}
    found = doctest.testmod(import_module(f"penalized_bandits.{module}"), extraglobs=names)
    assert found.attempted > 0
    assert found.failed == 0
