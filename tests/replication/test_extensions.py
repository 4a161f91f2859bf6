"""Extensions: what a package adds to the lists, what is refused by name, what nothing else sees."""

import sys
from collections.abc import Iterable, Iterator
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from config_helpers import PAPER, ROOT
from docs_pages import write_files
from extension_helpers import loaded
from penalized_bandits.policies import POLICIES
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.results import ClaimResult, decide
from penalized_replication.claims.table.preregistration import dates_of
from penalized_replication.claims.table.render import described
from penalized_replication.common.errors import ClaimError, ConfigError
from penalized_replication.config.model import BaseConfig, parse_config, with_sections
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments import catalogue
from penalized_replication.extensions import HOMES
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.workflow import code
from penalized_replication.workflow.runs import Runs
from rule_helpers import below
from smoke_run import EXPERIMENTS, PAPERS

GUIDE = "how-to/own-extension.md"
SECTION = {"replicates": 2, "policies": ["mine", "ucb1"], "arms": [3], "fairness": 0.5}
SECTION |= {"horizons": [10, 20]}
MORE = {
    "policies/__init__.py": "",
    "policies/mine.py": """
from dataclasses import replace
from penalized_bandits.policies import POLICIES
POLICY = replace(POLICIES["ucb1"], id="mine")
""",
    "figures/captions/regret_by_arms.md.j2": "A caption.",
    "claims/notes/b01.md.j2": "{% block note %}A note on {{ result.id }}.{% endblock %}",
    "scenarios.yaml": "many: {more_arms: {seventh: {arms: [9]}}}",
}
NUMBERS = count()


@pytest.fixture(name="home")
def home_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Write the guide's package with the rest, by a name of its own; undo what it adds."""
    write_files(GUIDE, tmp_path)
    made = tmp_path / "study/beta_arms"
    home = made.rename(made.with_name(f"extension_{next(NUMBERS)}"))
    for path, text in MORE.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
    monkeypatch.chdir(home.parent)
    monkeypatch.setattr(sys, "path", [*sys.path])
    with loaded():
        yield home
    # Another package may have a section of this name.
    with_sections.cache_clear()


def values_with(home: Path, **more: Any) -> dict[str, Any]:
    return {**PAPER, "extensions": [home.name], **more}


def parsed(home: Path) -> BaseConfig:
    return parse_config(values_with(home, seventh=SECTION))


def test_a_package_adds_to_every_list(home: Path) -> None:
    config = parsed(home)
    assert config.experiments == [*EXPERIMENTS, "seventh"] == [*catalogue.EXPERIMENTS]
    assert config.section("seventh").arms == [3]
    assert (HOMES[home.name], catalogue.EXPERIMENTS["seventh"].package) == (home, home.name)
    assert [*CLAIMS] == sorted([*PAPERS, "B01"])
    assert (CLAIMS["B01"].package, CLAIMS["B01"].topic) == (home.name, "seventh")
    assert EVERY_FIGURE["regret_by_arms"].package == home.name
    assert "mine" in POLICIES
    result = described(decide(ClaimResult("B01", (below((1.0, 0.5, 1.5), 2.0),))))
    assert (result.note, result.asked_by) == ("A note on B01.", "us")
    assert dates_of("B01") == ("2026-11-30", "")
    # Once.
    assert parsed(home) == config


def code_of(values: dict[str, Any], script: str, **plugins: Iterable[str]) -> list[Path]:
    made = code.Code(Scenarios(values), ROOT / "workflow")
    made.plugins[script] = {kind: itemgetter(kind) for kind in plugins}
    return made.behind(script, plugins)


def test_nothing_of_the_papers_depends_on_it(home: Path) -> None:
    def params(values: dict[str, Any]) -> dict[str, Any]:
        made = Runs(Scenarios(values)).params(lambda _: [*EXPERIMENTS])
        return {name: value({}) for name, value in made.items()}

    def files() -> list[list[Path]]:
        for each in vars(code).values():
            getattr(each, "cache_clear", lambda: None)()
        every = code_of(PAPER, "*", claims=PAPERS, experiments=EXPERIMENTS)
        return [every, code_of(PAPER, "simulate", experiments=["setting_4"])]

    before, general, behind = params(PAPER), parse_config(PAPER).general, files()
    after = params(values_with(home))
    assert {name: after[name] for name in before} == before
    assert not any(after[name] for name in after.keys() - before.keys())
    assert parse_config(values_with(home)).general == general
    assert files() == behind
    assert parsed(home).general == general | {"extensions": [home.name]}


