"""Calls in JavaScript: of the browser's functions, the engine's, or a policy's own, translated."""

import ast
import math
from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np

from penalized_bandits.playground.expressions import Expressions, Value
from penalized_bandits.policies import samples
from penalized_bandits.policies.fingerprint import is_own

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
_TESTS = {math.isnan: "isNaN", math.isfinite: "isFinite"}
_METHODS = {name: f"${name}" for name in ("sum", "max", "min", "argmax", "argmin")}


class Calls(Expressions):
    """Translates expressions with calls in them."""

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
            text = numbers[0]
            for number in numbers[1:]:
                text = f"${called.__name__}_of({text}, {number})"
            return Value(text, "number")
        if called in _TESTS:
            return Value(f"{_TESTS[called]}({', '.join(numbers)})", "truth")
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
        values = [
            self.value(bound.arguments[name])
            if name in bound.arguments
            else self.constant(parameter.default, node)
            for name, parameter in signature(called).parameters.items()
        ]
        name, kind = self.functions.function(called, tuple(value.kind for value in values))
        return Value(f"{name}({', '.join(value.text for value in values)})", kind)

    def _method(self, node: ast.Call) -> Value:
        """Translate what a vector says of itself."""
        if isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
            text, kind = self.value(node.func.value)
            if kind == "vector" and node.func.attr in _METHODS:
                return Value(f"{_METHODS[node.func.attr]}({text})", "number")
        raise self.refusal(node, ast.unparse(node))
