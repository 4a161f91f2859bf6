"""What a result stands on is found by following imports, and nothing is forgotten."""

import ast
from modulefinder import ModuleFinder
from pathlib import Path
from types import CodeType

import pytest

from config_helpers import ROOT
from penalized_bandits.claims import CLAIMS, TOPICS, claims_of
from penalized_bandits.config import BaseConfig, load_config
from penalized_bandits.experiments.catalogue import EXPERIMENTS, SETTINGS
from penalized_bandits.figures import ALL_FIGURES, EVERY_FIGURE, EXTENDED_FIGURES
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.policies import POLICIES, files_of
from penalized_bandits.workflow import made_with, staleness
from penalized_bandits.workflow.code import (
    ORDER,
    RATINGS,
    code_of,
    comparison_code,
    experiment_code,
    sharp_code,
    topic_code,
)
from penalized_bandits.workflow.staleness import HARMLESS, NAME, PACKAGE, REGISTRIES, relative

EVERY = {relative(path) for path in PACKAGE.rglob("*.py")}
FOR_USERS = ("cli/", "live/")
"""What no result of the workflow stands on."""


def names(paths: set[Path] | frozenset[Path]) -> set[str]:
    return {relative(path) for path in paths}


@pytest.fixture(scope="module")
def config() -> BaseConfig:
    names = ("config", "extended", "sharp")
    return load_config(*(ROOT / f"config/{name}.yaml" for name in names))


def in_bytecode(code: CodeType) -> set[str]:
    """Return what a program imports from the package, by the instructions that do it."""
    found: set[str | None] = set()
    for kind, what in ModuleFinder().scan_opcodes(code):
        if kind == "absolute_import":
            handed_on, module = what
            alone = staleness.file_of(module)
            inside = {staleness.file_of(f"{module}.{name}") or alone for name in handed_on or ()}
            found |= inside or {alone}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= in_bytecode(constant)
    return {file for file in found if file is not None}


def test_imports_are_those_of_the_compiler() -> None:
    for file in sorted(EVERY - {"__init__.py"}):
        source = (PACKAGE / file).read_text(encoding="utf-8")
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                node.body = [ast.copy_location(ast.Pass(), node)]
        assert staleness.imported_by(source) == in_bytecode(compile(tree, file, "exec")), file


def test_names_handed_on_by_the_package() -> None:
    found = staleness.imported_by(
        f"from {NAME} import Gaussian, simulate\nimport {NAME}.common.errors"
    )
    assert found == {"bandit/rewards.py", "engine/simulate.py", "common/errors.py"}


def test_imports_inside_of_functions_and_branches() -> None:
    imports = f"import {NAME}.common.errors"
    for program in (
        f"def f():\n    {imports}",
        f"try:\n    pass\nexcept ValueError:\n    {imports}",
        f"class C:\n    def f(self):\n        with g():\n            {imports}",
        f"match x:\n    case 1:\n        {imports}",
    ):
        assert staleness.imported_by(program) == {"common/errors.py"}, program
    for_types = f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    {imports}"
    assert staleness.imported_by(for_types) == set()


def test_registries_and_what_is_harmless_exist() -> None:
    assert set(REGISTRIES) <= EVERY
    for place in HARMLESS:
        assert (PACKAGE / place).exists(), place


def test_other_packages_hold_no_code() -> None:
    # They are not followed: importing a module runs them too.
    for file in EVERY - set(REGISTRIES):
        if file.endswith("__init__.py") and not file.startswith((*HARMLESS, *FOR_USERS)):
            body = ast.parse((PACKAGE / file).read_text(encoding="utf-8")).body
            assert [type(node) for node in body] in ([ast.Expr], []), file


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_stands_on_its_own_file_and_policies(config: BaseConfig, name: str) -> None:
    code = names(experiment_code(config, name))
    own = {file for file in EVERY if file.endswith((f"paper/{name}.py", f"theory/{name}.py"))}
    others = {f for f in EVERY if f.startswith(("experiments/paper/", "experiments/theory/"))} - own
    assert len(own) == 1
    assert own | {"engine/lanes.py", "engine/streams.py", "bandit/rewards.py"} <= code
    assert not code & others
    section = config.section(name)
    playing = set().union(*(files_of(policy) for policy in section.policies))
    resting = {path for policy in POLICIES for path in files_of(policy)} - playing
    assert names(playing) <= code
    assert not code & names(resting)
    assert ("datasets/movielens.py" in code) == EXPERIMENTS[name].needs_ratings
    assert not code & {"engine/oracle.py", "engine/play.py"}


