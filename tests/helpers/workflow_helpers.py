"""A copy of the project in a temporary folder, and Snakemake run in it.

The copy has its own sources on the path, so that a test may edit them, and a config so
small that the whole workflow takes seconds.  It is run once for all test modules.

Dry runs spend most of their time on imports.  This file run as a program does those
once and forks for each dry run (``forked``): a quarter of the time.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import yaml

# Nothing of the package is imported here: dry runs must import that of the copy.

ROOT = Path(__file__).parents[2]
PACKAGE = "src/penalized_bandits"
SETTINGS = ("setting_1", "setting_2", "setting_3", "setting_4", "setting_5")
FIGURES = ("figure_1", "figure_2", "figure_3", "figure_4", "figure_5")
STUDIES = (
    "log_laws",
    "crossover",
    "movie_crossover",
    "worst_case",
    "deterministic",
    "two_instances",
    "equal_penalties",
    "lfg_fairness",
)
EXPERIMENTS = (*SETTINGS, *STUDIES)
TINY: dict[str, Any] = {
    "seed": 7,
    "movielens": {"source": "bundled"},
    "setting_1": {"replicates": 3, "arms": [5], "fairness": [0.2, 0.8], "horizons": [100, 300]},
    "setting_2": {"replicates": 3, "horizon": 300, "scale_points": 3},
    "setting_3": {"replicates": 3, "horizon": 300, "m0": [2500], "tuning_values": 3},
    "setting_4": {"replicates": 3, "horizon": 300},
    "setting_5": {
        "replicates": 3,
        "horizon": 300,
        "arms": [5],
        "fairness": [0.5],
        "tuning_values": 3,
    },
    "sensitivity": {"replicates": 2, "replicates_of": {"setting_4": 2}},
    "choices": {
        "replicates": 2,
        "setting_3": {"horizon": [100, 300], "fairness": [0.5], "tuning_values": []},
        "setting_5": {"horizon": [300], "fairness": [0.5], "tuning_values": [4]},
    },
    "pages": {"notebooks": False},
    # The instances of a study stay: a config merged into another takes no key away.
    "log_laws": {"replicates": 8, "horizons": [700, 1000, 1400, 2000, 2800]},
    "crossover": {
        "replicates": 8,
        "horizons": [100, 300, 1000],
        "tuned_horizons": [100, 1000],
        "arms": [5],
        "fairness": [0.2, 0.8],
    },
    "movie_crossover": {
        "replicates": 8,
        "horizons": [100, 300, 1000],
        "tuned_horizons": [100, 1000],
        "m0": [2500],
    },
    "worst_case": {"replicates": 8, "horizons": [300, 1000, 3000], "gaps": [0.5, 1.0, 2.0]},
    "deterministic": {"replicates": 2, "horizons": [1000, 3000]},
    "two_instances": {"replicates": 8, "horizons": [100, 300]},
    "equal_penalties": {"replicates": 8, "horizons": [100, 300]},
    "lfg_fairness": {"replicates": 8, "horizons": [100, 300], "eta_0": [1.0, 10.0]},
}
"""A few replicates of everything: all settings, studies, policies and figures."""

GROUPS = {
    "setting_1": ("K5",),
    "setting_2": ("case_1", "case_2"),
    "setting_3": ("m0_2500",),
    "setting_4": ("all",),
    "setting_5": ("K5",),
    "log_laws": ("1", "2", "3", "4"),
    "crossover": ("K5", "fixed"),
    "movie_crossover": ("m0_2500",),
    "worst_case": ("all",),
    "deterministic": ("all",),
    "two_instances": ("all",),
    "equal_penalties": ("all",),
    "lfg_fairness": ("all",),
}
"""Groups of the miniature's cases."""
WITH_FRONTIER = ("setting_3", "setting_5")


def with_origins(files: Iterable[str]) -> set[str]:
    """Add the origins of files: one for all that share a name."""
    files = set(files)
    return files | {file.rpartition(".")[0] + ".origin.json" for file in files}


RATINGS = with_origins({"results/movielens/rating_counts.csv", "results/movielens/provenance.json"})