CLAIM = ("claims/seventh.py",)
FILES = {
    ("simulate", "experiments", "seventh"): ("experiments/seventh.py", "policies/mine.py"),
    ("measure_claims", "claims", "B01"): CLAIM,
    ("decide_claims", "claims", "B01"): (
        *CLAIM,
        "claims/claims.yaml",
        "claims/rules.csv",
        "claims/notes/b01.md.j2",
    ),
    ("draw_figure", "figures", "regret_by_arms"): (
        *("figures/regret_by_arms.py", "figures/captions/regret_by_arms.md.j2"),
    ),
}
"""Those of the package behind a script and a plug-in."""


@pytest.mark.parametrize("place", FILES)
def test_code_of_its_plugins_is_found(home: Path, place: tuple[str, str, str]) -> None:
    script, kind, plugin = place
    found = code_of(values_with(home, seventh=SECTION), script, **{kind: [plugin]})
    assert {path for path in found if path.is_relative_to(home)} == {home / f for f in FILES[place]}
    assert code.PACKAGE / "extensions.py" in found


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("experiments/seventh.py", "def seventh", "def setting_1", "experiment setting_1 is there"),
        ("experiments/seventh.py", "def seventh", "def pages", "experiment pages is there already"),
        ("claims/claims.yaml", "B01", "C01", "claim C01 is there already: choose another id"),
        ("claims/claims.yaml", "ours", "our", "yaml, B01: unknown key 'our': keys of a claim "),
        ("figures/__init__.py", "regret_by_arms", "figure_1", "figure figure_1 is there already"),
        ("policies/mine.py", '"mine"', '"lfg"', "policy lfg is there already"),
        ("policies/mine.py", "\nPOLICY", "\nimport no_such\nPOLICY", "needs 'no_such'"),
        ("experiments/seventh.py", "\nclass", "\n1 / 0\nclass", "failed: ZeroDivisionError: div"),
        ("__init__.py", '"""', "(", "failed: SyntaxError: "),
    ],
)
def test_what_is_refused(home: Path, file: str, old: str, new: str, said: str) -> None:
    text = (home / file).read_text(encoding="utf-8")
    assert old in text
    (home / file).write_text(text.replace(old, new, 1 if "\n" in old else -1), encoding="utf-8")
    with pytest.raises(ConfigError, match=f"^extensions: (importing )?{home.name}:? .*{said}"):
        parsed(home)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (["nowhere"], "there is no package 'nowhere'; it must lie in the folder"),
        (["nowhere.inner"], "nowhere.inner needs 'nowhere'"),
        ("nowhere", "valid list"),
    ],
)
def test_no_package(home: Path, value: object, said: str) -> None:
    with pytest.raises(ConfigError, match=f"extensions.*{said}"):
        parse_config({**PAPER, "extensions": value})


def test_a_claim_by_a_rule_that_is_not_registered_is_refused(home: Path) -> None:
    register = home / "claims/rules.csv"
    text = register.read_text(encoding="utf-8")
    digest = text.splitlines()[1].split(",")[2]
    register.write_text(text.replace(digest, ""), encoding="utf-8")
    parsed(home)
    line = rf"{register} lacks the rule .*: commit the line B01,[\d-]+,{digest}, before"
    with pytest.raises(ClaimError, match=line):
        described(ClaimResult("B01"))


def test_a_set_of_the_run_takes_the_place_of_an_extensions(home: Path, tmp_path: Path) -> None:
    values = values_with(home, seventh=SECTION)
    every = Scenarios(values, default=ROOT / "config/scenarios.yaml")
    assert [*every.sets] == ["interpretations", "seeds", "design", "many"]
    assert every.config("scenarios/more_arms/").section("seventh").arms == [9]
    (own := tmp_path / "own.yaml").write_text("many: {mine: {seed: 3}}", encoding="utf-8")
    assert Scenarios(values, own).folders("many") == ["scenarios/mine/"]
    # Among those that come with packages each name is there once.
    with pytest.raises(ConfigError, match=r"scenarios.yaml, many: there is another set of this"):
        Scenarios(values, default=own)