@pytest.mark.parametrize("figure", [*ALL_FIGURES, *EXTENDED_FIGURES])
def test_a_figure_stands_on_its_own_file(figure: str) -> None:
    code = names(made_with.figure_code(figure))
    assert {f"figures/{figure}.py", "figures/base.py", "figures/style.py", ORDER} <= code
    others = {f"figures/{other}.py" for other in (*ALL_FIGURES, *EXTENDED_FIGURES)} - {
        f"figures/{figure}.py"
    }
    assert not code & others


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_stands_on_its_own_claims(topic: str) -> None:
    code = names(topic_code(topic))
    own = {f"claims/paper/{entry.module}.py" for entry in claims_of(topic)}
    assert own | {"claims/base.py", "claims/evidence.py"} <= code
    assert not code & ({f"claims/paper/{entry.module}.py" for entry in CLAIMS.values()} - own)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_stands_on_what_its_cells_import(name: str) -> None:
    source = (ROOT / NOTEBOOKS[name].path).read_text(encoding="utf-8")
    code = names(made_with.notebook_code(source))
    assert {"notebooks/picture.py", "notebooks/template/page.css", ORDER} <= code
    simulates = "import" in source and "simulate" in source and not NOTEBOOKS[name].reads_results
    assert ({"engine/lanes.py", "policies/lfg.py"} <= code) == simulates


def test_data_beside_the_code() -> None:
    data = {"datasets/manifest.yaml", "datasets/bundled/movielens_1m_counts.csv"}
    assert data <= names(code_of(*RATINGS))
    pages = names(code_of("pages/index.py"))
    templates = {relative(path) for path in (PACKAGE / "pages/templates").iterdir()}
    assert templates <= pages
    assert not pages & data


def test_every_file_of_the_package_is_accounted_for(config: BaseConfig) -> None:
    others = ("index", "article")
    behind = names(code_of(*RATINGS, *(f"pages/{page}.py" for page in others)))
    behind |= names(code_of("experiments/summaries.py"))
    behind |= names(code_of("playground/page.py", "playground/scripts.py"))
    behind |= names(comparison_code() | sharp_code())
    for name in (*EXPERIMENTS, *config.beyond):
        behind |= names(experiment_code(config, name))
    for figure in EVERY_FIGURE:
        behind |= names(made_with.figure_code(figure))
    for notebook in NOTEBOOKS.values():
        behind |= names(made_with.notebook_code((ROOT / notebook.path).read_text("utf-8")))
    alone = {
        "__main__.py": "the command line, which reads results and makes none",
        "engine/contract.py": "what a user holds a policy to",
        "theory/least_penalties.py": "what a user asks the command line for",
        "storage/verify.py": "checksums of results, which have no origin of their own",
    }
    packages = {file for file in EVERY if file.endswith("__init__.py")}
    left = EVERY - behind - set(REGISTRIES) - set(alone) - packages
    assert {file for file in left if not file.startswith((*HARMLESS, *FOR_USERS))} == set()
    assert not behind & set(alone)


def test_hashes_name_files_within_the_package(tmp_path: Path) -> None:
    # Else a project that was moved would be stale as a whole.
    first, second = tmp_path / "a/own.py", tmp_path / "b/own.py"
    for path in (first, second):
        path.parent.mkdir()
        path.write_text("x = 1\n", encoding="utf-8")
    assert staleness.digest([first]) == staleness.digest([second])
    assert staleness.digest([first]) != staleness.digest([PACKAGE / "common/errors.py"])


def test_files_of_a_policy() -> None:
    def files(policy: str) -> set[str]:
        return names(files_of(policy))

    # Where it is defined, where its formulas are, and what those call.
    assert files("ucb1") == {"policies/ucb1.py", "policies/base.py"}
    assert files("lfg_original") == {"policies/lfg.py", "policies/base.py"}
    assert {"policies/kl_ucb.py", "policies/kl.py"} <= files("kl_hard_threshold")
    both = {"policies/hard_threshold_sigma.py", "policies/hard_threshold_ucb.py"}
    assert both <= files("hard_threshold_sigma")
    assert {"policies/strict_rate_ucb.py", "policies/ucb1.py"} <= files("strict_rate_ucb")


def test_settings_are_experiments() -> None:
    assert set(SETTINGS) < set(EXPERIMENTS)
