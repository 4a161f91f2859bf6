"""Fingerprint of a policy: a hash of its functions' code and of the value of every name in them.

numba freezes globals, defaults and closures into compiled code, and results depend on all of them.
So their fingerprint is part of a kernel's name and of the provenance of results.
"""

import dis
import hashlib
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from penalized_bandits.common.errors import BanditError

if TYPE_CHECKING:
    from penalized_bandits.policies.base import Policy

_LIBRARIES = frozenset({*sys.stdlib_module_names, "llvmlite", "numba", "numpy", "scipy"})
"""Modules that change with their version alone; their functions count by name."""


def fingerprint(value: object, owner: str) -> str:
    """Return the SHA-256 of a value and of everything that functions in it depend on.

    Raises BanditError, with the owner, for a value whose content is not known, as an open file.
    """
    return _Walk(owner).digest(value, "itself")


def functions_of(policy: "Policy") -> set[FunctionType]:
    """Return the functions of a policy and those that they can call, libraries left out."""
    walk = _Walk(f"policy {policy.id}")
    formulas = (policy.index, policy.urgency, policy.served, policy.choose)
    walk.digest((*formulas, policy.hints.index_exceeds), "itself")
    return {value for value, _ in walk.known.values() if is_own(value)}


def is_library(module: str) -> bool:
    """Return whether a module is Python's own or a library that formulas are compiled with."""
    return module.partition(".")[0] in _LIBRARIES


def is_own(item: object) -> TypeGuard[FunctionType]:
    """Return whether a value is a Python function that is not of a library."""
    # What decorators write into __module__ may be the name of another.
    return isinstance(item, FunctionType) and not is_library(str(item.__globals__.get("__name__")))


