"""The files of code behind a result, an input of its rule; their contents, as one hash, a param.

A script stands on the files of the packages that it imports, on those that these import, and on
data files that any of them names.  Lists of plug-ins do not count, nor what they import: a rule
names its own experiments, policies, claims, figures and notebooks, which may be an extension's.
Nor does a file with no more than a docstring.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from penalized_bandits.common.files import digest
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims import CLAIMS, LIST
from penalized_replication.common.errors import RunError
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.extensions import HOMES, LISTS, PACKAGE, POLICY_FILES, packages
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.storage.files import hash_of

CAPTIONS = PACKAGE / "figures/captions"
"""Templates of captions, one of each figure: plug-ins too."""
_NOTES = ("claims/*.yaml", "claims/*.csv", "claims/notes/*.j2")
_NO_CODE = re.compile(rb'\s*("""[^"]*""")?\s*')
_TYPES_ALONE = re.compile(r"(?m)^if TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)+")
# In a tenth of the time of a syntax tree: each start of Snakemake reads all files.
_IMPORT = re.compile(r"(?m)^[ \t]*from (\w[\w.]*) import (?:\(([^)]*)\)|([\w, ]*))")
_DATA = re.compile(r'__file__[^"\n]*"([^"\n]*)"|"([\w/.]+\.(?:css|csv|j2|js|yaml))"')


@cache
def _content(file: Path) -> bytes:
    """Read a file once: an edit after that is no part of what the run is planned with."""
    return file.read_bytes()


@cache
def _digest(file: Path) -> str:
    return digest(_content(file))


@cache
def _module(name: str) -> Path | None:
    package, *inner = name.split(".")
    if package not in packages():
        return None
    path = packages()[package].joinpath(*inner)
    found = (path.with_suffix(".py"), path / "__init__.py")
    return next(filter(Path.is_file, found), None)


@cache
def _imports(file: Path) -> dict[str, set[Path]]:
    """Return the files that each name comes from that a file imports of the packages."""
    found: dict[str, set[Path]] = {}
    text = _content(file).decode()
    if file.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    # The library's own list imports when a name is asked for: what it hands on is there alone.
    text = text if file in LISTS else _TYPES_ALONE.sub("", text)
    ours = (found for found in _IMPORT.findall(text) if found[0].partition(".")[0] in packages())
    for module, several, one in ours:
        home, parts = _module(module), module.split(".")
        above = {_module(".".join(parts[:n])) for n in range(1, len(parts))}
        for entry in filter(None, (text.strip() for text in (several or one).split(","))):
            name, known_as = entry.split()[0], entry.split()[-1]
            inner = _module(f"{module}.{name}")
            # What a list hands on counts where it comes from.
            handed_on = _imports(home).get(name, ()) if home in LISTS and not inner else ()
            counted = {f for f in (home, inner, *handed_on, *above) if f and f not in LISTS}
            found.setdefault(known_as, set()).update(counted)
    return found


@cache
def _next(file: Path) -> set[Path]:
    """Return the files that a file imports, the data files that it names, and those of folders."""
    if file.suffix not in (".py", ".ipynb", ".j2"):  # templates take in others
        return set()
    imports = {} if file.suffix == ".j2" else _imports(file)
    found, roots = set[Path]().union(*imports.values()), tuple(f"{p}/" for p in packages().values())
    for path in filter(None, (a or b for a, b in _DATA.findall(_content(file).decode()))):
        above = (folder / path for folder in file.parents if f"{folder}/".startswith(roots))
        place = next(filter(Path.exists, above), CAPTIONS)
        if place != CAPTIONS:
            inside = (place, *place.rglob("[!.]*.*[!~]"))
            found |= {p for p in inside if p.is_file() and p.suffix != ".pyc"}
    return found


@cache
def _closure(files: frozenset[Path]) -> list[Path]:
    found, ahead = set[Path](), {*files}
    while ahead:
        found |= ahead
        ahead = set[Path]().union(*map(_next, ahead)) - found
    # An input costs Snakemake a tenth of a millisecond.
    return sorted(file for file in found if not _NO_CODE.fullmatch(_content(file)))


class Code:
    """The code of a workflow with its scenarios; ``folder`` is that of scripts and notebooks."""

    def __init__(self, scenarios: Scenarios, folder: Path) -> None:
        self._config, self._folder, self._files = scenarios.config, folder, cache(self._behind)
        self.scripts = [folder / "scripts"]
        self.plugins: dict[str, Mapping[str, Callable[[Any], Iterable[str]]]] = {}
        """By script and kind, functions from a rule's wildcards to ids."""
        for home in (*packages().values(), *self.scripts):
            for file in filter(Path.is_file, home.rglob("[!.]*.py")):
                _content(file)

    def behind(self, script: str, wildcards: Any) -> list[Path]:
        """Return the files behind a script (``*``: all) and its plug-ins, with policies played."""
        named = {kind: (*names(wildcards),) for kind, names in self.plugins[script].items()}
        return self._files(script, wildcards.get("scenario", ""), **named)

    def _behind(self, script: str, scenario: str, **named: tuple[str, ...]) -> list[Path]:
        found = {file for folder in self.scripts for file in folder.glob(f"{script}.py")}
        config, policies = self._config(scenario), {*named.get("policies", ())}
        entries = [CLAIMS[claim] for claim in named.get("claims", ())]
        modules = {entry.module for entry in entries}
        for played in map(EXPERIMENTS.__getitem__, named.get("experiments", ())):
            own = config.section(played.id).policies if played.id in config.experiments else ()
            policies |= {PAPER_POLICY, *own}
            modules |= {played.cases.__module__, played.section.__module__}
        found |= {POLICY_FILES[name] for name in policies & POLICY_FILES.keys()}
        found |= {*filter(None, map(_module, modules))}
        for figure in map(EVERY_FIGURE.__getitem__, named.get("figures", ())):
            home = packages()[figure.package] / "figures"
            captions = (home / f"captions/{figure.id}.md.j2", CAPTIONS / "default.md.j2")
            found |= {home / f"{figure.id}.py", next(filter(Path.is_file, captions))}
        found |= {self._folder / f"notebooks/{name}.ipynb" for name in named.get("notebooks", ())}
        # Scripts may come from a host: then no folder of this machine has them.
        closure = _closure(frozenset(filter(Path.is_file, found)))
        if PACKAGE / "claims/table/render.py" in closure:
            # It reads the list, and what extensions have besides.
            homes = {HOMES[entry.package] for entry in entries if entry.package in HOMES}
            notes = (file for home in homes for kind in _NOTES for file in home.glob(kind))
            closure = sorted({*closure, LIST, *notes})
        return closure

    def hash_of(self, script: str) -> Callable[[Any], str]:
        """Return the param of a rule that is the hash of its files as they were when first read."""
        return lambda wildcards: hash_of(map(_digest, self.behind(script, wildcards)))


def home_of(rules: Path) -> Path:
    """Return the workflow's top folder, if on this machine: rules of a module may be from a host.

    Raises RunError for paths that Snakemake cannot take.
    """
    places = map(Path.resolve, (rules, rules.parent, PACKAGE.parents[2]))
    home = next((p for p in places if (p / "workflow/rules/common.smk").is_file()), PACKAGE)
    # Jobs start by the one path, and inputs have the other, where braces are wildcards.
    elsewhere = str(home).removeprefix(str(Path.cwd()))
    for path, signs in ((sys.executable, " '\"$&;()"), (elsewhere, "{}")):
        if {*path} & {*signs}:
            raise RunError(f"{path}: Snakemake takes no path with any of {signs!r}")
    return home