TOPICS: dict[str, tuple[str, ...]] = {
    "small_studies": (
        "worst_case",
        "deterministic",
        "two_instances",
        "equal_penalties",
        "lfg_fairness",
    ),
    "log_laws": ("log_laws", "deterministic"),
    "crossover": ("crossover", "movie_crossover", "setting_1"),
    **{setting: (setting,) for setting in SETTINGS},
}
"""The experiments that the claims of each job stand on."""
READINGS: dict[str, tuple[str, ...]] = {
    "log_of": EXPERIMENTS,
    "means": ("setting_1", "setting_5", "crossover"),
    "movielens_rewards": ("setting_3", "movie_crossover"),
    "setting_4_rewards": ("setting_4",),
    "lfg": ("setting_1", "setting_2", "setting_3", "setting_5", "two_instances", "lfg_fairness"),
}
"""The experiments that each reading can touch."""
LEDGER = with_origins(
    f"results/claims/{name}" for name in ("claims.csv", "claims.json", "claims.md", "parts.csv")
)
INDEX = with_origins({"results/index.html"})
PAGES = INDEX | {"results/claims/claims.html", "results/claims/claims.html.origin.json"}
CHECKSUMS = {"results/checksums.txt"}
CHOICES = with_origins({"results/claims/choices.csv"})
SENSITIVITY = with_origins({"results/claims/sensitivity.csv", "results/sensitivity/claims.json"})

T = TypeVar("T")


class Job(NamedTuple):
    """A job that a dry run announces."""

    rule: str
    output: frozenset[str]
    log: frozenset[str]


class Outcome(NamedTuple):
    """How a run of Snakemake ended, and what it said."""

    status: int
    text: str


class Request(NamedTuple):
    """A run of Snakemake to be made."""

    folder: str
    arguments: list[str]


def environment(folder: Path | str, kernels: Path) -> dict[str, str]:
    """Return an environment in which nothing of the user's shell changes what is tested."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SNAKEMAKE_", "PYTHON"))
    }
    return kept | {
        "PYTHONPATH": str(Path(folder) / "src"),
        "PYTHONUTF8": "1",
        "PENALIZED_BANDITS_CACHE": str(kernels),
        "XDG_CONFIG_HOME": str(kernels / "no-profiles"),
    }


@dataclass(frozen=True)
class Project:
    """A copy of the project."""

    folder: Path
    kernels: Path
    """Folder of compiled kernels: not the environment's, which tests leave alone."""

    def request(
        self, *targets: str, config: str | None = "tiny.yaml", options: Iterable[str] = ()
    ) -> Request:
        """Name a run on targets, on two cores unless the options say otherwise."""
        arguments = [*targets, "--cores", "2", *options]
        # Last, because this option takes all that follows for config files.
        arguments += [] if config is None else ["--configfile", config]
        return Request(str(self.folder), arguments)

    def dry(self, *targets: str, config: str | None = "tiny.yaml") -> Request:
        """Name a dry run on targets."""
        return self.request(*targets, config=config, options=["--dry-run"])

    def run(
        self, *targets: str, config: str | None = "tiny.yaml", options: Iterable[str] = ()
    ) -> Outcome:
        """Run Snakemake on targets."""
        return self.snakemake(self.request(*targets, config=config, options=options).arguments)

    def snakemake(self, arguments: list[str]) -> Outcome:
        """Run Snakemake on these arguments, and no others."""
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", *arguments],
            cwd=self.folder,
            env=environment(self.folder, self.kernels),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        return Outcome(done.returncode, done.stdout)

    def files(self, folder: str = "results") -> set[str]:
        """Return the files below a folder of the copy."""
        found = (self.folder / folder).rglob("*")
        return {path.relative_to(self.folder).as_posix() for path in found if path.is_file()}

    def configure(self, changes: Mapping[str, Any], name: str = "tiny.yaml") -> None:
        """Write the miniature's config with some keys changed, section by section."""
        config = {**TINY}
        for key, value in changes.items():
            old = config.get(key)
            config[key] = {**old, **value} if isinstance(old, dict) else value
        (self.folder / name).write_text(yaml.safe_dump(config), encoding="utf-8")

    def append(self, path: str, text: str) -> None:
        """Add text to a file of the copy."""
        assert (self.folder / path).is_file(), path
        with (self.folder / path).open("a", encoding="utf-8") as file:
            file.write(text)

    def copy(self, target: Path) -> "Project":
        """Copy the copy with its results and Snakemake's notes, times of files kept."""
        return Project(Path(shutil.copytree(self.folder, target)), self.kernels)


def new_project(target: Path, kernels: Path) -> Project:
    """Copy the project as a fresh clone has it, and add the miniature's config."""
    skip = shutil.ignore_patterns(
        ".*", "__pycache__", "results", "tests", "docs", "benchmarks", "build", "*.egg-info"
    )
    shutil.copytree(ROOT, target, ignore=skip)
    project = Project(target, kernels)
    project.configure({})
    return project


