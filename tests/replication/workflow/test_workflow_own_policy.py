"""A user's own policy, named in the config or added to the package: its results and reasons."""

from pathlib import Path

import pandas as pd
import pytest

from smoke_run import figure_of, replicates_of, summaries_of
from workflow_helpers import Project

pytestmark = pytest.mark.slow

OWN = '''"""Policies of my own."""

from my_helpers import HALF, bonus
from penalized_bandits import Arm, Policy


def index(arm: Arm) -> float:
    return arm.mean + (arm.penalty if arm.below else 0.0) + HALF * bonus(arm.radius)


policy = Policy("whatever", index=index)


'''
HELPERS = '''"""What my policies call."""

from my_constants import HALF


def bonus(radius: float) -> float:
    return 0.5 * radius
'''
SETTING_1 = replicates_of("setting_1") | summaries_of("setting_1") | figure_of("figure_1")

MODULES = {"my_policies": OWN, "my_helpers": HELPERS, "my_constants": "HALF = 0.5\n"}


@pytest.fixture(scope="module", name="made")
def made_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy in which Figures 1 and 4 were made with a policy of the user's."""
    project = fresh.copy(tmp_path_factory.mktemp("own") / "project")
    for module, text in MODULES.items():
        (project.folder / f"{module}.py").write_text(text, encoding="utf-8")
    section = {"policies": ["hard_threshold_ucb", "mine"]}
    project.configure({"policies": {"mine": "my_policies:policy"}, "setting_1": section})
    return project.make("figure_1", "figure_4")


def test_the_policy_is_in_the_results(made: Project) -> None:
    table = pd.read_csv(made.folder / "results/summaries/setting_1.csv", dtype=str)
    means = {policy: rows.to_list() for policy, rows in table.groupby("policy")["mean"]}
    assert set(means) == {"hard_threshold_ucb", "mine"}
    assert means["mine"] != means["hard_threshold_ucb"]
    assert "<!-- mine -->" in (made.folder / "results/figures/figure_1.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("module", "old", "new", "stale"),
    [
        ("my_policies", "policy = ", "# A comment.\npolicy = ", set()),
        ("my_policies", "arm.mean +", "1.5 * arm.mean +", SETTING_1),
        ("my_helpers", "0.5 *", "1.5 *", SETTING_1),
        ("my_constants", "0.5", "5", SETTING_1),
    ],
)
def test_an_edit_makes_the_results_of_the_policy_stale(
    made: Project, tmp_path: Path, module: str, old: str, new: str, stale: set[str]
) -> None:
    project = made.copy(tmp_path / "project")
    text = MODULES[module].replace(old, new)
    (project.folder / f"{module}.py").write_text(text, encoding="utf-8")
    assert project.stale("figure_1", "figure_4") == stale
