"""The sets of the research: scenarios beside those of the replication; schemas of their keys."""

import pytest
import yaml

import config_schema
from config_helpers import CONFIG, PAPER, ROOT
from penalized_bandits.policies import POLICIES
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import ADDED
from penalized_replication.workflow.paths import Files
from penalized_research.figures import SHARP
from scenario_checks import check_meanings, check_params, check_schema, check_valid
from tiny_sections import HOME, NAME

SETS = yaml.safe_load((HOME / "scenarios.yaml").read_text(encoding="utf-8"))
NAMES = [name for overlays in SETS.values() for name in overlays if name != "together"]


@pytest.fixture(name="published", scope="module")
def published_fixture() -> Scenarios:
    return Scenarios(PAPER, ROOT / "config/scenarios.yaml")


def test_they_follow_those_of_the_replication(published: Scenarios) -> None:
    assert [*published.sets] == ["readings", "seeds", "design", *SETS]
    assert published.together == ["confirm"]


@pytest.mark.parametrize("name", ["extended", "sharp"])
def test_jobs_are_given_every_key_of_a_section(published: Scenarios, name: str) -> None:
    check_params(published, f"scenarios/{name}/")


@pytest.mark.parametrize("name", NAMES)
def test_scenarios_are_valid_and_change_something(published: Scenarios, name: str) -> None:
    check_valid(published, name)


def test_all_experiments_are_those_of_the_scenarios(published: Scenarios) -> None:
    files = Files(published)
    added = [x for name in ("extended", "sharp") for x in files.runs.changed(f"scenarios/{name}/")]
    assert sorted(added) == sorted(ADDED)
    homes = {"figure_3": "", "long_runs": "scenarios/extended/", "minimax": "scenarios/sharp/"}
    homes |= {figure.id: "scenarios/sharp/" for figure in SHARP}
    assert {name: files.home(name) for name in homes} == homes


def test_seeds_of_the_confirmation_are_new(published: Scenarios) -> None:
    folders = [folder for name in ("seeds", "confirm") for folder in published.folders(name)]
    assert len({CONFIG.seed, *(published.config(f).seed for f in folders)}) == 1 + len(folders)


def test_the_comparison_is_of_every_policy(published: Scenarios) -> None:
    config = published.config("scenarios/extended/")
    # lfg_original is a reading of lfg (R13), no policy of its own.
    for name in ("extended_1", "extended_regret"):
        assert set(config.section(name).policies) == POLICIES.keys() - {"lfg_original"}


def test_schemas_and_tables_are_made_of_the_models() -> None:
    folder = ROOT / "research/config"
    for name, text in config_schema.files(folder, NAME).items():
        remedy = "uv run python tools/config_schema.py penalized_research research/config"
        assert (folder / name).read_text(encoding="utf-8") == text, remedy
    schemas = config_schema.schemas(NAME)
    check_meanings(schemas)
    check_schema(schemas, HOME / "scenarios.yaml")
