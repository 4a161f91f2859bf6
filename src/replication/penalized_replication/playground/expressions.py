"""Expressions of Python as expressions of JavaScript that mean the same.

Each has a kind.  What would mean something else in JavaScript (the sum of two arrays, the truth of
a number, a shift of a whole number above 32 bits) is written out or refused; nothing is guessed.
A policy's names end in ``$``, as no word of JavaScript does; those of the engine begin with it.
"""

import ast
import json
import math
from collections.abc import Callable
from functools import reduce
from inspect import signature
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from penalized_bandits.common.errors import BanditError
from penalized_bandits.policies import samples
from penalized_bandits.policies.base import Arm, Round
from penalized_bandits.policies.fingerprint import is_own

Kind: TypeAlias = "str | tuple[Kind, ...]"
"""``number``, ``truth``, ``vector``, ``matrix``, ``arm``, ``round``, ``nothing``; or those of a
tuple's members."""


class Value(NamedTuple):
    """An expression of JavaScript and what it gives."""

    text: str
    kind: Kind


class CannotTranslateError(BanditError):
    """A function uses what has no translation; the message says what, and where."""


_FIELD_KINDS = {float: "number", int: "number", bool: "truth"}
ARM = {name: _FIELD_KINDS[kind] for name, kind in Arm.__annotations__.items()}
"""Kind of each field of an arm, which is passed field by field."""
ARM_FIELDS = ", ".join(f"${name}" for name in ARM)
ROUND: dict[str, Kind] = {
    name: "matrix" if name == "memory" else _FIELD_KINDS.get(kind, "vector")
    for name, kind in Round.__annotations__.items()
    if name != "variances"  # not kept where a policy chooses by itself
}

_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.UAdd: "+", ast.USub: "-",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "===", ast.NotEq: "!==",
    ast.And: " && ", ast.Or: " || ",
}  # fmt: skip
_CALLED = {ast.FloorDiv: "$floor_division", ast.Mod: "$remainder", ast.Pow: "$pow"}
# The samples work on whole numbers of 64 bits: written by hand in arithmetic.js.
_OF_SEVERAL = {math.pow: "$pow", samples.further: "$further", samples.gamma: "$gamma"}
FUNCTIONS: dict[Any, str] = {
    **{
        getattr(module, name): f"Math.{name}"
        for module in (math, np)
        for name in ("sqrt", "expm1", "log1p", "floor", "ceil", "tanh")
    },
    # The nearest number, where browsers differ: elementary.js.
    **dict.fromkeys((math.log, np.log), "$log"),
    **dict.fromkeys((math.exp, np.exp), "$exp"),
    **dict.fromkeys((abs, math.fabs, np.abs), "Math.abs"),
    **dict.fromkeys((float, np.float64), ""),
    int: "Math.trunc",
    **_OF_SEVERAL,
}
"""Functions of numbers, and what they are in JavaScript."""
_METHODS = ("sum", "max", "min", "argmax", "argmin")
_BUILTINS = {f.__name__: f for f in (abs, float, int, len, max, min)}


