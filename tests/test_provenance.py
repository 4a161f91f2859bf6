"""No result stands on a file that the workflow does not watch.

The imports of each script are followed through the package, and every file met must be
an input of the rule or be named here, with the reason why it cannot matter.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from penalized_bandits import provenance
from penalized_bandits.claims import CLAIMS, TOPICS, claims_of
from penalized_bandits.config import BaseConfig, load_config
from penalized_bandits.extensions import EXTENSIONS
from penalized_bandits.extensions.claims import EXTENDED_CLAIMS
from penalized_bandits.figures import ALL_FIGURES, EXTENDED_FIGURES
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.policies import POLICIES, files_of
from penalized_bandits.settings import SETTINGS
from penalized_bandits.studies import EXPERIMENTS, STUDIES

ROOT = Path(__file__).parent.parent
NAME = "penalized_bandits"
PACKAGE = ROOT / "src" / NAME
SCRIPTS = ROOT / "workflow/scripts"

REGISTRIES = {
    # Names of what there is; what is in them is watched one by one.
    "__init__.py": "names imported at first use",
    "datasets/__init__.py": "holds no code",
    "figures/__init__.py": "which figure, which setting: the rules' own inputs",
    "settings/__init__.py": "which settings there are",
    "studies/__init__.py": "which studies there are",
    "claims/__init__.py": "which claims there are: the rules' own inputs",
    "policies/__init__.py": "which policies there are",
    "notebooks/__init__.py": "which notebooks there are: the rules' own inputs",
    "catalogue.py": "which experiments there are",
    "extensions/__init__.py": "which experiments there are beyond the paper",
    "extensions/claims/__init__.py": "which claims there are beyond the paper",
}
CONFIGURATION = {
    "config.py": "what comes out of it is a param of the rule",
    "config_files.py": "likewise",
    "config_errors.py": "what is said of a config that is not taken",
    "settings/base.py": "likewise, where no case is made",
}


@cache
def module_file(name: str) -> str | None:
    """Return the file of a module, relative to the package; None outside of it."""
    path = ROOT / "src" / name.replace(".", "/")
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file.relative_to(PACKAGE).as_posix()
    return None


def _only_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk a tree, functions included, blocks for type checkers left out."""
    for node in ast.iter_child_nodes(tree):
        if _only_for_types(node):
            continue
        yield node
        yield from _nodes(node)


def imported_by(path: Path) -> set[str]:
    """Return the package's files that a file imports itself."""
    names: set[str] = set()
    for node in _nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import is not followed here"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
            names.add(str(node.module))
    # Importing a.b.c runs a and a.b as well.
    names = {n.rsplit(".", up)[0] for n in names for up in range(n.count(".") + 1)}
    names = {n for n in names if n == NAME or n.startswith(f"{NAME}.")}
    return {file for file in map(module_file, names) if file is not None}


def reached(start: Path, *more: str, passing: set[str]) -> set[str]:
    """Return the files reached from a script, without going through those passed by."""
    found: set[str] = set()
    waiting = imported_by(start) | set(more)
    while waiting:
        file = waiting.pop()
        if file not in found | passing:
            found.add(file)
            waiting |= imported_by(PACKAGE / file)
    return found


def listed(files: list[str]) -> set[str]:
    """Return files of provenance.py relative to the package."""
    return {(Path.cwd() / f).resolve().relative_to(PACKAGE.resolve()).as_posix() for f in files}


def is_harmless(file: str) -> bool:
    return Path(file).name in provenance.HARMLESS


@pytest.fixture(scope="module")
def config() -> BaseConfig:
    return load_config(ROOT / "config/config.yaml")


@pytest.fixture(scope="module")
def extended() -> BaseConfig:
    return load_config(ROOT / "config/config.yaml", ROOT / "config/extended.yaml")


def policy_files(policies: list[str]) -> set[str]:
    return {path.relative_to(PACKAGE).as_posix() for p in policies for path in files_of(p)}


