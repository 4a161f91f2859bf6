"""Copies of a policy's functions, with what they call bound to their global names.

A function that numba compiled keeps the values of its globals; a copy has those of now, and a name
of its own: of two of the compiler's symbols with one name the linker keeps the first.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import CellType, FunctionType, ModuleType
from typing import Any

from numba import jit, njit
from numba.core.dispatcher import Dispatcher

from penalized_bandits.policies import Policy
from penalized_bandits.policies.fingerprint import is_own, looked_up_in, names_of

# Entry points that nobody calls would take a third of a kernel's compilation.
OUTER: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
INNER: dict[str, Any] = {**OUTER, "no_cpython_wrapper": True}


def bind(function: Callable[..., Any], name: str, /, **names: object) -> FunctionType:
    """Copy a function under a new name, with some of the names that it looks up rebound."""
    assert isinstance(function, FunctionType)  # noqa: S101
    code = function.__code__
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    closure = tuple(CellType(names[n]) if n in names else cell for n, cell in cells)
    scope = {**function.__globals__, **names}
    bound = FunctionType(code, scope, name, function.__defaults__, closure)
    bound.__kwdefaults__ = function.__kwdefaults__
    bound.__qualname__ = name
    bound.__module__ = function.__module__
    return bound


def is_packaged(formula: Callable[..., Any]) -> bool:
    """Return whether a formula is the package's: a user's is compiled with bounds checks."""
    function = getattr(formula, "py_func", formula)
    return str(function.__globals__.get("__name__")).startswith("penalized_bandits.")


def with_helpers(
    formula: Callable[..., Any], suffix: str, *within: object, inline: Callable[..., Any]
) -> FunctionType:
    """Copy a function whose callees are ``inline``'s copies, but for those it is ``within``."""
    assert isinstance(formula, FunctionType)  # noqa: S101

    def replaced(names: Mapping[str, Any]) -> dict[str, Any]:
        copies: dict[str, Any] = {}
        for name, value in names.items():
            function = value.py_func if isinstance(value, Dispatcher) else value
            if is_own(function) and function not in (*within, formula):
                copies[name] = inline(value, suffix, *within, formula)
            elif isinstance(value, ModuleType):
                inside = replaced(looked_up_in(value, formula.__code__))
                if inside:
                    copies[name] = ModuleType(value.__name__)
                    vars(copies[name]).update({**vars(value), **inside})
        return {name: value for name, value in copies.items() if value is not names[name]}

    names = replaced(names_of(formula))
    if not names and inline is not inlined:
        return formula
    return bind(formula, f"{formula.__name__}_{suffix}", **names)


def inlined(formula: Any, suffix: str, *within: object, forceinline: bool = True) -> Any:
    """Compile a formula so that it becomes part of its caller; one that was compiled, anew."""
    if isinstance(formula, Dispatcher):
        return compiled_anew(formula, suffix, *within)
    compiled = njit(forceinline=forceinline, boundscheck=not is_packaged(formula), **INNER)
    return compiled(with_helpers(formula, suffix, *within, inline=inlined))


def compiled_anew(function: Dispatcher, suffix: str, *within: object) -> Dispatcher:
    """Compile a user's compiled function anew: today's globals, its options, bounds checks."""
    options: dict[str, Any] = {**function.targetoptions, "boundscheck": True}
    return jit(**options)(with_helpers(function.py_func, suffix, *within, inline=inlined))


def for_plain_python(policy: Policy, *, interpreted: bool = False) -> Policy:
    """Return a policy whose functions call compiled ones of the user's as they are now.

    With ``interpreted`` nothing of it is compiled, so that an error has its file and line.
    """

    def plain(function: Any, suffix: str, *within: object) -> Any:
        if isinstance(function, Dispatcher):
            if not interpreted:
                return compiled_anew(function, suffix, *within)
            function = function.py_func
        own = is_own(function)
        return with_helpers(function, suffix, *within, inline=plain) if own else function

    formulas = {name: getattr(policy, name) for name in ("index", "urgency", "served", "choose")}
    return replace(policy, **{name: plain(value, "plain") for name, value in formulas.items()})
