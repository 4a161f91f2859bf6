"""The files of code behind a result, an input of its rule; their contents, as one hash, a param.

A script stands on the files of the packages that it imports, on those that these import, and on
data files that any of them names.  Lists of plug-ins do not count, nor what they import: a rule
names its own experiments, policies, claims, figures and notebooks, which may be an extension's.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from penalized_bandits.common.files import digest
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims import CLAIMS, LIST
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.extensions import PACKAGE, is_list, notes_of, packages, policies_in
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.storage.files import hash_of

CAPTIONS = PACKAGE / "figures/captions"
"""Templates of captions, one of each figure: plug-ins too."""
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
    text = text if is_list(file) else _TYPES_ALONE.sub("", text)
    ours = (found for found in _IMPORT.findall(text) if found[0].partition(".")[0] in packages())
    for module, several, one in ours:
        home, parts = _module(module), module.split(".")
        above = {_module(".".join(parts[:n])) for n in range(1, len(parts))}
        for entry in filter(None, (text.strip() for text in (several or one).split(","))):
            name, known_as = entry.split()[0], entry.split()[-1]
            if inner := _module(f"{module}.{name}"):
                files = {home, inner}
            elif home and is_list(home):
                # What a list hands on counts where it comes from.
                files = _imports(home).get(name, set())
            else:
                files = {home}
            counted = {f for f in (*files, *above) if f and not is_list(f)}
            found.setdefault(known_as, set()).update(counted)
    return found


def _named(file: Path) -> set[Path]:
    """Return the data files that a file names, and those of folders that it names."""
    found: set[Path] = set()
    for path in filter(None, (a or b for a, b in _DATA.findall(_content(file).decode()))):
        roots = packages().values()
        above = (folder for folder in file.parents if any(map(folder.is_relative_to, roots)))
        places = (folder / path for folder in above)
        place = next(filter(Path.exists, places), None)
        if place and place != CAPTIONS:
            found |= {place} if place.is_file() else {*place.rglob("[!.]*.*[!~]")}
    return {p for p in found if p.is_file() and p.suffix != ".pyc"}


@cache
def _next(file: Path) -> set[Path]:
    imports = _imports(file) if file.suffix in (".py", ".ipynb") else {}
    # Templates take in others.
    names = file.suffix in (".py", ".ipynb", ".j2")
    return _named(file).union(*imports.values()) if names else set()


@cache
def _closure(files: frozenset[Path]) -> list[Path]:
    found, ahead = set[Path](), {*files}
    while ahead:
        found |= ahead
        ahead = set[Path]().union(*map(_next, ahead)) - found
    return sorted(found)


class Code:
    """The code of a workflow with its scenarios; ``folder`` is that of scripts and notebooks."""

    def __init__(self, scenarios: Scenarios, folder: Path) -> None:
        self._config, self._folder = scenarios.config, folder
        self.scripts = [folder / "scripts"]
        """Folders of scripts."""
        # Planning needs each twice, for input and param.
        self.files = cache(self._files)
        self.plugins: dict[str, Mapping[str, Callable[[Any], Iterable[str]]]] = {}
        """By script and kind, functions from a rule's wildcards to ids."""
        for home in (*packages().values(), *self.scripts):
            for file in filter(Path.is_file, home.rglob("[!.]*.py")):
                _content(file)

    def _files(self, script: str, scenario: str = "", **plugins: Iterable[str]) -> list[Path]:
        """Return the files behind a script (``*`` for all) and plug-ins of a scenario, sorted.

        ``plugins`` are ids of ``experiments`` (with the policies that they play), ``policies``,
        ``claims``, ``figures`` and ``notebooks``.
        """
        found = {file for folder in self.scripts for file in folder.glob(f"{script}.py")}
        for name in plugins.get("experiments", ()):
            found |= self._behind(name, scenario)
        found |= policies_in(plugins.get("policies", ()))
        entries = [CLAIMS[claim] for claim in plugins.get("claims", ())]
        found |= {file for entry in entries if (file := _module(entry.module))}
        for figure in map(EVERY_FIGURE.__getitem__, plugins.get("figures", ())):
            home = packages()[figure.package]
            captions = [f / f"{figure.id}.md.j2" for f in (home / "figures/captions", CAPTIONS)]
            found.add(next(filter(Path.is_file, captions), CAPTIONS / "default.md.j2"))
            found.add(home / f"figures/{figure.id}.py")
        found |= {self._folder / f"notebooks/{name}.ipynb" for name in plugins.get("notebooks", ())}
        # Scripts may come from a host: then no folder of this machine has them.
        closure = _closure(frozenset(filter(Path.is_file, found)))
        if PACKAGE / "claims/table/render.py" in closure:
            # It reads the list, and what extensions have besides.
            closure = sorted({*closure, LIST, *notes_of(entry.package for entry in entries)})
        return closure

    def behind(self, script: str, wildcards: Any) -> list[Path]:
        """Return the files behind a rule's script and plug-ins."""
        ids = {kind: (*names(wildcards),) for kind, names in self.plugins[script].items()}
        return self.files(script, wildcards.get("scenario", ""), **ids)

    def hash_of(self, script: str) -> Callable[[Any], str]:
        """Return the param of a rule that is the hash of its files as they were when first read."""
        return lambda wildcards: hash_of(map(_digest, self.behind(script, wildcards)))

    def _behind(self, name: str, scenario: str) -> set[Path]:
        played, config = EXPERIMENTS[name], self._config(scenario)
        named = config.section(name).policies if name in config.experiments else ()
        home = {Path(inspect.getfile(each)) for each in (played.cases, played.section)}
        return home | policies_in({PAPER_POLICY, *named})