NO_FORMULAS = {
    "contract": "what a user holds a policy to",
    "imported": "which policies are a user's own: their files are watched, their names params",
}
EVERY_POLICY = {f"policies/{p.name}" for p in (PACKAGE / "policies").glob("[!_]*.py")}
ANY_POLICY = {"policies/base.py", "policies/seen.py"}
EVERY_POLICY -= ANY_POLICY
EVERY_EXPERIMENT = {f"settings/{name}.py" for name in SETTINGS}
EVERY_EXPERIMENT |= {f"studies/{name}.py" for name in STUDIES}


def file_of(experiment: str) -> str:
    """Return the file of a setting or a study."""
    return f"{'studies' if experiment in STUDIES else 'settings'}/{experiment}.py"


@pytest.mark.parametrize("setting", EXPERIMENTS)
def test_simulation(config: BaseConfig, setting: str) -> None:
    section = config.section(setting)
    others = EVERY_EXPERIMENT - {file_of(setting)}
    others |= EVERY_POLICY - policy_files(section.policies)
    watched = listed(provenance.simulation_code(EXPERIMENTS[setting], section))
    needed = reached(SCRIPTS / "simulate_group.py", passing=others | set(REGISTRIES))
    # Registries are passed by, so the setting and its policies are asked for by name.
    needed |= reached(
        SCRIPTS / "simulate_group.py",
        file_of(setting),
        *policy_files(section.policies),
        passing=others | set(REGISTRIES),
    )
    assert {file_of(setting), "engine/lanes.py", "streams.py"} <= needed
    assert policy_files(section.policies) <= needed
    # The oracle plays policies of a user's own alone (test_workflow_own_policy.py).
    needed.discard("oracle.py")
    assert {f for f in needed - watched if not is_harmless(f)} == set()
    # And no more: an edit elsewhere must not make a setting stale.
    assert not watched & others
    assert watched - needed <= {"engine/__init__.py"}


EVERY_EXTENSION = {
    f"extensions/{name}.py" for name in EXTENSIONS if (PACKAGE / f"extensions/{name}.py").is_file()
}


@pytest.mark.parametrize("name", EXTENSIONS)
def test_simulation_beyond_the_paper(extended: BaseConfig, name: str) -> None:
    section, wanted = extended.section(name), EXTENSIONS[name]
    own = {f"extensions/{name.removesuffix('_kl')}.py"}
    # Settings 3 and 5 again, with more policies: their cases are made there.
    again = {"extended_3": "settings/setting_3.py", "extended_5": "settings/setting_5.py"}
    own |= {again[name]} if name in again else set()
    others = EVERY_EXPERIMENT | EVERY_EXTENSION - own
    others |= EVERY_POLICY - policy_files(section.policies)
    others -= {"settings/setting_3.py", "settings/setting_5.py"}
    watched = listed(provenance.simulation_code(wanted, section))
    needed = reached(
        SCRIPTS / "simulate_group.py",
        *own,
        *policy_files(section.policies),
        passing=others | set(REGISTRIES),
    )
    needed.discard("oracle.py")
    assert {f for f in needed - watched if not is_harmless(f)} <= own & (
        {"extensions/extended_3.py", "extensions/extended_5.py"}
    )
    assert not watched & (EVERY_EXTENSION - own)


def test_comparison_beyond_the_paper() -> None:
    modules = {f"extensions/claims/{e.module}.py" for e in EXTENDED_CLAIMS.values()}
    watched = listed(provenance.extended_code())
    passing = NOT_CLAIMS | WRITING | EVERY_EXTENSION | set(REGISTRIES) | {"settings/movies.py"}
    needed = reached(SCRIPTS / "compare_policies.py", *modules, passing=passing)
    assert modules | {"extensions/comparison.py", "extensions/lower_bound.py"} <= needed
    assert {f for f in needed - watched if not is_harmless(f)} == set()


@pytest.mark.parametrize("figure", EXTENDED_FIGURES)
def test_figures_beyond_the_paper(figure: str) -> None:
    watched = listed(provenance.figure_code(EXTENDED_FIGURES[figure]))
    tables = {"frontier.py", "regret.py", "replicates.py"} | EVERY_POLICY | ANY_POLICY
    registries = set(REGISTRIES) - {"policies/__init__.py"}
    needed = reached(
        SCRIPTS / "draw_figure.py", f"figures/{figure}.py", passing=tables | registries
    )
    assert {f for f in needed - watched if not is_harmless(f)} == set()


