"""The examples in docstrings of public functions."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import penalized_bandits
from penalized_bandits.live import Player

LIBRARY = Path(penalized_bandits.__file__).parent
MODULES = [
    ".".join(file.relative_to(LIBRARY).with_suffix("").parts).removesuffix(".__init__")
    for file in sorted(LIBRARY.rglob("*.py"))
    if ">>> " in file.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module: str) -> None:
    names = {"Player": Player} if module.startswith("live.") else {}
    found = doctest.testmod(import_module(f"penalized_bandits.{module}"), extraglobs=names)
    assert found.attempted > 0
    assert found.failed == 0
