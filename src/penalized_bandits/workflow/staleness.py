"""Which files of the package a result stands on: those that its code imports.

A workflow cannot see that a program changed.  Here the imports of a module are followed
through the package, and the hash of all files met is a param of the rule: an edit makes stale
what the edited file is imported for, and nothing else.
"""

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

NAME = "penalized_bandits"
PACKAGE = Path(__file__).parents[1]
HARMLESS = (
    "bandit/checks.py",
    "config/",
    "datasets/errors.py",
    "common/errors.py",
    "common/section.py",
    "storage/files.py",
    "storage/origins.py",
    "common/typing.py",
    "workflow/",
)
"""Files that can change no number: they check, write or name.  What a config says is a param."""
REGISTRIES = (
    "__init__.py",
    "claims/__init__.py",
    "claims/beyond/__init__.py",
    "claims/sharp/__init__.py",
    "experiments/beyond/__init__.py",
    "experiments/catalogue.py",
    "figures/__init__.py",
    "notebooks/__init__.py",
    "policies/__init__.py",
    "policies/imported.py",
)
"""What there is.  A result stands on the members that it asks for, and they are named here by
those who ask; a new member makes no result stale."""


def relative(path: Path) -> str:
    """Return the name of a file of the package, from the package's folder on."""
    return path.relative_to(PACKAGE).as_posix()


@cache
def file_of(module: str) -> str | None:
    """Return the file of a module of the package, as `relative`; None for any other module."""
    if module != NAME and not module.startswith(f"{NAME}."):
        return None
    path = PACKAGE.joinpath(*module.split(".")[1:])
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return relative(file)
    return None


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """Walk statements, functions included; what is only for type checkers is left out."""
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.stmt):
            yield node
            yield from _statements(ast.iter_child_nodes(node))
        elif isinstance(node, ast.ExceptHandler | ast.match_case):
            yield from _statements(node.body)


def imported_by(source: str) -> set[str]:
    """Return the files of the package that a program imports itself.

    A name that `penalized_bandits` hands on counts as imported from the module that has it.
    """
    found: set[str | None] = set()
    for node in _statements(ast.parse(source).body):
        if isinstance(node, ast.Import):
            found |= {file_of(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                named = f"{_homes().get(alias.name)}" if node.module == NAME else alias.name
                found.add(file_of(f"{node.module}.{named}") or file_of(node.module))
    return {file for file in found if file is not None}


@cache
def _homes() -> dict[str, str]:
    import penalized_bandits

    return vars(penalized_bandits)["_HOME"]


@cache
def _data() -> tuple[str, ...]:
    """Return the files of the package that are not Python."""
    return tuple(
        relative(path)
        for path in sorted(PACKAGE.rglob("*.*"))
        if path.is_file() and path.suffix in (".css", ".csv", ".j2", ".js", ".json", ".yaml")
    )


@cache
def _next(file: str) -> frozenset[str]:
    """Return what a file of the package imports, and the data beside it that it names."""
    source = (PACKAGE / file).read_text(encoding="utf-8")
    folder = file.rpartition("/")[0]
    quoted = set(re.findall(r'"([\w.-]+)"', source))
    data_named = {
        data
        for data in _data()
        if data.startswith(f"{folder}/") and quoted & set(data[len(folder) + 1 :].split("/"))
    }
    return frozenset(imported_by(source) | data_named)


@cache
def reached(*starts: str) -> frozenset[str]:
    """Return the files that some files stand on: themselves, and all that they import.

    Registries and what is harmless are left out, and not gone through, unless ``starts`` (names
    as `relative`) has them.
    """
    found: set[str] = set()
    waiting = set(starts)
    while waiting:
        file = waiting.pop()
        found.add(file)
        if not file.endswith(".py") or (file in REGISTRIES and file in starts):
            continue
        waiting |= {
            each
            for each in _next(file) - found
            if each not in REGISTRIES and not each.startswith(HARMLESS)
        }
    return frozenset(found)


@cache
def _content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def contents(files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of files, by their names: within the package if they lie there."""
    named = {relative(p) if p.is_relative_to(PACKAGE) else p.name: _content(p) for p in files}
    return dict(sorted(named.items()))


def digest(files: Iterable[Path]) -> str:
    """Return the SHA-256 of files: of their names, as in `contents`, and what they hold."""
    lines = (f"{content}  {name}\n" for name, content in contents(files).items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()