def jobs_in(outcome: Outcome) -> list[Job]:
    """Return the jobs that a dry run announced, those of targets left out."""

    def listed(block: str, key: str) -> frozenset[str]:
        match = re.search(rf"(?m)^    {key}: (.*)$", block)
        return frozenset(match[1].split(", ")) if match else frozenset()

    assert outcome.status == 0, outcome.text
    found = []
    for block in re.split(r"(?m)^(?=(?:local)?(?:rule|checkpoint) )", outcome.text)[1:]:
        rule = re.match(r"\w+ (\w+):", block)
        assert rule is not None, block
        if output := listed(block, "output"):
            found.append(Job(rule[1], output, listed(block, "log")))
    # Either jobs were read or there were none: a new form of the output must not pass.
    assert bool(found) != ("Nothing to be done" in outcome.text), outcome.text
    return found


def made_in(outcome: Outcome) -> set[str]:
    """Return the files that a dry run would make."""
    return {file for job in jobs_in(outcome) for file in job.output}


def forked(requests: Mapping[str, Request], kernels: Path) -> dict[str, Outcome]:
    """Run Snakemake several times, two at a time: for dry runs and runs that must fail."""
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps(list(requests.values())),
        env=environment(ROOT / "none", kernels),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        timeout=600,
        check=True,
    )
    outcomes = [Outcome(*outcome) for outcome in json.loads(done.stdout)]
    return dict(zip(requests, outcomes, strict=True))


def _serve() -> None:
    """Read requests, fork for each, write the outcomes."""
    # What Snakemake imports when it meets jobs; slowest is nbformat, for any script.
    for module in ("api", "cli", "dag", "report.html_reporter", "storage", "workflow"):
        import_module(f"snakemake.{module}")
    for module in ("nbformat.v4", "pandas", "pydantic", "requests"):
        import_module(module)
    main = import_module("snakemake.cli").main

    requests = [Request(*request) for request in json.load(sys.stdin)]
    assert not any(name.startswith("penalized_bandits") for name in sys.modules)
    outcomes: dict[int, Outcome] = {}
    running: dict[int, tuple[int, Any]] = {}

    def wait() -> None:
        pid, status = os.wait()
        number, output = running.pop(pid)
        output.seek(0)
        text = output.read().decode("utf-8")
        outcomes[number] = Outcome(os.waitstatus_to_exitcode(status), text)

    for number, request in enumerate(requests):
        if len(running) == 2:
            wait()
        output = tempfile.TemporaryFile()  # noqa: SIM115  (read when the child has ended)
        pid = os.fork()
        if pid == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            os.chdir(request.folder)
            sources = str(Path(request.folder) / "src")
            os.environ["PYTHONPATH"] = sources
            sys.path.insert(0, sources)
            sys.argv = ["snakemake", *request.arguments]
            try:
                main(request.arguments)
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 1
            else:
                status = 0
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        running[pid] = (number, output)
    while running:
        wait()
    json.dump([outcomes[number] for number in range(len(requests))], sys.stdout)


_SESSION: dict[str, Any] = {}
"""What fixtures made: each module that imports a fixture would make its own otherwise."""


def _once(name: str, make: Callable[[], T]) -> T:
    if name not in _SESSION:
        _SESSION[name] = make()
    return _SESSION[name]


