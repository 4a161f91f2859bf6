"""The config of the research: sections, on which nothing else depends, and sets of scenarios."""

from typing import Any

import pytest
import yaml

import config_schema
from config_helpers import CONFIG, PAPER, ROOT
from penalized_bandits.policies import POLICIES
from penalized_replication.common.errors import ConfigError
from penalized_replication.config.model import parse_config
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.datasets.counts import BUNDLED_COUNTS
from penalized_replication.experiments.base import Context, Interpretations
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.workflow.paths import Files
from penalized_replication.workflow.runs import Run
from penalized_research.figures import SHARP
from programs import printed_by
from scenario_checks import check_cases, check_meanings, check_params, check_schema, check_valid
from tiny_sections import BANDIT, FULL, HOME, NAME, ONE, RATED, SOFT, TINY, TINY_EXTENDED

OWN = {"stairs", "renewed_floors"}
CONTEXT = Context(1, Interpretations(), 0, 4, str(BUNDLED_COUNTS))


def instance(**values: Any) -> dict[str, Any]:
    """Return the keys of a section with one instance, whose own keys are changed."""
    return {"instances": {"one": {**BANDIT, **values}}}


def changed(name: str, **values: Any) -> dict[str, Any]:
    """Return the config with the small sections of one scenario, keys of one of them changed."""
    return {**PAPER, **TINY, name: {**TINY[name], **values}}


IMPORTED = """
import sys
from pathlib import Path
from penalized_replication.config.model import parse_config
from penalized_replication.config.files import read
config = read(Path("config/config.yaml"))
parse_config(config)
print([name for name in sys.modules if "penalized_research" in name])
parse_config({**config, "extensions": ["penalized_research"]})
heavy = {"numba", "pandas", "matplotlib", "seaborn", "scipy", "pyarrow", "snakemake"}
print(sorted(heavy & sys.modules.keys()))
"""


def test_the_default_imports_nothing_of_them_and_lists_are_read_without_heavy_packages() -> None:
    assert printed_by(IMPORTED, cwd=ROOT) == "[]\n[]\n"


def same(name: str, *configs: dict[str, Any]) -> bool:
    """Whether two configs make the same replicates of an experiment."""
    one, other = (Run(parse_config(config), name).made_from for config in configs)
    return one == other


def test_each_has_params_of_its_own_and_none_of_the_papers_depends_on_them() -> None:
    papers = parse_config(PAPER).experiments
    assert sorted(EXPERIMENTS) == sorted([*papers, *TINY])
    ours, other = (changed("heavy_tails", replicates=n) for n in (6, 7))
    for name in papers:
        assert same(name, PAPER, ours), name
    for name in TINY_EXTENDED:
        assert same(name, ours, other) is (name != "heavy_tails"), name


