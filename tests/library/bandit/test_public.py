"""What is public: its names, and docstrings, and their examples, which are run."""

import ast
import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

import penalized_bandits
from penalized_bandits import live
from penalized_bandits.live import Player
from programs import printed_by

PUBLIC = {name: getattr(home, name) for home in (penalized_bandits, live) for name in home.__all__}
DESCRIBED = [name for name in PUBLIC if callable(PUBLIC[name])]
CLASSES = [name for name in DESCRIBED if isinstance(PUBLIC[name], type)]
METHODS = (FunctionType, classmethod, staticmethod)


def methods_of(kind: type) -> dict[str, str]:
    """Return the docstrings of a class's public methods, those of the package's own bases too."""
    bases = [base for base in kind.__mro__ if base.__module__.startswith("penalized_bandits.")]
    fields = inspect.get_annotations(kind)
    return {
        name: inspect.getdoc(value) or ""
        for base in reversed(bases)
        for name, value in vars(base).items()
        if isinstance(value, METHODS) and name[0] != "_" and name not in fields
    }


def example(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line[:4] in (">>> ", "... "))


@pytest.mark.parametrize("name", DESCRIBED)
def test_what_is_public_has_an_example(name: str) -> None:
    code = example(inspect.getdoc(PUBLIC[name]) or "")
    assert code
    methods = methods_of(PUBLIC[name]) if name in CLASSES else {}
    # Or in that of the class.
    assert [key for key in methods if not example(methods[key]) and f".{key}(" not in code] == []


@pytest.mark.parametrize("name", CLASSES)
def test_each_field_has_a_sentence(name: str) -> None:
    source = inspect.getsource(PUBLIC[name])
    for field, kind in inspect.get_annotations(PUBLIC[name]).items():
        below = rf'    {field}: [^\n]*\n    """\w'
        among_parameters = rf"    (\w+, )*{field}(, \w+)*\n        \w"
        said = re.search(rf"(?m)^({below}|{among_parameters})", source)
        assert said or field[0] == "_" or "ClassVar" in str(kind), field


def test_the_package_lists_its_names_alone_and_imports_at_first_use() -> None:
    code = "import sys, penalized_bandits as pb; print(*dir(pb)); assert 'numpy' not in sys.modules"
    assert printed_by(code).split() == sorted([*penalized_bandits.__all__, "__version__"])
    assert {"Instance", "simulate", "POLICIES"} <= PUBLIC.keys()


def test_names_are_those_that_type_checkers_see() -> None:
    tree = ast.parse(inspect.getsource(penalized_bandits))
    seen = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 0]
    imported = {x.name: n.module for n in seen for x in n.names if x.asname == x.name}
    assert imported == penalized_bandits._HOME


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
