"""What jobs are spared at their start and their end, and that their work does not miss it."""

import gc
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from penalized_bandits.workflow.job import job_log
from config_helpers import ROOT
from penalized_bandits.__main__ import install_with

SCRIPTS = sorted(
    path
    for path in (ROOT / "workflow/scripts").glob("*.py")
    if "with job(snakemake)" in path.read_text(encoding="utf-8") and path.stem != "run_notebook"
)


def said_by(code: str, folder: Path, *arguments: str, **more: str) -> str:
    """Return what a new process prints."""
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"} | more
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=folder,
        env=environment,
    )
    return done.stdout


HEAVY = "numba llvmlite pandas matplotlib seaborn scipy pyarrow snakemake"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_import_it_first(script: Path) -> None:
    imports = re.findall(r"(?m)^(?:import|from) (\w[\w.]*)", script.read_text(encoding="utf-8"))
    ours = [n for n in imports if n.partition(".")[0] not in sys.stdlib_module_names]
    assert ours[0] == "penalized_bandits.workflow.job"


def test_the_collector_rests_until_the_job_begins(tmp_path: Path) -> None:
    code = """
import gc
from penalized_bandits.workflow.job import job_log
print(gc.isenabled())
with job_log("job.log") as log:
    print(gc.isenabled(), gc.get_freeze_count() > 1000)
print(gc.isenabled())
"""
    assert said_by(code, tmp_path).split() == ["False", "True", "True", "True"]


def test_garbage_of_a_job_is_collected(tmp_path: Path) -> None:
    class Ring:
        alive = 0

        def __init__(self) -> None:
            self.me = self
            Ring.alive += 1

        def __del__(self) -> None:
            Ring.alive -= 1

    with job_log(tmp_path / "job.log"):
        Ring()
        gc.collect()
    gc.unfreeze()
    assert Ring.alive == 0


def test_one_thread_for_linear_algebra_unless_asked(tmp_path: Path) -> None:
    code = """
import os
import penalized_bandits.workflow.job
print(os.environ["OPENBLAS_NUM_THREADS"])
"""
    assert said_by(code, tmp_path).strip() == "1"
    assert said_by(code, tmp_path, OPENBLAS_NUM_THREADS="2").strip() == "2"


# Of each process: modules in the order of their imports, with what they do without.
ABSENT = (
    {
        # Each takes as long as a short job's own work, and these need none of it.
        **dict.fromkeys(("config", "figures"), HEAVY),
        **dict.fromkeys(("workflow.job", "live"), HEAVY),
        "claims.sensitivity": "pandas",
        "storage.replicates": "pandas",
        "experiments.simulate": "pandas",
        "statistics.estimates": "scipy.stats",
        "statistics.fits": "scipy.stats",
        "statistics.paths": "scipy.optimize",
        "figures.figure_2": "scipy.stats",
    },
    {"experiments.summaries": "scipy", "figures.figure_1": "scipy"},
)
IMPORTS = """
import json, sys
from importlib import import_module
for module, absent in json.loads(sys.argv[1]).items():
    import_module(f"penalized_bandits.{module}")
    print(module, *sorted({*absent.split()} & sys.modules.keys()))
"""


@pytest.fixture(scope="module", name="imported")
def imported_fixture(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return what should be absent and is there once a module, and those before it, are."""
    folder = tmp_path_factory.mktemp("imports")
    said = "".join(said_by(IMPORTS, folder, json.dumps(modules)) for modules in ABSENT)
    return {line.split()[0]: line.split()[1:] for line in said.splitlines()}


@pytest.mark.parametrize("module", [module for modules in ABSENT for module in modules])
def test_what_is_not_imported(imported: dict[str, list[str]], module: str) -> None:
    assert imported[module] == []


def test_tables_go_to_and_from_disk_without_pandas(tmp_path: Path) -> None:
    code = """
import sys
import tomllib
import numpy as np
from penalized_bandits.storage.cases import CaseInfo
from penalized_bandits.storage.replicates import Outcome, read_replicates, write_replicates
one = np.ones((2, 1))
pulls = np.full((2, 1), 10, np.int32)
fields = dict(instance="a", label="a", n_arms=1, total_fairness=1.0, law="gaussian")
info = CaseInfo(id="a", **fields)
outcome = Outcome(info, "ucb1", None, 0.5, 10, 0, pulls, one, one, np.ones(1), one)
write_replicates("t.parquet", [outcome], {})
(found,) = read_replicates(["t.parquet"])
assert found.run == outcome.run, found.run
print("pandas" in sys.modules)
"""
    assert said_by(code, tmp_path).strip() == "False"


SIMULATOR_ALONE = """
import sys
import tomllib

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {extras}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Refuse())
import penalized_bandits as pb
bandit = pb.Instance([0.9, 0.5], 0.2, 0.5, pb.Bernoulli())
run = pb.simulate("hard_threshold_ucb", bandit, 50, replicates=4)
assert pb.penalized_regret(run.pulls[:, -1], bandit.means, bandit.fairness, bandit.penalties).all()
pb.oracle_frontier(bandit.means, bandit.fairness, 50)
from penalized_bandits.live import Player
Player("thompson_hard_threshold", bandit.fairness, bandit.penalties).choose()
from penalized_bandits.__main__ import main
main()
"""
IMPORTED_AS = {"pillow": "PIL", "pyyaml": "yaml", "vl-convert-python": "vl_convert"}


def test_the_simulator_needs_no_extra(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {
        re.split("[<>=]", requirement)[0]
        for requirements in project["optional-dependencies"].values()
        for requirement in requirements
    }
    code = SIMULATOR_ALONE.format(extras={IMPORTED_AS.get(name, name) for name in names})
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8"
    )
    # All of it works but the command line, which says what it lacks.
    assert done.stderr.splitlines()[-1:] == [
        f"penalized-bandits: the command line needs 'typer': in {ROOT}, "
        "pip install '.[workflow]' (or uv sync)"
    ]


def test_advice_of_a_wheel_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = SimpleNamespace(read_text=lambda name: None)
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: wheel)
    assert install_with("workflow") == "pip install 'penalized-bandits[workflow]'"


def test_the_player_needs_numpy_and_numba_alone(tmp_path: Path) -> None:
    code = """
import sys
sys.modules.update(dict.fromkeys(["pandas", "scipy", "pydantic", "yaml", "pyarrow"]))
from penalized_bandits.live import Player
for policy in ("kl_hard_threshold", "thompson_hard_threshold"):
    player = Player(policy, [0.2, 0.2], 1.0)
    for _ in range(20):
        player.update(player.choose(), 0.5)
    print(Player.from_state(player.state()).rounds)
"""
    assert said_by(code, tmp_path).split() == ["20", "20"]