class Expressions:
    """Translates the expressions of one function; ``called`` translates those that it calls."""

    def __init__(self, called: Callable[..., Value], outside: dict[str, Any], where: str) -> None:
        self._called, self._outside, self._where = called, outside, where
        self.locals: dict[str, Kind] = {}

    def refusal(self, node: ast.expr | ast.stmt, what: str = "") -> CannotTranslateError:
        """Make the error that says what cannot be translated, by default all of a node."""
        what = what or f"{type(node).__name__} ({ast.unparse(node).splitlines()[0]})"
        where = f"{self._where}, line {node.lineno}"
        return CannotTranslateError(f"{where}: {what} cannot be translated")

    def value(self, node: ast.expr) -> Value:
        """Translate any expression."""
        match node:
            case ast.Constant(constant):
                return self._constant(constant, node)
            case ast.Name(name) if name in self.locals:
                kind = self.locals[name]
                return Value(ARM_FIELDS if kind == "arm" else f"{name}$", kind)
            case ast.Name() | ast.Attribute() if (found := self._python(node)) is not None:
                return self._constant(found, node)
            case ast.Attribute(of, name):
                text, kind = self.value(of)
                if kind == "arm" and name in ARM:
                    return Value(f"${name}", ARM[name])
                if kind == "round" and name in ROUND:
                    return Value(f"{text}.{name}", ROUND[name])
                if kind == "vector" and name == "size":
                    return Value(f"{text}.length", "number")
            case ast.Tuple(members):
                values = [self.value(member) for member in members]
                text = ", ".join(value.text for value in values)
                return Value(f"[{text}]", tuple(value.kind for value in values))
            case ast.Subscript():
                return self._subscript(node)
            case ast.Call():
                return self._call(node)
            case ast.UnaryOp() | ast.BinOp() | ast.Compare() | ast.BoolOp() | ast.IfExp():
                return self._operator(node)
        raise self.refusal(node)

    def number(self, node: ast.expr) -> str:
        """Translate an expression that is a number."""
        text, kind = self.value(node)
        if kind not in ("number", "truth"):
            raise self.refusal(node, f"{ast.unparse(node)}, a {kind} in the place of a number,")
        return text if kind == "number" else f"Number({text})"

    def truth(self, node: ast.expr) -> str:
        """Translate a condition."""
        text, kind = self.value(node)
        if kind not in ("number", "truth"):
            raise self.refusal(node, f"the truth of {ast.unparse(node)}, a {kind},")
        # NaN is true in Python.
        return text if kind == "truth" else f"({text} !== 0)"

    def _constant(self, value: Any, node: ast.expr) -> Value:
        """Write down a value that a function sees."""
        plain = value.item() if isinstance(value, np.generic) else value
        if isinstance(plain, int) and abs(plain) > 2**53:
            raise self.refusal(node, f"{plain}, a whole number of more than 53 bits,")
        if not isinstance(plain, int | float):
            raise self.refusal(node, f"{ast.unparse(node)}, a {type(value).__name__},")
        text = json.dumps(plain)
        kind = "truth" if isinstance(plain, bool) else "number"
        return Value(f"({text})" if text.startswith("-") else text, kind)

    def _python(self, node: ast.expr) -> Any:
        """Return the Python object that a name from outside stands for; None if it is none."""
        match node:
            case ast.Name(name) if name not in self.locals:
                return self._outside.get(name, _BUILTINS.get(name))
            case ast.Attribute(of, name) if isinstance(module := self._python(of), ModuleType):
                return getattr(module, name, None)
        return None

    def _operator(self, node: ast.expr) -> Value:
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                return Value(f"!{self.truth(operand)}", "truth")
            case ast.UnaryOp(ast.USub() | ast.UAdd() as op, operand):
                return Value(f"({_SIGNS[type(op)]}{self.number(operand)})", "number")
            case ast.BinOp(left, _, right):
                sides = [self.value(left), self.value(right)]
                kinds = {side.kind for side in sides}
                if "vector" not in kinds:
                    numbers = self.number(left), self.number(right)
                    return Value(self.operation(node, *numbers), "number")
                if kinds <= {"vector", "number"}:  # arm by arm, as numpy does it
                    each = f"($a, $b) => {self.operation(node, '$a', '$b')}"
                    return Value(f"$each({each}, {sides[0].text}, {sides[1].text})", "vector")
            case ast.Compare(left, ops, others) if all(type(op) in _SIGNS for op in ops):
                texts = [self.number(side) for side in (left, *others)]
                signs = (_SIGNS[type(op)] for op in ops)
                parts = map(" ".join, zip(texts, signs, texts[1:], strict=False))
                return Value(f"({' && '.join(parts)})", "truth")
            case ast.BoolOp(op, operands):
                values = [self.value(operand) for operand in operands]
                if all(value.kind == "truth" for value in values):
                    return Value(f"({_SIGNS[type(op)].join(v.text for v in values)})", "truth")
            case ast.IfExp(test, body, orelse):
                one, other = self.value(body), self.value(orelse)
                if one.kind != other.kind:
                    one, other = (Value(self.number(x), "number") for x in (body, orelse))
                return Value(f"({self.truth(test)} ? {one.text} : {other.text})", one.kind)
        raise self.refusal(node)

    def operation(self, node: ast.BinOp | ast.AugAssign, left: str, right: str) -> str:
        """Write down an operation on two numbers."""
        op = type(node.op)
        if op is ast.Pow and right in ("2", "2.0"):
            return f"$square({left})"
        if op in _SIGNS:
            return f"({left} {_SIGNS[op]} {right})"
        if op in _CALLED:
            return f"{_CALLED[op]}({left}, {right})"
        what = f"the operator {op.__name__}, as numbers have 32 bits for it there,"
        raise self.refusal(node, what)

    def _subscript(self, node: ast.Subscript) -> Value:
        text, kind = self.value(node.value)
        for place in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            match kind, place:
                case tuple(), ast.Constant(int(i)) if 0 <= i < len(kind):
                    text, kind = f"{text}[{i}]", kind[i]
                case "vector" | "matrix", ast.UnaryOp():
                    raise self.refusal(node, f"{ast.unparse(node)}, a place counted from the end,")
                case "vector" | "matrix", _:
                    inner = "number" if kind == "vector" else "vector"
                    text, kind = f"{text}[{self.number(place)}]", inner
                case _:
                    raise self.refusal(node)
        return Value(text, kind)

    def _call(self, node: ast.Call) -> Value:
        called = self._python(node.func)
        called = getattr(called, "py_func", called)  # compiled by the user
        if is_own(called) and called not in FUNCTIONS:
            return self._own(node, called)
        match node:
            case ast.Call(ast.Attribute(of, name), [], []) if not called and name in _METHODS:
                text, kind = self.value(of)
                if kind == "vector":
                    return Value(f"${name}({text})", "number")
            case ast.Call(_, [of], []) if called is len:
                text, kind = self.value(of)
                if kind in ("vector", "matrix"):
                    return Value(f"{text}.length", "number")
            case ast.Call(_, args, []) if called:
                numbers = [self.number(argument) for argument in args]
                if called in (min, max) and len(numbers) > 1:
                    least = f"${called.__name__}_of"
                    return Value(reduce(lambda a, b: f"{least}({a}, {b})", numbers), "number")
                if called in FUNCTIONS and (len(numbers) == 1 or called in _OF_SEVERAL):
                    return Value(f"{FUNCTIONS[called]}({', '.join(numbers)})", "number")
        raise self.refusal(node)

    def _own(self, node: ast.Call, called: Callable[..., Any]) -> Value:
        """Translate the call of a function that is no library's, and that function."""
        keywords = {str(keyword.arg): keyword.value for keyword in node.keywords}
        try:
            bound = signature(called).bind(*node.args, **keywords)
        except TypeError as error:
            raise self.refusal(node, f"{ast.unparse(node)} ({error})") from None
        bound.apply_defaults()
        values = [
            self.value(given) if isinstance(given, ast.expr) else self._constant(given, node)
            for given in bound.arguments.values()
        ]
        name, kind = self._called(called, tuple(value.kind for value in values))
        return Value(f"{name}({', '.join(value.text for value in values)})", kind)
