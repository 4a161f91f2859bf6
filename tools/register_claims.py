"""Print the lines that the preregistration lacks (``claims/rules.csv``, ``claims/versions.csv``).

    uv run python tools/register_claims.py

There is one for each claim whose rule differs from the last one registered, and for each class of
rules whose code differs from that of its version.
"""

import ast
import csv
import inspect
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module

from penalized_bandits.common.files import digest
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.base import claim_of
from penalized_replication.claims.rules import Rule
from penalized_replication.claims.table.preregistration import forms_of, register_of
from penalized_replication.extensions import packages

_MEASURES = re.compile(r"(?m)^ *from (\S+\.(?:claims\.measures|claims\.rules)\.\w+) import")


def code_of(rule: type[Rule]) -> str:
    """Return the digest of the code that decides by a class of rules, without its texts.

    It is that of the class, of the functions beside it, of the classes that it is made of, and of
    all in the measures that its module imports.
    """
    texts: list[str] = []
    for kind in (k for k in rule.__mro__ if issubclass(k, Rule)):
        source = inspect.getsource(sys.modules[kind.__module__])
        texts += code_in(source, kind.__name__)
        for module in sorted(set(_MEASURES.findall(source))):
            texts += code_in(inspect.getsource(import_module(module)), "")
    return digest("\n".join(texts), 12)


def code_in(source: str, name: str) -> list[str]:
    """Return a class, or all, and the functions of its module, without docstrings and sentences."""
    kept: list[ast.stmt] = []
    for node in ast.parse(source).body:
        named = isinstance(node, ast.ClassDef) and name in ("", node.name)
        if named or isinstance(node, ast.FunctionDef | ast.Assign):
            kept.append(node)
    for node in (inner for outer in kept for inner in ast.walk(outer)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            spoken = ("_condition", "_whole", "_limit", "sentence")
            body = [x for x in node.body if getattr(x, "name", "") not in spoken]
            node.body = [x for x in body if not _is_text(x)]
    return [ast.unparse(node) for node in kept]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def kinds(package: str) -> dict[str, type[Rule]]:
    """Return the classes of rules that are declared in a package and decide a claim."""
    rules = (rule for name in CLAIMS for rule in claim_of(name).rules.values())
    own = (type(rule) for rule in rules)
    return {k.__name__: k for k in own if k.__module__.startswith(f"{package}.")}


def versions(package: str) -> dict[str, str]:
    """Return the registered code of each class and version, by ``<class> <version>``."""
    path = register_of(package).with_name("versions.csv")
    rows = csv.DictReader(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else ()
    return {f"{row['rule']} {row['version']}": row["code"] for row in rows}


def missing(today: str) -> Iterator[str]:
    """Yield the lines that the preregistration lacks."""
    for name in CLAIMS:
        forms, wanted = forms_of(name), claim_of(name).digest
        if not forms or forms[-1]["digest"] != wanted:
            yield f"{name},{today},{wanted},"
    for package in packages():
        known = versions(package)
        for name, kind in sorted(kinds(package).items()):
            if known.get(f"{name} {kind.version}") != code_of(kind):
                yield f"{name},{kind.version},{code_of(kind)}"


if __name__ == "__main__":
    print("\n".join(missing(datetime.now(UTC).date().isoformat())))
