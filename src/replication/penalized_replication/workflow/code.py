"""The files of code behind a result, an input of its rule; their contents, as one hash, a param.

A script stands on the files of the two packages that it imports, on those that these import, and
on data files that any of them names.  Lists of plug-ins do not count, nor what they import: a rule
names its own experiments, policies, claims, figures and notebooks.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import penalized_bandits
from penalized_bandits.common.files import digest
from penalized_bandits.policies import FILES, PAPER_POLICY
from penalized_replication.claims import CLAIMS
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import experiment
from penalized_replication.storage.files import hash_of

PACKAGE = Path(__file__).parents[1]
LIBRARY = Path(penalized_bandits.__file__).parent
PACKAGES = {folder.name: folder for folder in (LIBRARY, PACKAGE)}
LISTS = (
    {LIBRARY / "__init__.py", LIBRARY / "policies/__init__.py"}
    | {PACKAGE / name / "__init__.py" for name in (".", "claims", "figures", "notebooks")}
    | {PACKAGE / "experiments/catalogue.py"}
)
"""Files that list plug-ins."""
CAPTIONS = PACKAGE / "figures/captions"
"""Templates of captions, one of each figure: plug-ins too."""
_TYPES_ALONE = re.compile(r"(?m)^if TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)+")
# In a tenth of the time of a syntax tree: each start of Snakemake reads all files.
_IMPORT = re.compile(
    rf"(?m)^[ \t]*from ((?:{'|'.join(PACKAGES)})[\w.]*) import (?:\(([^)]*)\)|([\w, ]*))"
)
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
    path = PACKAGES[package].joinpath(*inner)
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
    for module, several, one in _IMPORT.findall(text):
        home, parts = _module(module), module.split(".")
        above = {_module(".".join(parts[:n])) for n in range(1, len(parts))}
        for entry in filter(None, (text.strip() for text in (several or one).split(","))):
            name, known_as = entry.split()[0], entry.split()[-1]
            if inner := _module(f"{module}.{name}"):
                files = {home, inner}
            elif home in LISTS:
                # What a list hands on counts where it comes from.
                files = _imports(home).get(name, set())
            else:
                files = {home}
            counted = {f for f in (*files, *above) if f and f not in LISTS}
            found.setdefault(known_as, set()).update(counted)
    return found


def _named(file: Path) -> set[Path]:
    """Return the data files that a file names, and those of folders that it names."""
    found: set[Path] = set()
    for path in filter(None, (a or b for a, b in _DATA.findall(_content(file).decode()))):
        places = (folder / path for folder in file.parents if folder.is_relative_to(PACKAGE))
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
        # Planning needs each twice, for input and param.
        self.files = cache(self._files)
        self.plugins: dict[str, Mapping[str, Callable[[Any], Iterable[str]]]] = {}
        """By script and kind, functions from a rule's wildcards to ids."""
        for home in (LIBRARY, PACKAGE, folder / "scripts"):
            for file in filter(Path.is_file, home.rglob("[!.]*.py")):
                _content(file)

    def _files(self, script: str, scenario: str = "", **plugins: Iterable[str]) -> list[Path]:
        """Return the files behind a script (``*`` for all) and plug-ins of a scenario, sorted.

        ``plugins`` are ids of ``experiments`` (with the policies that they play), ``policies``,
        ``claims``, ``figures`` and ``notebooks``.
        """
        found = {*self._folder.glob(f"scripts/{script}.py")}
        for name in plugins.get("experiments", ()):
            found |= self._behind(name, scenario)
        found |= _policies(plugins.get("policies", ()))
        for entry in map(CLAIMS.__getitem__, plugins.get("claims", ())):
            found.add(PACKAGE / f"claims/{entry.folder}/{entry.module}.py")
        for figure in plugins.get("figures", ()):
            caption = CAPTIONS / f"{figure}.md.j2"
            found.add(caption if caption.is_file() else CAPTIONS / "default.md.j2")
            found.add(PACKAGE / f"figures/{figure}.py")
        found |= {self._folder / f"notebooks/{name}.ipynb" for name in plugins.get("notebooks", ())}
        # Scripts may come from a host: then no folder of this machine has them.
        return _closure(frozenset(filter(Path.is_file, found)))

    def behind(self, script: str, wildcards: Any) -> list[Path]:
        """Return the files behind a rule's script and plug-ins."""
        ids = {kind: (*names(wildcards),) for kind, names in self.plugins[script].items()}
        return self.files(script, wildcards.get("scenario", ""), **ids)

    def hash_of(self, script: str) -> Callable[[Any], str]:
        """Return the param of a rule that is the hash of its files as they were when first read."""
        return lambda wildcards: hash_of(map(_digest, self.behind(script, wildcards)))

    def _behind(self, name: str, scenario: str) -> set[Path]:
        played, config = experiment(name), self._config(scenario)
        named = config.section(name).policies if name in config.experiments else ()
        home = {Path(inspect.getfile(each)) for each in (played.cases, played.section)}
        return home | _policies({PAPER_POLICY, *named})


def _policies(names: Iterable[str]) -> set[Path]:
    # Those of a user's own are none of ours: their formulas are keys of the config.
    return {LIBRARY / f"policies/{FILES[name]}.py" for name in {*names} & FILES.keys()}
