"""Hashes of the code behind results, as params of the rules: a result of other code is stale.

A script stands on the files of the two packages that it imports, on those that these import, and
on data files that any of them names.  Lists of plug-ins do not count, nor what they import: a rule
names its own experiments, policies, claims and figures.
"""

import inspect
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path

from penalized_bandits.common.files import digest
from penalized_bandits.policies import FILES, PAPER_POLICY
from penalized_replication.claims import CLAIMS, claims_on, experiments_of
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS, experiment
from penalized_replication.figures import ALL_FIGURES, COMPARED, EVERY_FIGURE
from penalized_replication.workflow.planned import LIBRARY, PACKAGE, code_param

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
# In a tenth of the time of a syntax tree: each job reads the rules.
_IMPORT = re.compile(
    rf"(?m)^[ \t]*from ((?:{'|'.join(PACKAGES)})[\w.]*) import (?:\(([^)]*)\)|([\w, ]*))"
)
_DATA = re.compile(r'__file__[^"\n]*"([^"\n]*)"|"([\w/.]+\.(?:css|csv|j2|js|yaml))"')


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
    text = file.read_text(encoding="utf-8")
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


@cache
def _named(file: Path) -> set[Path]:
    """Return the data files that a file names, and those of folders that it names."""
    found: set[Path] = set()
    for path in filter(None, (a or b for a, b in _DATA.findall(file.read_text("utf-8")))):
        places = (f / path for f in file.parents if f.is_relative_to(PACKAGE))
        place = next(filter(Path.exists, places), None)
        if place and place != CAPTIONS:
            found |= {place} if place.is_file() else set(place.rglob("*.*"))
    return {p for p in found if p.is_file() and p.suffix != ".pyc"}


def _closure(files: Iterable[Path]) -> frozenset[Path]:
    found, ahead = set[Path](), set(files)
    while ahead:
        found |= ahead
        ahead = set[Path]().union(*map(_next, ahead)) - found
    return frozenset(found)


@cache
def _next(file: Path) -> set[Path]:
    imports = _imports(file) if file.suffix in (".py", ".ipynb") else {}
    # Templates take in others.
    names = file.suffix in (".py", ".ipynb", ".j2")
    return _named(file).union(*imports.values()) if names else set()


@cache
def _param(file: Path, workflow: Path) -> str:
    # A reason of Snakemake prints values, never names.
    folders = (PACKAGE, LIBRARY.parent, workflow)
    folder = next(folder for folder in folders if file.is_relative_to(folder))
    return code_param(file.relative_to(folder).as_posix(), workflow)


def _policies(names: Iterable[str]) -> set[Path]:
    # Those of a user's own are none of ours: their formulas are keys of the config.
    return {LIBRARY / f"policies/{FILES[name]}.py" for name in {*names} & FILES.keys()}


class Code:
    """The hashes of all results; ``scripts`` is the folder of the workflow's scripts."""

    def __init__(self, scenarios: Scenarios, scripts: Path) -> None:
        self._config, self._scenarios = scenarios.config, scenarios
        self._scripts = scripts
        # Planning needs each as often as there are params.
        self.alone = cache(self._alone)

    def of(self, script: str, **plugins: Iterable[str]) -> list[str]:
        """Return the hash of each file behind a script and plug-ins, policies played included."""
        return self._hashes(self._script(script) | self._plugins(**plugins))

    def _alone(self, script: str, name: str, folder: str) -> list[str]:
        """Return the hashes of what stands behind one experiment, figure or topic of a scenario."""
        there = self._config(folder).experiments
        if script == "simulate":
            files = self._plugins(folder, experiments=[name])
        elif script == "draw_figure":
            # That of verdicts says what of the config differs from the paper's.
            every = EXPERIMENTS if EVERY_FIGURE[name].scenarios else ()
            files = self._plugins(figures=[name], experiments=every)
        elif script == "compare_policies":
            files = self._plugins(folder, experiments=COMPARED)
        elif script == "confirm_claims":
            # What is frozen is of all the experiments that are confirmed.
            first = self._scenarios.folders(name)[0]
            behind = self._scenarios.keys()[first]
            claims = [entry.id for entry in claims_on(behind) if entry.experiments]
            files = self._plugins(first, claims=claims, experiments=behind)
        else:
            measured = script == "measure_claims"
            found = claims_on(there, name if measured else None)
            behind = experiments_of(found) if measured else EXPERIMENTS
            files = self._plugins(folder, claims=[e.id for e in found], experiments=behind)
        return self._hashes(files - self._script(script))

    def files(self) -> list[str]:
        """Return the hash of every file of the packages and of each script."""
        files = (*LIBRARY.rglob("*.*"), *PACKAGE.rglob("*.*"), *self._scripts.glob("*.py"))
        return self._hashes(f for f in files if f.is_file() and f.parent.name != "__pycache__")

    @cached_property
    def digest(self) -> str:
        """One hash of all that the default target stands on."""
        there = self._config().experiments
        claims = [entry.id for entry in claims_on(there)]
        files = self._plugins(experiments=there, claims=claims, figures=ALL_FIGURES)
        scripts = (self._script(path.stem) for path in self._scripts.glob("*.py"))
        return digest("\n".join(self._hashes(files.union(*scripts))), 12)

    def _hashes(self, files: Iterable[Path]) -> list[str]:
        return sorted(_param(file, self._scripts.parent) for file in files)

    def _script(self, name: str) -> frozenset[Path]:
        path = self._scripts / f"{name}.py"
        # From a host there is none on this machine.
        return _closure([path] if path.is_file() else [])

    def _plugins(self, folder: str = "", /, **plugins: Iterable[str]) -> frozenset[Path]:
        ids: defaultdict[str, Iterable[str]] = defaultdict(tuple, plugins)
        files = set[Path]().union(*(self._behind(name, folder) for name in ids["experiments"]))
        files |= _policies(ids["policies"])
        for entry in map(CLAIMS.__getitem__, ids["claims"]):
            files.add(PACKAGE / f"claims/{entry.folder}/{entry.module}.py")
        for figure in ids["figures"]:
            caption = CAPTIONS / f"{figure}.md.j2"
            files |= {
                PACKAGE / f"figures/{figure}.py",
                caption if caption.is_file() else CAPTIONS / "default.md.j2",
            }
        files |= {self._scripts.parent / f"notebooks/{name}.ipynb" for name in ids["notebooks"]}
        return _closure(filter(Path.is_file, files))

    def _behind(self, name: str, folder: str) -> set[Path]:
        played, config = experiment(name), self._config(folder)
        named = config.section(name).policies if name in config.experiments else ()
        home = {Path(inspect.getfile(each)) for each in (played.cases, played.section)}
        return home | _policies({PAPER_POLICY, *named})
