"""A change makes exactly those results stale that stand on what changed."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from miniature import (
    EXPERIMENTS,
    LEDGER,
    PAGES,
    PLAYGROUND,
    RATINGS,
    READINGS,
    SENSITIVITY,
    TOPICS,
    all_of,
    checked_again_of,
    claims_of,
    config_with,
    figure_of,
    flipped_of,
    judged,
    ledger_figures,
    replicates_of,
    summaries_of,
    with_origins,
    with_pages,
)
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.workflow import code
from penalized_bandits.workflow.made_with import MadeWith
from penalized_bandits.workflow.staleness import relative
from workflow_helpers import PACKAGE, Project, forked, made_in

pytestmark = pytest.mark.slow

PAPER_RIVALS = ("setting_1", "setting_2", "setting_3", "setting_5", "two_instances")
REGRET_RIVALS = ("setting_1", "crossover", "movie_crossover", "two_instances")
SIMULATED = all_of(*EXPERIMENTS)
SUMMARISED = SIMULATED - replicates_of(*EXPERIMENTS) - flipped_of(*EXPERIMENTS)
SUMMARIES = summaries_of(*EXPERIMENTS) | figure_of(*ALL_FIGURES)
DECIDED = claims_of(*EXPERIMENTS)
ON_RATINGS = RATINGS | all_of("setting_3", "movie_crossover")


def drawn_with(file: str) -> list[str]:
    """Return the figures that stand on a file of the package."""
    return [f for f in ALL_FIGURES if file in map(relative, code.figure_code(f))]


def judged_with(file: str) -> set[str]:
    """Return all that stands on the claims that a file of the package helps to decide."""
    topics = [t for t in TOPICS if file in map(relative, code.topic_code(t))]
    return judged(*topics) if topics else set()


# One or two files of each kind: what stands on which file is found by following imports, and
# test_staleness.py looks at every file.
EDITS: dict[str, set[str]] = {
    # Policies: the settings and studies of the config that name them.
    "policies/hard_threshold_ucb.py": SIMULATED,
    "policies/lfg.py": all_of(*PAPER_RIVALS, "lfg_fairness"),
    "policies/ucb1.py": all_of(*REGRET_RIVALS, "log_laws", "worst_case"),
    "policies/kl.py": set(),
    # Settings and studies; claims may ask a study for the names of its cases.
    "experiments/paper/setting_4.py": all_of("setting_4"),
    "experiments/theory/log_laws.py": all_of("log_laws")
    | judged_with("experiments/theory/log_laws.py"),
    "experiments/movies.py": all_of("setting_3", "movie_crossover"),
    # From draws to means.
    "engine/lanes.py": SIMULATED,
    "bandit/rewards.py": SIMULATED,
    "bandit/regret.py": SUMMARISED,
    "bandit/frontier.py": SUMMARIES | judged_with("bandit/frontier.py"),
    "experiments/summaries.py": SUMMARIES,
    # Claims: one alone, what several share, and the ledger.
    "claims/paper/c07_log_law.py": judged("log_laws"),
    "claims/base.py": DECIDED | figure_of(*drawn_with("claims/base.py")),
    "claims/ledger.py": DECIDED,
    "theory/bounds.py": judged_with("theory/bounds.py")
    | figure_of(*drawn_with("theory/bounds.py")),
    # Ratings, code and data.
    "datasets/counts.py": ON_RATINGS,
    "datasets/bundled/movielens_1m_counts.csv": ON_RATINGS,
    # Figures and pages.
    "figures/figure_1.py": figure_of("figure_1"),
    "figures/theory_log_t.py": figure_of("theory_log_t"),
    "figures/tradeoff.py": figure_of("figure_3", "figure_5"),
    "figures/style.py": figure_of(*ALL_FIGURES),
    "pages/verdicts.py": {*PAGES},
    # What can change no number.
    "workflow/job.py": set(),
    "engine/oracle.py": set(),
}

# The playground takes formulas and bandits from the code, and nothing from results.
PLAYED = {*MadeWith(config_with({})).playground()["details"]["files"]}

IN_GROUPS = [name for name in EXPERIMENTS if [*config_with({}).jobs(name)] != ["all"]]

OTHER_READINGS = {
    "log_of": "n-1",
    "means": "once",
    "movielens_rewards": "fraction",
    "setting_4_rewards": "bernoulli",
    "lfg": "original",
}
CHANGES: dict[str, tuple[dict[str, Any], set[str]]] = {
    "seed": ({"seed": 8}, SIMULATED),
    "movielens.retries": ({"movielens": {"retries": 3}}, set()),
    **{
        f"readings.{reading}": ({"readings": {reading: value}}, all_of(*READINGS[reading]))
        for reading, value in OTHER_READINGS.items()
    },
    "setting_3.horizon": ({"setting_3": {"horizon": 301}}, all_of("setting_3")),
    "log_laws.replicates": ({"log_laws": {"replicates": 9}}, all_of("log_laws")),
    "sensitivity.replicates": (
        {"sensitivity": {"replicates": 3}},
        # Setting 4 has a number of its own.
        flipped_of(*EXPERIMENTS)
        - with_origins({"results/sensitivity/setting_4_rewards/setting_4.parquet"})
        | SENSITIVITY
        | checked_again_of(*TOPICS)
        | figure_of(*ledger_figures()),
    ),
    "simulation.chunks": (
        {"simulation": {"chunks": 2}},
        SUMMARISED | replicates_of(*EXPERIMENTS, chunks=2),
    ),
    "simulation.jobs": (
        {"simulation": {"jobs": "setting"}},
        # The others are one job either way; flipped readings are one job each.
        all_of(*IN_GROUPS)
        - replicates_of(*IN_GROUPS)
        - flipped_of(*EXPERIMENTS)
        - checked_again_of(*(t for t, names in TOPICS.items() if not set(names) & {*IN_GROUPS}))
        | replicates_of(*IN_GROUPS, jobs="setting"),
    ),
    "defaults written out": (
        {"readings": {"lfg": "paper"}, "simulation": {"chunks": 1}},
        set(),
    ),
}


def _touch(project: Project) -> None:
    for folder in ("src", "workflow", "config"):
        for path in (project.folder / folder).rglob("*.*"):
            path.touch()


def _edit_script(project: Project) -> None:
    script = project.folder / "workflow/scripts/draw_figure.py"
    before = script.stat()
    project.append("workflow/scripts/draw_figure.py", "# harmless\n")
    os.utime(script, ns=(before.st_atime_ns, before.st_mtime_ns))


OTHER: dict[str, tuple[Callable[[Project], None], set[str]]] = {
    "nothing changed": (lambda project: None, set()),
    "touched": (_touch, set()),
    "script edited, its time kept": (_edit_script, figure_of(*ALL_FIGURES)),
    "figure lost": (
        lambda project: (project.folder / "results/figures/figure_4.pdf").unlink(),
        figure_of("figure_4"),
    ),
    "ledger lost": (
        lambda project: (project.folder / "results/claims/claims.csv").unlink(),
        LEDGER,
    ),
}


def _editing(path: str) -> Callable[[Project], None]:
    text = "2,Harmless (2000),2,0,0,0,0,2\n" if path.endswith(".csv") else "# harmless\n"
    return lambda project: project.append(f"{PACKAGE}/{path}", text)


def stale_after(
    names: Iterable[str], project: Project, folder: Path, *targets: str
) -> dict[str, set[str]]:
    """Return what a dry run would make after each change, each in a copy of its own."""
    changes: dict[str, Callable[[Project], None]] = {
        **{path: _editing(path) for path in EDITS},
        **{
            name: lambda project, keys=keys: project.configure(keys)
            for name, (keys, _) in CHANGES.items()
        },
        **{name: change for name, (change, _) in OTHER.items()},
    }
    requests = {}
    for number, name in enumerate(names):
        copy = project.copy(folder / str(number))
        changes[name](copy)
        requests[name] = copy.dry(*targets)
    return {name: made_in(outcome) for name, outcome in forked(requests, project.kernels).items()}


@pytest.fixture(scope="module")
def stale(in_groups: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    return stale_after(EXPECTED, in_groups, tmp_path_factory.mktemp("stale"))


EXPECTED = {
    **EDITS,
    **{name: files for name, (_, files) in CHANGES.items()},
    **{name: files for name, (_, files) in OTHER.items()},
}


ON_ONE_FIGURE = [
    *("nothing changed", "seed", "readings.setting_4_rewards", "setting_3.horizon", "figure lost"),
    *("policies/hard_threshold_ucb.py", "policies/lfg.py", "bandit/regret.py"),
    *("figures/style.py", "figures/figure_1.py", "engine/oracle.py"),
]


@pytest.mark.parametrize("change", EXPECTED)
def test_a_change_makes_stale(stale: dict[str, set[str]], change: str) -> None:
    played = PLAYGROUND if change in PLAYED else set[str]()
    assert stale[change] == with_pages(EXPECTED[change]) | played


@pytest.mark.sample
def test_a_change_makes_one_figure_stale(one_figure: Project, tmp_path: Path) -> None:
    made = {file for file in one_figure.files() if "/logs/" not in file}
    expected = {name: EXPECTED[name] & made for name in ON_ONE_FIGURE}
    assert stale_after(ON_ONE_FIGURE, one_figure, tmp_path, "figure_4") == expected
