"""From a policy's Python functions to JavaScript, by their syntax trees.

A function is translated with those that it calls, for arguments of the kinds that it is called
with; what it sees is written down as a constant.  ``expressions.py`` has what has a translation.
"""

import ast
import itertools
from collections.abc import Callable, Sequence
from functools import cache
from linecache import getlines
from types import FunctionType
from typing import Any

from penalized_bandits.policies.fingerprint import names_of
from penalized_replication.playground import expressions as js


class Script:
    """Functions in JavaScript, each after those that it calls."""

    def __init__(self) -> None:
        self.text = ""
        self._names: dict[tuple[Any, tuple[js.Kind, ...]], js.Value | None] = {}

    def function(self, function: Callable[..., Any], kinds: tuple[js.Kind, ...]) -> js.Value:
        """Translate a function for arguments of these kinds, once; return its name and kind."""
        function = getattr(function, "py_func", function)
        if not isinstance(function, FunctionType):
            raise js.CannotTranslateError(f"{function!r} is no function made with def or lambda")
        key, where = (function, kinds), f"{function.__module__}.{function.__qualname__}"
        if key not in self._names:
            self._names[key] = None
            # The name is another for each: functions of two modules may have the same.
            plain = function.__name__ if function.__name__.isidentifier() else "formula"
            name = f"{plain}${len(self._names)}"
            text, kind = _Body(self, function, where).translated(name, kinds)
            self.text = "\n".join(filter(None, [self.text, text]))
            self._names[key] = js.Value(name, kind)
        if (found := self._names[key]) is None:
            raise js.CannotTranslateError(f"{where} calls itself, which cannot be translated")
        return found


_tree = cache(lambda path: ast.parse("".join(getlines(path))))


def _node_of(function: FunctionType, where: str) -> ast.FunctionDef | ast.Lambda:
    line = function.__code__.co_firstlineno
    kind = ast.Lambda if function.__code__.co_name == "<lambda>" else ast.FunctionDef
    nodes = [x for x in ast.walk(_tree(function.__code__.co_filename)) if isinstance(x, kind)]
    # A decorated function begins with its first decorator.
    above = ((node, getattr(node, "decorator_list", [])) for node in nodes)
    found = [node for node, others in above if [*others, node][0].lineno == line]
    if len(found) != 1:
        begin = f"{len(found)} functions begin in line {line} of its file"
        raise js.CannotTranslateError(f"{where}: {begin}: it must be one")
    return found[0]


class _Body(js.Expressions):
    """Translates one function, statement by statement."""

    def __init__(self, script: Script, function: FunctionType, where: str) -> None:
        super().__init__(script.function, names_of(function), where)
        self._node = _node_of(function, where)
        self._returned: list[js.Kind] = []
        self._temporaries = (f"${i}" for i in itertools.count(1))

    def translated(self, called: str, kinds: tuple[js.Kind, ...]) -> js.Value:
        """Return the function's text, under a name, and the kind of what it returns."""
        arguments = self._node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise self.refusal(self._node, "a function with * or keywords only")
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        self.locals.update(zip(names, kinds, strict=True))
        given = ", ".join(self.value(ast.Name(name)).text for name in names)
        body = self._node.body
        lines = self._indented([ast.Return(body)] if isinstance(body, ast.expr) else body)
        made = [
            f"{name}${' = 0' if kind == 'number' else ''}"
            for name, kind in self.locals.items()
            if name not in names
        ]
        lines = [f"  let {', '.join(made)};", *lines] if made else lines
        if len(set(self._returned)) > 1:
            raise self.refusal(self._node, "a function that returns different kinds")
        text = "\n".join([f"function {called}({given}) {{", *lines, "}"])
        return js.Value(text, self._returned[0] if self._returned else "nothing")

    def _indented(self, statements: Sequence[ast.stmt]) -> list[str]:
        return [f"  {line}" for statement in statements for line in self._statement(statement)]

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Pass() | ast.Delete() | ast.Expr(ast.Constant()):
                return []
            case ast.Break() | ast.Continue():
                return [f"{ast.unparse(node)};"]
            case ast.Expr(ast.Call() as call):
                return [f"{self.value(call).text};"]
            case ast.Return(value) if value is not None:
                text, kind = self.value(value)
                self._returned.append(kind)
                return [f"return {text};"]
            case ast.Assign(targets, value):
                return self._assigned(targets, value)
            case ast.AnnAssign(target, _, ast.expr() as value):
                return self._assigned([target], value)
            case ast.AugAssign(target, _, value):
                place = self._place(target, "number")
                text = self.operation(node, self.number(target), self.number(value))
                return [f"{place} = {text};"]
            case ast.If(test, body, orelse):
                lines = [f"if ({self.truth(test)}) {{", *self._indented(body)]
                more = ["} else {", *self._indented(orelse)] if orelse else []
                return [*lines, *more, "}"]
            case ast.While(test, body, []):
                return [f"while ({self.truth(test)}) {{", *self._indented(body), "}"]
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), ends, []), _, []):
                return self._loop(node, name, ends)
        raise self.refusal(node)

    def _loop(self, node: ast.For, name: str, ends: Sequence[ast.expr]) -> list[str]:
        given = [self.number(end) for end in ends]
        start, stop, step = given if len(given) == 3 else (*["0", *given][-2:], "1")
        if not step.isdigit():
            raise self.refusal(node, "a range with a step that is no positive number")
        place = self._place(node.target, "number")
        # The counter is another: a body may change the name, and it keeps its last value.
        at, end = f"$at_{name}", f"$end_{name}"
        head = f"for (let {at} = {start}, {end} = {stop}; {at} < {end}; {at} += {step}) {{"
        return [head, f"  {place} = {at};", *self._indented(node.body), "}"]

    def _place(self, target: ast.expr, kind: js.Kind) -> str:
        """Return where a value of some kind is put."""
        match target:
            case ast.Name(name):
                if (before := self.locals.setdefault(name, kind)) != kind:
                    raise self.refusal(target, f"{name}, a {before} and then a {kind},")
                return f"{name}$"
            case ast.Subscript():
                text, held = self.value(target)
                if held == "number" and kind in ("number", "truth"):
                    return text
        raise self.refusal(target, f"{ast.unparse(target)}, given a {kind},")

    def _assigned(self, targets: Sequence[ast.expr], value: ast.expr) -> list[str]:
        match targets:
            case [ast.Tuple(places)]:
                made = self.value(value)
                if not isinstance(made.kind, tuple) or len(made.kind) != len(places):
                    raise self.refusal(value, f"{ast.unparse(value)} as {len(places)} values")
                members = [js.Value(next(self._temporaries), kind) for kind in made.kind]
                head = f"const [{', '.join(member.text for member in members)}] = {made.text};"
                if isinstance(value, ast.Tuple):  # faster without the array
                    parts = zip(members, map(self.value, value.elts), strict=True)
                    head = f"const {', '.join(f'{m.text} = {v.text}' for m, v in parts)};"
            case [place]:
                text, kind = self.value(value)
                return [f"{self._place(place, kind)} = {text};"]
            case _:  # a = b = value
                made, places = self.value(value), targets
                members = [js.Value(next(self._temporaries), made.kind)] * len(targets)
                head = f"const {members[0].text} = {made.text};"
        # All are worked out before any is put anywhere.
        pairs = zip(places, members, strict=True)
        return [head, *(f"{self._place(place, m.kind)} = {m.text};" for place, m in pairs)]
