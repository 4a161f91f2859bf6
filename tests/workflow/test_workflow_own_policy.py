"""A policy of one's own, named in the config or added to the package: from one file to Figure 1."""

import csv
from pathlib import Path

import pytest

from docs_pages import write_files
from miniature import figure_of, replicates_of, summaries_of
from workflow_helpers import Project, several

pytestmark = pytest.mark.slow

OWN = '''"""Policies of my own."""

from my_helpers import HALF, bonus
from penalized_bandits import Arm, Policy, Round


def index(arm: Arm) -> float:
    return arm.mean + (arm.penalty if arm.below else 0.0) + HALF * bonus(arm.radius)


policy = Policy("whatever", index=index)


def choose(state: Round) -> int:
    return int((state.means + 0.1 * (state.log / state.pulls) ** 0.5).argmax())


other = Policy("other", choose=choose)
'''
HELPERS = '''"""What my policies call."""

from my_constants import HALF


def bonus(radius: float) -> float:
    return 0.5 * radius
'''
SETTING_1 = replicates_of("setting_1") | summaries_of("setting_1") | figure_of("figure_1")


def means_of(project: Project) -> dict[str, list[str]]:
    """Return the means of Setting 1's summary by policy."""
    found: dict[str, list[str]] = {}
    table = project.folder / "results/summaries/setting_1.csv"
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["policy"], []).append(row["mean"])
    return found


def write_policies(folder: Path) -> None:
    """Write the user's modules: policies, what they call, and a constant."""
    (folder / "my_policies.py").write_text(OWN, encoding="utf-8")
    (folder / "my_helpers.py").write_text(HELPERS, encoding="utf-8")
    (folder / "my_constants.py").write_text("HALF = 0.5\n", encoding="utf-8")


def configure(project: Project, spec: str = "my_policies:policy") -> None:
    """Name a policy of the user's, and have it take part in Setting 1."""
    taking_part = {"policies": ["hard_threshold_ucb", "mine"]}
    project.configure({"policies": {"mine": spec}, "setting_1": taking_part})


@pytest.fixture(scope="module", name="made")
def made_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy in which Figures 1 and 4 were made with a policy of the user's."""
    project = fresh.copy(tmp_path_factory.mktemp("own") / "project")
    write_policies(project.folder)
    configure(project)
    return project.make("figure_1", "figure_4")


def test_it_is_in_the_results(made: Project) -> None:
    means = means_of(made)
    assert set(means) == {"hard_threshold_ucb", "mine"}
    assert means["mine"] != means["hard_threshold_ucb"]
    assert "My policy" in (made.folder / "results/figures/figure_1.svg").read_text("utf-8")


def test_exactly_its_results_go_stale(made: Project, tmp_path: Path) -> None:
    assert made.stale("figure_1", "figure_4") == set()
    # A comment changes nothing that is played, a formula does.
    project = made.copy(tmp_path / "comment")
    project.append("my_policies.py", "\n# An edit.\n")
    assert project.stale("figure_1", "figure_4") == set()
    for name, old in (("my_policies.py", "arm.mean +"), ("my_helpers.py", "0.5 *")):
        project = made.copy(tmp_path / Path(name).stem)
        text = (project.folder / name).read_text(encoding="utf-8")
        (project.folder / name).write_text(text.replace(old, f"1.5 * {old}"), encoding="utf-8")
        assert project.stale("figure_1", "figure_4") == SETTING_1
    # A constant that it imports.
    project = made.copy(tmp_path / "constant")
    (project.folder / "my_constants.py").write_text("HALF = 5\n", encoding="utf-8")
    assert project.stale("figure_1", "figure_4") == SETTING_1
    project.make("figure_1")
    assert means_of(project)["mine"] != means_of(made)["mine"]
    # Another policy of the same file, under the same id.
    project = made.copy(tmp_path / "other")
    configure(project, "my_policies:other")
    assert project.stale("figure_1", "figure_4") == SETTING_1
    project.make("figure_1")
    assert means_of(project)["mine"] != means_of(made)["mine"]


def test_without_its_file_the_error_is_clear(made: Project, tmp_path: Path) -> None:
    project = made.copy(tmp_path / "project")
    (project.folder / "my_policies.py").unlink()
    for cached in project.folder.rglob("my_policies.*.pyc"):
        cached.unlink()
    (outcome,) = several({"dry": project.dry("figure_1")}, project.kernels).values()
    assert outcome.status == 1
    assert "policies: policy 'my_policies:policy': there is no module 'my_policies'" in outcome.text
    assert "Traceback" not in outcome.text


def test_one_file_and_one_line_add_a_policy(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    # The guide writes the file, and adds its line to the registry.
    write_files("how-to/add-a-policy.md", project.folder)
    taking_part = ["hard_threshold_ucb", "threshold_greedy"]
    settings = ("setting_1", "setting_3", "setting_5")
    project.configure({setting: {"policies": taking_part} for setting in settings})
    figures = [setting.replace("setting", "figure") for setting in settings]
    project.make(*figures)
    assert set(means_of(project)) == set(taking_part)
    for figure in figures:
        drawn = (project.folder / f"results/figures/{figure}.svg").read_text("utf-8")
        assert "Greedy, hard threshold" in drawn