@pytest.mark.parametrize("script", ["summarize_setting.py", "trace_frontier.py"])
def test_summaries(script: str) -> None:
    watched = listed(provenance.summary_code())
    needed = reached(SCRIPTS / script, passing=set(REGISTRIES))
    assert "regret.py" in needed
    assert {f for f in needed - watched if not is_harmless(f)} == set()
    assert watched <= needed


@pytest.mark.parametrize("figure", ALL_FIGURES)
def test_figures(figure: str) -> None:
    # A figure reads tables; what made them is watched where they are made.  Labels of
    # policies are in files that its summary stands on.
    tables = {"frontier.py", "regret.py", "replicates.py"} | EVERY_POLICY | ANY_POLICY
    # The order of policies there decides their colours and markers.
    registries = set(REGISTRIES) - {"policies/__init__.py"}
    # A figure that shows bounds computes them itself.
    tables -= set(ALL_FIGURES[figure].code)
    watched = listed(provenance.figure_code(ALL_FIGURES[figure]))
    needed = reached(
        SCRIPTS / "draw_figure.py", f"figures/{figure}.py", passing=tables | registries
    )
    assert {"figures/base.py", "figures/style.py"} <= needed
    assert {f for f in needed - watched if not is_harmless(f)} == set()
    assert watched <= needed
    others = {f"figures/{other}.py" for other in ALL_FIGURES if other != figure}
    assert not watched & others


# What claims never call: making cases is the simulation's business.
NOT_CLAIMS = {*EVERY_EXPERIMENT, *EVERY_POLICY, *ANY_POLICY, "settings/base.py"}
# Only written with: a table comes out as it was put in.
WRITING = {"summaries.py"}


@pytest.mark.parametrize("topic", TOPICS)
def test_claims(topic: str) -> None:
    modules = {f"claims/{entry.module}.py" for entry in claims_of(topic)}
    others = {f"claims/{entry.module}.py" for entry in CLAIMS.values()} - modules
    watched = listed(provenance.claim_code(topic))
    needed = reached(
        SCRIPTS / "check_claims.py", *modules, passing=NOT_CLAIMS | others | set(REGISTRIES)
    )
    assert modules | {"claims/base.py", "claims/evidence.py", "regret.py"} <= needed
    missing = {f for f in needed - watched if not is_harmless(f)}
    assert missing == set()
    assert not watched & others


def test_sensitivity() -> None:
    modules = {f"claims/{entry.module}.py" for entry in CLAIMS.values()}
    watched = listed(provenance.sensitivity_code())
    known = NOT_CLAIMS | WRITING | set(REGISTRIES)
    needed = reached(SCRIPTS / "check_readings.py", *modules, passing=known)
    assert modules | {"claims/sensitivity.py", "claims/switches.py"} <= needed
    assert {f for f in needed - watched if not is_harmless(f)} == set()


@pytest.mark.parametrize("script", ["write_ledger.py", "write_claim.py"])
def test_ledger(script: str) -> None:
    # The rows are an input: what decided them is watched where they are made.
    made = {*NOT_CLAIMS, "claims/evidence.py", "replicates.py", "regret.py"}
    made |= {"theory/__init__.py", "theory/statistics.py"}
    watched = listed(provenance.ledger_code())
    needed = reached(SCRIPTS / script, passing=made | WRITING | set(REGISTRIES))
    assert "claims/ledger.py" in needed
    assert {f for f in needed - watched if not is_harmless(f)} == set()


