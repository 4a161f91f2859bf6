"""A change makes exactly those results stale that stand on what changed."""

from collections.abc import Callable
from typing import Any

import pytest

from workflow_helpers import (
    FIGURES,
    PACKAGE,
    RATINGS,
    SETTINGS,
    Project,
    all_of,
    figure_of,
    forked,
    fresh_fixture,  # noqa: F401  (miniature is made from it)
    made_in,
    miniature_fixture,  # noqa: F401
    replicates_of,
)

WITH_LFG = ("setting_1", "setting_2", "setting_3", "setting_5")
SIMULATED = all_of(*SETTINGS)
SUMMARISED = SIMULATED - replicates_of(*SETTINGS)

EDITS: dict[str, set[str]] = {
    # Policies: the settings of the config that name them.
    "policies/hard_threshold_ucb.py": SIMULATED,
    "policies/lfg.py": all_of(*WITH_LFG),
    "policies/fair_learn.py": all_of(*WITH_LFG),
    "policies/ucb1.py": all_of("setting_1"),
    "policies/soft_threshold_ucb.py": all_of("setting_1"),
    "policies/explore_then_commit.py": set(),
    "policies/base.py": SIMULATED,
    # Settings.
    **{f"settings/{setting}.py": all_of(setting) for setting in SETTINGS},
    "settings/base.py": SIMULATED,
    # The simulator.
    "engine/lanes.py": SIMULATED,
    "engine/specialise.py": SIMULATED,
    "streams.py": SIMULATED,
    "rewards.py": SIMULATED,
    "instances.py": SIMULATED,
    "experiment.py": SIMULATED,
    "replicates.py": SIMULATED,
    # From pulls to means.
    "regret.py": SUMMARISED,
    "summaries.py": SUMMARISED,
    # Ratings.
    "datasets/obtain.py": RATINGS | all_of("setting_3"),
    "datasets/counts.py": RATINGS | all_of("setting_3"),
    "datasets/bundled/movielens_1m_counts.csv": RATINGS | all_of("setting_3"),
    "datasets/manifest.yaml": RATINGS | all_of("setting_3"),
    # Figures.
    **{f"figures/{figure}.py": figure_of(figure) for figure in FIGURES},
    "figures/tradeoff.py": figure_of("figure_3", "figure_5"),
    "figures/style.py": figure_of(*FIGURES),
    "figures/base.py": figure_of(*FIGURES),
    # What can change no number.
    "logs.py": set(),
    "progress.py": set(),
    "errors.py": set(),
    "oracle.py": set(),
}

CHANGES: dict[str, tuple[dict[str, Any], set[str]]] = {
    "seed": ({"seed": 8}, SIMULATED),
    "movielens.retries": ({"movielens": {"retries": 3}}, set()),
    "readings.log_of": ({"readings": {"log_of": "n-1"}}, SIMULATED),
    "readings.means": ({"readings": {"means": "once"}}, all_of("setting_1", "setting_5")),
    "readings.movielens_rewards": (
        {"readings": {"movielens_rewards": "fraction"}},
        all_of("setting_3"),
    ),
    "readings.setting_4_rewards": (
        {"readings": {"setting_4_rewards": "bernoulli"}},
        all_of("setting_4"),
    ),
    "readings.lfg": ({"readings": {"lfg": "original"}}, all_of(*WITH_LFG)),
    "setting_1.fairness": ({"setting_1": {"fairness": [0.2, 0.7]}}, all_of("setting_1")),
    "setting_2.horizon": ({"setting_2": {"horizon": 301}}, all_of("setting_2")),
    "setting_3.horizon": ({"setting_3": {"horizon": 301}}, all_of("setting_3")),
    "setting_4.replicates": ({"setting_4": {"replicates": 5}}, all_of("setting_4")),
    "setting_5.rewards": ({"setting_5": {"rewards": ["beta"]}}, all_of("setting_5")),
    "simulation.chunks": (
        {"simulation": {"chunks": 2}},
        SUMMARISED | replicates_of(*SETTINGS, chunks=2),
    ),
    "simulation.jobs": (
        {"simulation": {"jobs": "setting"}},
        # Setting 4 is one job either way.
        all_of("setting_1", "setting_2", "setting_3", "setting_5")
        - replicates_of("setting_1", "setting_2", "setting_3", "setting_5")
        | replicates_of("setting_1", "setting_2", "setting_3", "setting_5", jobs="setting"),
    ),
    "defaults written out": ({"readings": {"lfg": "paper"}, "simulation": {"chunks": 1}}, set()),
}


def _touch(project: Project) -> None:
    for path in (project.folder / "src").rglob("*.*"):
        path.touch()


OTHER: dict[str, tuple[Callable[[Project], None], set[str]]] = {
    "nothing changed": (lambda project: None, set()),
    "touched": (_touch, set()),
    "figure lost": (
        lambda project: (project.folder / "results/figures/figure_4.pdf").unlink(),
        figure_of("figure_4"),
    ),
}


def _editing(path: str) -> Callable[[Project], None]:
    text = "2,Harmless (2000),2,0,0,0,0,2\n" if path.endswith(".csv") else "# harmless\n"
    return lambda project: project.append(f"{PACKAGE}/{path}", text)


@pytest.fixture(scope="module")
def stale(miniature: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Return what a dry run would make after each change, each in a copy of its own."""
    changes: dict[str, Callable[[Project], None]] = {
        **{path: _editing(path) for path in EDITS},
        **{
            name: lambda project, keys=keys: project.configure(keys)
            for name, (keys, _) in CHANGES.items()
        },
        **{name: change for name, (change, _) in OTHER.items()},
    }
    folder = tmp_path_factory.mktemp("stale")
    requests = {}
    for number, (name, change) in enumerate(changes.items()):
        project = miniature.copy(folder / str(number))
        change(project)
        requests[name] = project.dry()
    return {name: made_in(outcome) for name, outcome in forked(requests, miniature.kernels).items()}


@pytest.mark.parametrize("path", EDITS)
def test_edited_file(stale: dict[str, set[str]], path: str) -> None:
    assert stale[path] == EDITS[path]


@pytest.mark.parametrize("key", CHANGES)
def test_changed_config(stale: dict[str, set[str]], key: str) -> None:
    assert stale[key] == CHANGES[key][1]


@pytest.mark.parametrize("change", OTHER)
def test_other_changes(stale: dict[str, set[str]], change: str) -> None:
    assert stale[change] == OTHER[change][1]
