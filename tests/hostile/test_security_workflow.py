"""The workflow with hostile names and files: they work, or are refused, and nothing is run."""

import json
import sys
from pathlib import Path

import pytest

from workflow_helpers import (
    Outcome,
    Project,
    forked,
    fresh_fixture,  # noqa: F401
)

pytestmark = pytest.mark.slow

FOLDER = 'it\'s a "project"; $(touch RAN) {setting}\n & > RAN'
"""A name that a shell, or Snakemake, would take for something else."""
TABLE = "my 'own' \"ratings\"; touch RAN $(touch RAN) & | > RAN * ? ~ # %s <img src=x>.csv"
REPLICATES = "results/replicates/setting_4/all.1of1.parquet"


@pytest.fixture(scope="module", name="ran")
def ran_fixture(
    fresh: Project, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Project, Outcome]:
    """Count ratings and simulate a setting, in a folder and of a file with hostile names.

    The environment lies in the folder, as uv makes it.
    """
    project = fresh.copy(tmp_path_factory.mktemp("hostile") / FOLDER)
    rows = [f"{user},{film},{1 + (user * film) % 5}" for user in range(9) for film in range(4)]
    (project.folder / TABLE).write_text("\n".join(["who,film{x},stars", *rows]) + "\n", "utf-8")
    table = {"path": TABLE, "user": "who", "item": "film{x}", "rating": "stars"}
    changes = {"movielens": {"source": "table", "table": table}, "setting_3": {"m0": [8]}}
    project.configure({**changes, "movie_crossover": {"m0": [8]}}, "hostile; touch RAN.yaml")
    config = "hostile; touch RAN.yaml"
    (project.folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    python = project.folder / ".venv" / Path(sys.executable).relative_to(sys.prefix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        return project, project.run("movielens", REPLICATES, config=config)


@pytest.mark.sample
def test_names_that_a_shell_would_act_on(ran: tuple[Project, Outcome]) -> None:
    project, outcome = ran
    assert outcome.status == 0, outcome.text
    assert (project.folder / REPLICATES).is_file()
    origin = json.loads((project.folder / "results/movielens/provenance.json").read_text("utf-8"))
    assert (origin["dataset"], origin["n_ratings_total"]) == (TABLE, 36)


def test_no_shell_acted_on_them(ran: tuple[Project, Outcome]) -> None:
    project, _ = ran
    base = project.folder.parent
    names = {path.name for path in base.rglob("*")}
    assert not {name for name in names if name.startswith("RAN")}
    assert [path.name for path in base.iterdir()] == [FOLDER]


def test_braces_in_the_folder_are_no_wildcards_of_any_rule(ran: tuple[Project, Outcome]) -> None:
    project, _ = ran
    outcome = project.run(
        "report", config="hostile; touch RAN.yaml", options=["--dry-run", "--quiet", "all"]
    )
    assert outcome.status == 0, outcome.text


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
REFUSED = {
    "a path with braces": (
        'movielens: {source: archive, archive: "{group}.zip"}',
        "movielens.archive: must be the path of a file, without braces",
    ),
    "a path in two lines": (
        'movielens: {source: table, table: {path: "a\\nb.csv"}}',
        "movielens.table.path: must be the path of a file",
    ),
    "a case that leads out": (
        'setting_2: {cases: {"../../case": {means: [0.5, 0.4], fairness: [0.1, 0.1]}}}',
        "case name '../../case' must be of letters",
    ),
    "a case with a command": (
        'setting_2: {cases: {"a; touch RAN": {means: [0.5, 0.4], fairness: [0.1, 0.1]}}}',
        "case name 'a; touch RAN' must be of letters",
    ),
    "aliases upon aliases": (BOMB, "i: unknown key (value [[[[...], "),
    "more digits than fit": (f"seed: 0x{'f' * 5000}", "seed: "),
    "a gap of zero": (
        "deterministic: {theorem_4_7: {critical_gap: 0.0}}",
        "deterministic.theorem_4_7.critical_gap: ",
    ),
    "a function": ("seed: !!python/name:os.system", "seed: Input should be a valid integer"),
    "code": ('seed: !!python/object/apply:os.system ["touch RAN"]', "not valid JSON or YAML"),
    "code of a new object": ('seed: !!python/object/new:os.system ["touch RAN"]', "not valid"),
}


@pytest.fixture(scope="module", name="said")
def said_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Return what Snakemake says to each config; not a dry run, so jobs could start."""
    project = fresh.copy(tmp_path_factory.mktemp("refused") / "project")
    requests = {}
    for number, (name, (text, _)) in enumerate(REFUSED.items()):
        (project.folder / f"{number}.yaml").write_text(text + "\n", encoding="utf-8")
        requests[name] = project.request("movielens", config=f"{number}.yaml")
    outcomes = forked(requests, project.kernels)
    assert not list(project.folder.rglob("RAN*"))
    assert not (project.folder / "results").exists()
    return outcomes


@pytest.mark.parametrize("name", REFUSED)
def test_refused_before_any_job(said: dict[str, Outcome], name: str) -> None:
    status, text = said[name]
    assert status == 1
    assert REFUSED[name][1] in text
    assert "Traceback" not in text
    assert len(text) < 20_000


def test_an_address_that_is_a_file(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    project.configure({"movielens": {"source": "download", "url": "file:///etc/passwd"}})
    outcome = project.run("movielens")
    assert outcome.status == 1
    (line,) = (line for line in outcome.text.splitlines() if " ERROR " in line)
    assert "url 'file:///etc/passwd': has no host; expected https://" in line
    assert (
        "Traceback" not in (project.folder / "results/logs/get_ratings/movielens.log").read_text()
    )