class _Walk:
    """One walk over values, which looks at each of them once."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        # By identity; the value is kept, so that no other takes its number.
        self.known: dict[int, tuple[object, str]] = {}

    def digest(self, value: object, name: str) -> str:
        if id(value) not in self.known:
            self.known[id(value)] = (value, "a circle")
            facts = hashlib.sha256(f"{type(value).__module__}.{type(value).__qualname__}".encode())
            for fact in self._facts(value, name):
                facts.update(fact.encode("utf-8", "surrogatepass") + b"\0")
            self.known[id(value)] = (value, facts.hexdigest())
        return self.known[id(value)][1]

    def _facts(self, value: object, name: str) -> Iterator[str]:
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            yield repr(value)
        elif isinstance(value, list | tuple):
            yield from (self.digest(item, name) for item in value)
        elif isinstance(value, set | frozenset):
            yield from sorted(self.digest(item, name) for item in value)
        elif isinstance(value, dict):
            for key, item in value.items():
                yield from (self.digest(key, name), self.digest(item, name))
        elif (formula := getattr(value, "py_func", None)) is not None:  # compiled by the user
            yield repr(sorted(getattr(value, "targetoptions", {}).items()))
            yield self.digest(formula, name)
        elif isinstance(value, FunctionType):
            yield from self._function(value)
        elif isinstance(value, CodeType):
            yield _text_of(value)
        elif isinstance(value, type):
            yield from self._class(value)
        else:
            yield from self._object(value, name)

    def _function(self, function: FunctionType) -> Iterator[str]:
        here = f"{function.__module__}.{function.__qualname__}"
        if not is_own(function):
            yield here
            return
        code = function.__code__
        yield _text_of(code)
        if function.__defaults__ or function.__kwdefaults__:
            defaults = (function.__defaults__, function.__kwdefaults__)
            yield self.digest(defaults, f"a default of {here}")
        yield from self._names(names_of(function), code, here)

    def _names(self, names: Mapping[str, object], code: CodeType, where: str) -> Iterator[str]:
        for name, value in names.items():
            yield name
            if _draws(value, code):
                raise BanditError(
                    f"{self._owner} draws with {name}, so that no seed would give its pulls again: "
                    "a policy with draws= reads its numbers of a round from noise"
                )
            if isinstance(value, ModuleType):
                yield from self._names(looked_up_in(value, code), code, f"{where}, {name}")
            else:
                yield self.digest(value, f"{name} in {where}")

    def _class(self, kind: type) -> Iterator[str]:
        yield f"{kind.__module__}.{kind.__qualname__}"
        if is_library(kind.__module__):
            return
        yield from (self.digest(base, kind.__qualname__) for base in kind.__bases__)
        # Annotations, which Python 3.14 keeps as a function, compute nothing.
        members = {n: value for n, value in vars(kind).items() if n != "__annotate_func__"}
        for name, value in members.items():
            if isinstance(value, FunctionType) or not name.startswith("__"):
                yield name
                yield self.digest(value, f"{name} of {kind.__qualname__}")

    def _object(self, value: object, name: str) -> Iterator[str]:
        """Yield the parts of an object that pickle keeps."""
        # Like functions of a library; one made of a function of one's own has no such name.
        if isinstance(value, np.ufunc) and "vectorized" not in value.__name__:
            yield repr(value)
            return
        if isinstance(value, property | staticmethod | classmethod):
            yield self.digest(value.fget if isinstance(value, property) else value.__func__, name)
            return
        try:
            kept = value.__reduce_ex__(2)
            # A name; or what makes the object, its state, and the items in it.
            first, items = ([kept], ()) if isinstance(kept, str) else (kept[:3], kept[3:5])
            parts = [*first, *(list(item) for item in items if item is not None)]
        except Exception as error:
            raise BanditError(
                f"{self._owner} reads {name}, a {type(value).__name__}: its content cannot be "
                "recorded, so a result made with another would look the same; it must be "
                "a number, text, an array, a function, or made of these"
            ) from error
        yield from (self.digest(part, name) for part in parts)


def _draws(value: object, code: CodeType) -> bool:
    """Return whether a value is a generator of random numbers, or its method, or has them."""
    if isinstance(value, ModuleType):
        of_numpy = value is np and "random" in code.co_names
        return of_numpy or value.__name__ in ("random", "numpy.random")
    kind = type(getattr(value, "__self__", value)).__module__
    return kind == "random" or kind.startswith("numpy.random")


def nested(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code and that of functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


@cache
def _text_of(code: CodeType) -> str:
    """Write down a function's code, but for where it stands."""
    constants = (
        _text_of(constant) if isinstance(constant, CodeType) else _Walk("").digest(constant, "")
        for constant in code.co_consts
    )
    arguments = (code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars)
    return repr((code.co_code, arguments, names, *constants))


def names_of(function: FunctionType) -> dict[str, Any]:
    """Return the outside values of a function, as they are now: closures and globals."""
    code = function.__code__
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    names = {name: cell.cell_contents for name, cell in cells}
    for name, imports in _names_outside(code):
        if imports:
            names[name] = import_module(name)
        elif name in function.__globals__:
            names[name] = function.__globals__[name]
    return names


def looked_up_in(module: ModuleType, code: CodeType) -> dict[str, Any]:
    """Return the names that a function's code may look up in a module that is no library."""
    if is_library(module.__name__):
        return {}
    names = sorted({name for inner in nested(code) for name in inner.co_names})
    return {name: vars(module)[name] for name in names if name in vars(module)}


@cache
def _names_outside(code: CodeType) -> tuple[tuple[str, bool], ...]:
    """Return the names that a function looks up in its module, and whether it imports them."""
    steps = (step for inner in nested(code) for step in dis.get_instructions(inner))
    looked_up = ("LOAD_GLOBAL", "LOAD_NAME", "IMPORT_NAME")
    arguments = ((s.argval, s.opname == "IMPORT_NAME") for s in steps if s.opname in looked_up)
    return tuple(dict.fromkeys(arguments))