@pytest.fixture(scope="session", name="fresh")
def fresh_fixture(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy without results; tests must leave it so."""
    return _once(
        "fresh",
        lambda: new_project(
            tmp_path_factory.mktemp("fresh") / "project", tmp_path_factory.mktemp("kernels")
        ),
    )


@pytest.fixture(scope="session", name="miniature")
def miniature_fixture(tmp_path_factory: pytest.TempPathFactory, fresh: Project) -> Project:
    """Return a copy in which all was made; tests must leave it so."""

    def make() -> Project:
        project = fresh.copy(tmp_path_factory.mktemp("miniature") / "project")
        outcome = project.run()
        assert outcome.status == 0, outcome.text
        return project

    return _once("miniature", make)


@pytest.fixture(scope="session", name="one_figure")
def one_figure_fixture(tmp_path_factory: pytest.TempPathFactory, fresh: Project) -> Project:
    """Return a copy in which Figure 4 alone was asked for, on one core."""

    def make() -> Project:
        project = fresh.copy(tmp_path_factory.mktemp("figure") / "project")
        outcome = project.run("figure_4", options=["--cores", "1"])
        assert outcome.status == 0, outcome.text
        return project

    return _once("one_figure", make)


def replicates_of(*settings: str, chunks: int = 1, jobs: str = "group") -> set[str]:
    """Return the miniature's tables of replicates of settings."""
    return with_origins(
        f"results/replicates/{setting}/{group}.{part}of{chunks}.parquet"
        for setting in settings
        for group in (GROUPS[setting] if jobs == "group" else ("all",))
        for part in range(1, chunks + 1)
    )


def summaries_of(*experiments: str) -> set[str]:
    """Return the summaries of settings and studies, frontiers included."""
    names = [*experiments, *(f"{n}_frontier" for n in experiments if n in WITH_FRONTIER)]
    return with_origins(f"results/summaries/{name}.csv" for name in names)


def figure_of(*figures: str) -> set[str]:
    """Return the files of figures."""
    return with_origins(
        f"results/figures/{figure}.{suffix}"
        for figure in figures
        for suffix in ("pdf", "svg", "png", "md")
    )


def theory_figures(*studies: str) -> list[str]:
    """Return the figures that show some of the studies."""
    return [f.id for f in _figures() if not f.setting and set(f.studies) & set(studies)]


def ledger_figures() -> list[str]:
    """Return the figures that show the verdicts with readings flipped."""
    return [figure.id for figure in _figures() if figure.claims]


def topic_figures(*topics: str) -> list[str]:
    """Return the figures that show claims checked by some of the jobs."""
    return [figure.id for figure in _figures() if set(figure.topics) & set(topics)]


def every_figure() -> list[str]:
    """Return all figures, of the paper, the theory and the ledger."""
    return [figure.id for figure in _figures()]


def _figures() -> list[Any]:
    # Not at the top of the file: see there.  Tests alone call this, never the server below.
    from penalized_bandits.figures import ALL_FIGURES

    return list(ALL_FIGURES.values())


def flipped_of(*experiments: str) -> set[str]:
    """Return the tables of readings flipped that are made together with some experiments'."""
    return with_origins(
        f"results/sensitivity/{reading}/{name}.parquet"
        for reading, touched in READINGS.items()
        if set(touched) & set(experiments)
        for name in touched
    )


def topics_on(*experiments: str) -> list[str]:
    """Return the jobs whose claims stand on some of the experiments."""
    return [topic for topic, names in TOPICS.items() if set(names) & set(experiments)]


def notebooks_of(*names: str) -> set[str]:
    """Return the files of notebooks."""
    return with_origins(
        f"results/notebooks/{name}.{suffix}" for name in names for suffix in ("ipynb", "html")
    )


def with_pages(files: set[str]) -> set[str]:
    """Add the pages that show any of the files, or what is made of them, and the checksums."""
    if not files:
        return files
    tables = summaries_of(*EXPERIMENTS) | LEDGER | SENSITIVITY
    pages = PAGES if files & tables else INDEX
    return files | pages | (set() if files <= PAGES else CHECKSUMS)


def checked_of(*topics: str) -> set[str]:
    """Return the claims that some jobs check."""
    return with_origins(f"results/claims/topics/{topic}.json" for topic in topics)


def judged(*topics: str) -> set[str]:
    """Return all that stands on a claim that some jobs check."""
    checked = checked_of(*topics)
    return checked | LEDGER | SENSITIVITY | figure_of(*ledger_figures(), *topic_figures(*topics))


def claims_of(*experiments: str) -> set[str]:
    """Return all that is decided, tabled and drawn of claims on some of the experiments."""
    return judged(*topics_on(*experiments))


def target_of(*experiments: str) -> set[str]:
    """Return what a target makes for settings or studies: replicates to figures."""
    figures = [figure for figure in _figures() if figure.setting and figure.setting in experiments]
    made = replicates_of(*experiments) | summaries_of(*experiments)
    made |= checked_of(*(topic for figure in figures for topic in figure.topics))
    return made | figure_of(*(figure.id for figure in figures))


def all_of(*experiments: str) -> set[str]:
    """Return everything that stands on settings and studies, from replicates to verdicts."""
    return (
        target_of(*experiments)
        | flipped_of(*experiments)
        | figure_of(*theory_figures(*experiments))
        | claims_of(*experiments)
    )


if __name__ == "__main__":
    _serve()
