"""Expressions of Python as expressions of JavaScript that mean the same.

Each has a kind.  What would mean something else in JavaScript (the sum of two arrays, the truth of
a number, a shift of a whole number above 32 bits) is written out or refused; nothing is guessed.
A policy's names end in ``$``, those of the engine that it calls begin with it.
"""

import ast
import math
from collections.abc import Callable, Mapping
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

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_CALLED = {ast.FloorDiv: "$floor_division", ast.Mod: "$remainder", ast.Pow: "$pow"}
_COMPARISONS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "===", ast.NotEq: "!==",
}  # fmt: skip
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
    math.pow: "$pow",
    # They work on whole numbers of 64 bits: written by hand in arithmetic.js.
    samples.further: "$further",
    samples.gamma: "$gamma",
}
"""Functions of numbers, and what they are in JavaScript."""
_METHODS = {name: f"${name}" for name in ("sum", "max", "min", "argmax", "argmin")}
_BUILTINS = {f.__name__: f for f in (abs, float, int, len, max, min)}


def own_name(name: str) -> str:
    """Return a policy's name as it stands in the script, where it can be no word of JavaScript."""
    return f"{name}$"


class Expressions:
    """Translates the expressions of one function; ``called`` those that it calls."""

    def __init__(
        self,
        called: Callable[[Callable[..., Any], tuple[Kind, ...]], Value],
        outside: Mapping[str, Any],
        where: str,
    ) -> None:
        self._called, self._outside, self._where = called, outside, where
        self.locals: dict[str, Kind] = {}

    def refusal(self, node: ast.AST, what: str) -> CannotTranslateError:
        """Make the error that says what cannot be translated."""
        line = f", line {node.lineno}" if isinstance(node, ast.expr | ast.stmt) else ""
        return CannotTranslateError(f"{self._where}{line}: {what} cannot be translated")

    def value(self, node: ast.expr) -> Value:
        """Translate any expression."""
        translate = getattr(self, f"_{type(node).__name__.lower()}", None)
        if translate is None:
            raise self.refusal(node, f"{type(node).__name__} ({ast.unparse(node)})")
        return translate(node)

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

    def constant(self, value: Any, node: ast.expr) -> Value:
        """Write down a value that a function sees."""
        plain = value.item() if isinstance(value, np.generic) else value
        if isinstance(plain, bool):
            return Value("true" if plain else "false", "truth")
        if isinstance(plain, int) and abs(plain) > 2**53:
            raise self.refusal(node, f"{plain}, a whole number of more than 53 bits,")
        if isinstance(plain, int | float):
            text = repr(plain).replace("inf", "Infinity").replace("nan", "NaN")
            return Value(f"({text})" if text.startswith("-") else text, "number")
        raise self.refusal(node, f"{ast.unparse(node)}, a {type(value).__name__},")

    def _python(self, node: ast.expr) -> Any:
        """Return the Python object that a name from outside stands for; None if it is none."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            return self._outside.get(node.id, _BUILTINS.get(node.id))
        if isinstance(node, ast.Attribute):
            module = self._python(node.value)
            if isinstance(module, ModuleType):
                return getattr(module, node.attr, None)
        return None

    def _constant(self, node: ast.Constant) -> Value:
        return self.constant(node.value, node)

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.locals:
            kind = self.locals[node.id]
            return Value(ARM_FIELDS if kind == "arm" else own_name(node.id), kind)
        if node.id not in self._outside:
            raise self.refusal(node, f"{node.id}, which is not known there,")
        return self.constant(self._outside[node.id], node)

    def _attribute(self, node: ast.Attribute) -> Value:
        found = self._python(node)
        if found is not None:
            return self.constant(found, node)
        text, kind = self.value(node.value)
        if kind == "arm" and node.attr in ARM:
            return Value(f"${node.attr}", ARM[node.attr])
        if kind == "round" and node.attr in ROUND:
            return Value(f"{text}.{node.attr}", ROUND[node.attr])
        if kind == "vector" and node.attr == "size":
            return Value(f"{text}.length", "number")
        raise self.refusal(node, f"{ast.unparse(node)}")

    def _tuple(self, node: ast.Tuple) -> Value:
        members = [self.value(member) for member in node.elts]
        text = ", ".join(member.text for member in members)
        return Value(f"[{text}]", tuple(member.kind for member in members))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return Value(f"!{self.truth(node.operand)}", "truth")
        sign = {ast.USub: "-", ast.UAdd: "+"}.get(type(node.op))
        if sign is None:
            raise self.refusal(node, ast.unparse(node))
        return Value(f"({sign}{self.number(node.operand)})", "number")

    def _binop(self, node: ast.BinOp) -> Value:
        sides = [self.value(node.left), self.value(node.right)]
        kinds = {side.kind for side in sides}
        if "vector" not in kinds:
            left, right = self.number(node.left), self.number(node.right)
            return Value(self.operation(node, node.op, left, right), "number")
        if not kinds <= {"vector", "number"}:
            raise self.refusal(node, ast.unparse(node))
        # Arm by arm, as numpy does it.
        each = f"($a, $b) => {self.operation(node, node.op, '$a', '$b')}"
        return Value(f"$each({each}, {sides[0].text}, {sides[1].text})", "vector")

    def operation(self, node: ast.AST, op: ast.operator, left: str, right: str) -> str:
        """Write down an operation on two numbers."""
        if isinstance(op, ast.Pow) and right in ("2", "2.0"):
            return f"$square({left})"
        if type(op) in _OPERATORS:
            return f"({left} {_OPERATORS[type(op)]} {right})"
        if type(op) in _CALLED:
            return f"{_CALLED[type(op)]}({left}, {right})"
        what = f"the operator {type(op).__name__}, as numbers have 32 bits for it there,"
        raise self.refusal(node, what)

    def _compare(self, node: ast.Compare) -> Value:
        sides = [node.left, *node.comparators]
        if any(isinstance(n, ast.Call) for side in sides[1:-1] for n in ast.walk(side)):
            raise self.refusal(node, f"a call amid a chain of comparisons ({ast.unparse(node)})")
        texts = [self.number(side) for side in sides]
        parts: list[str] = []
        for op, left, right in zip(node.ops, texts, texts[1:], strict=False):
            if type(op) not in _COMPARISONS:
                raise self.refusal(node, f"{type(op).__name__} ({ast.unparse(node)})")
            parts.append(f"{left} {_COMPARISONS[type(op)]} {right}")
        return Value(f"({' && '.join(parts)})", "truth")

    def _boolop(self, node: ast.BoolOp) -> Value:
        values = [self.value(value) for value in node.values]
        if any(value.kind != "truth" for value in values):
            raise self.refusal(node, f"{ast.unparse(node)}, and / or of what is no comparison,")
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return Value(f"({sign.join(value.text for value in values)})", "truth")

    def _ifexp(self, node: ast.IfExp) -> Value:
        one, other = self.value(node.body), self.value(node.orelse)
        if one.kind != other.kind:
            one, other = (Value(self.number(side), "number") for side in (node.body, node.orelse))
        return Value(f"({self.truth(node.test)} ? {one.text} : {other.text})", one.kind)

    def _subscript(self, node: ast.Subscript) -> Value:
        text, kind = self.value(node.value)
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(kind, tuple):
            place = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if isinstance(place, int) and 0 <= place < len(kind):
                return Value(f"{text}[{place}]", kind[place])
            raise self.refusal(node, f"{ast.unparse(node)}, a place that varies in a tuple,")
        for place in places:
            inner = {"matrix": "vector", "vector": "number"}.get(str(kind))
            if inner is None or isinstance(place, ast.Slice):
                raise self.refusal(node, f"{ast.unparse(node)} of a {kind}")
            if isinstance(place, ast.UnaryOp):
                raise self.refusal(node, f"{ast.unparse(node)}, a place counted from the end,")
            text, kind = f"{text}[{self.number(place)}]", inner
        return Value(text, kind)

    def _call(self, node: ast.Call) -> Value:
        called = self._python(node.func)
        if called is None:
            return self._method(node)
        called = getattr(called, "py_func", called)  # compiled by the user
        if is_own(called) and called not in FUNCTIONS:
            return self._own(node, called)
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            raise self.refusal(node, f"{ast.unparse(node)}, with keywords or a star,")
        if called is len and len(node.args) == 1:
            text, kind = self.value(node.args[0])
            if kind not in ("vector", "matrix"):
                raise self.refusal(node, f"{ast.unparse(node)} of a {kind}")
            return Value(f"{text}.length", "number")
        numbers = [self.number(argument) for argument in node.args]
        if called in (min, max) and len(numbers) > 1:
            least = f"${called.__name__}_of"
            return Value(reduce(lambda a, b: f"{least}({a}, {b})", numbers), "number")
        name = FUNCTIONS.get(called)
        if name is None or (name.startswith("Math.") and len(numbers) != 1):
            raise self.refusal(node, ast.unparse(node))
        return Value(f"{name}({', '.join(numbers)})", "number")

    def _own(self, node: ast.Call, called: Callable[..., Any]) -> Value:
        """Translate the call of a function that is no library's, and that function."""
        keywords = {str(keyword.arg): keyword.value for keyword in node.keywords}
        try:
            bound = signature(called).bind(*node.args, **keywords)
        except TypeError as error:
            raise self.refusal(node, f"{ast.unparse(node)} ({error})") from None
        bound.apply_defaults()
        values = [
            self.value(given) if isinstance(given, ast.expr) else self.constant(given, node)
            for given in bound.arguments.values()
        ]
        name, kind = self._called(called, tuple(value.kind for value in values))
        return Value(f"{name}({', '.join(value.text for value in values)})", kind)

    def _method(self, node: ast.Call) -> Value:
        """Translate what a vector says of itself."""
        if isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
            text, kind = self.value(node.func.value)
            if kind == "vector" and node.func.attr in _METHODS:
                return Value(f"{_METHODS[node.func.attr]}({text})", "number")
        raise self.refusal(node, ast.unparse(node))