# Fractions of minimax and of stairs may take every pull; renewed_floors has rivals of its own.
@pytest.mark.parametrize("name", sorted({x for x in TINY if x[:7] != "minimax"} - OWN))
def test_every_case_is_a_bandit_with_a_label_of_its_own(name: str) -> None:
    check_cases(parse_config(changed(name)), name, CONTEXT)


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("heavy_tails", {"tails": [1.0]}, "heavy_tails.tails, value 1: .*greater than 1"),
        ("heavy_tails", {"policies": ["ucb_sigma"]}, "heavy_tails: .*ucb_sigma needs sigma"),
        ("extended_3", {"policies": ["lfg"]}, "extended_3.policies must have hard_threshold_ucb"),
        ("shrinking_fairness", {"powers": [1.5]}, "shrinking_fairness.powers, value 1"),
        ("extended_1", {"replicates": 1}, "extended_1.replicates must be at least 2"),
        ("heavy_tails", {"arms": [5, 1]}, "heavy_tails.arms must be at least 2 each"),
        ("many_arms", {"m0": []}, "many_arms.m0: .*at least 1 item"),
        ("long_runs", {"cases": {"one": {**ONE, "penalties": [1.0]}}}, "2 means but 1 penalties"),
        ("sharp_short", instance(penalties=[1.0]), "sharp_short.instances.one: 3 means but 1 pen"),
        ("sharp_short", instance(copies=[1, 2]), "instances.one: 3 means but 2 copies"),
        ("sharp_short", instance(copies=[1, 2, 3]), "instances.one: fairness fractions sum to 1.2"),
        ("sharp_ratings", {"instances": {"one": {**RATED, "ratings": [[1, 2], [0, 0], [3, 1]]}}},
         "each arm must have as many counts, one of them above 0"),
        ("stairs", {"instances": {"one": {**FULL, "ceilings": [0.5, 0.5]}}},
         "instances.one: ceilings and excess_penalties must be given together"),
        ("stairs", {"instances": {"one": {**SOFT, "excess_penalties": ["hard"] * 3}}},
         "instances.one: ceilings are hard caps .* that sum to 0.9"),
    ],
)  # fmt: skip
def test_errors_name_the_key(name: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_config(changed(name, **values))


# --- The sets, beside those of the replication; schemas of their keys ---------------

SETS = yaml.safe_load((HOME / "scenarios.yaml").read_text(encoding="utf-8"))
NAMES = [name for overlays in SETS.values() for name in overlays if name != "together"]


@pytest.fixture(name="published", scope="module")
def published_fixture() -> Scenarios:
    return Scenarios(PAPER, ROOT / "config/scenarios.yaml")


def test_they_follow_those_of_the_replication(published: Scenarios) -> None:
    assert [*published.sets] == ["interpretations", "seeds", "design", *SETS]
    assert published.together == ["confirm"]


@pytest.mark.parametrize("name", ["extended", "sharp", "ceilings", "changing"])
def test_jobs_are_given_every_key_of_a_section(published: Scenarios, name: str) -> None:
    check_params(published, f"scenarios/{name}/")


@pytest.mark.parametrize("name", NAMES)
def test_scenarios_are_valid_and_change_something(published: Scenarios, name: str) -> None:
    check_valid(published, name)


def test_all_experiments_are_those_of_the_scenarios(published: Scenarios) -> None:
    files = Files(published)
    names = ("extended", "sharp", "ceilings", "changing")
    added = [x for name in names for x in files.runs.changed(f"scenarios/{name}/")]
    assert sorted(added) == sorted(TINY)
    homes = {"figure_3": "", "long_runs": "scenarios/extended/", "minimax": "scenarios/sharp/"}
    homes |= {figure.id: "scenarios/sharp/" for figure in SHARP}
    homes |= {"stairs": "scenarios/ceilings/", "renewed_floors": "scenarios/changing/"}
    assert {name: files.home(name) for name in homes} == homes


def test_seeds_of_scenarios_and_the_confirmation_differ(published: Scenarios) -> None:
    folders = [folder for name in ("seeds", "confirm") for folder in published.folders(name)]
    assert len({CONFIG.seed, *(published.config(f).seed for f in folders)}) == 1 + len(folders)


def test_the_comparison_is_of_every_policy(published: Scenarios) -> None:
    config = published.config("scenarios/extended/")
    # lfg_original is an interpretation of lfg (R13), no policy of its own; means that change are
    # no matter of these bandits.
    others = {"lfg_original", "forgetting_threshold"}
    for name in ("extended_1", "extended_regret"):
        assert set(config.section(name).policies) == POLICIES.keys() - others


def test_schemas_and_tables_are_made_of_the_models() -> None:
    folder = ROOT / "research/config"
    for name, text in config_schema.files(folder, NAME).items():
        remedy = "uv run python tools/config_schema.py penalized_research research/config"
        assert (folder / name).read_text(encoding="utf-8") == text, remedy
    schemas = config_schema.schemas(NAME)
    check_meanings(schemas)
    check_schema(schemas, HOME / "scenarios.yaml")