def test_ratings() -> None:
    watched = listed(provenance.ratings_code())
    # The section of the config is a param; its model brings all settings along.
    known = set(REGISTRIES) | set(CONFIGURATION) | EVERY_EXPERIMENT | EVERY_POLICY
    needed = reached(SCRIPTS / "get_ratings.py", passing=known)
    assert {"datasets/movielens.py", "datasets/ratings_table.py", "datasets/counts.py"} <= needed
    assert {f for f in needed - watched if not is_harmless(f)} == set()
    data = {p.relative_to(PACKAGE).as_posix() for p in (PACKAGE / "datasets").rglob("*.[cy]*")}
    assert {f for f in data if f.endswith((".csv", ".yaml"))} <= watched


def test_every_file_of_the_package_is_accounted_for(
    config: BaseConfig, extended: BaseConfig
) -> None:
    watched = listed(provenance.ratings_code()) | listed(provenance.summary_code())
    watched |= listed(provenance.extended_code())
    for name in EXTENSIONS:
        watched |= listed(provenance.simulation_code(EXTENSIONS[name], extended.section(name)))
    for figure in (*ALL_FIGURES.values(), *EXTENDED_FIGURES.values()):
        watched |= listed(provenance.figure_code(figure))
    for topic in TOPICS:
        watched |= listed(provenance.claim_code(topic))
    watched |= listed(provenance.ledger_code()) | listed(provenance.sensitivity_code())
    for name, setting in EXPERIMENTS.items():
        watched |= listed(provenance.simulation_code(setting, config.section(name)))
    for notebook in NOTEBOOKS.values():
        watched |= listed(provenance.notebook_code(notebook))
    watched |= listed(provenance.page_code()) | listed(provenance.checksum_code())
    unused = {
        "provenance.py": "which files are watched: the rules' own inputs",
        "identity.py": "hashes of what is watched: the rules' own params",
        **dict.fromkeys(("plan.py", "costs.py"), "what jobs ask of a cluster"),
        "figures/tables.py": "which tables a figure is drawn from: the rules' own inputs",
        "comparison.py": "behind the command line alone",
        "__main__.py": "the command line, which reads results and makes none",
    }
    unused |= {f"policies/{name}.py": reason for name, reason in NO_FORMULAS.items()}
    unused |= {f"cli/{path.name}": "likewise" for path in (PACKAGE / "cli").glob("*.py")}
    known = {**REGISTRIES, **CONFIGURATION, **unused}
    every = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")}
    assert {f for f in every - watched - set(known) if not is_harmless(f)} == set()
    assert set(known) <= every
    assert {Path(file).name for file in every} >= provenance.HARMLESS


def test_files_are_named_relative_to_the_working_folder(
    config: BaseConfig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Else a project that was moved would be stale as a whole.
    monkeypatch.chdir(ROOT)
    setting = SETTINGS["setting_1"]
    files = provenance.simulation_code(setting, config.section("setting_1"))
    assert f"src/{NAME}/policies/lfg.py" in files
    assert not any(Path(file).is_absolute() for file in files)
    monkeypatch.chdir(tmp_path)
    assert all(Path(file).is_absolute() for file in provenance.summary_code())


def test_files_of_a_policy() -> None:
    # Where it is defined, where its formulas are, and what those call.
    assert policy_files(["ucb1"]) == {"policies/ucb1.py", "policies/base.py"}
    assert policy_files(["lfg_original"]) == {"policies/lfg.py", "policies/base.py"}
    assert {"policies/kl_ucb.py", "policies/kl.py"} <= policy_files(["kl_hard_threshold"])
    assert {"policies/hard_threshold_sigma.py", "policies/hard_threshold_ucb.py"} <= policy_files(
        ["hard_threshold_sigma"]
    )
    assert {"policies/strict_rate_ucb.py", "policies/ucb1.py"} <= policy_files(["strict_rate_ucb"])
    assert policy_files(list(POLICIES)) == EVERY_POLICY - {
        f"policies/{name}.py" for name in NO_FORMULAS
    } | {"policies/base.py"}


def test_what_is_called_harmless() -> None:
    # A longer list would hide a forgotten file from the tests above.
    assert set(provenance.HARMLESS) == {
        "checks.py",
        "errors.py",
        "files.py",
        "logs.py",
        "origins.py",
        "progress.py",
        "runs.py",
        "startup.py",
        "typing.py",
    }
