"""Start of a job: imports, garbage collection and threads, which cost a short job most."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from config_helpers import ROOT
from penalized_bandits.__main__ import install_with
from workflow_helpers import Project, environment


def output_of(code: str, folder: Path, *arguments: str, **variables: str) -> str:
    """Return what a new process prints."""
    set_by_jobs = "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES"
    environment = {k: v for k, v in os.environ.items() if k not in set_by_jobs}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=folder,
        env=environment | variables,
    ).stdout


COLLECTOR = """
import gc, os
from penalized_bandits.workflow.job import job_log

class Ring:
    alive = 0
    def __init__(self):
        self.me = self
        Ring.alive += 1
    def __del__(self):
        Ring.alive -= 1

print(os.environ["OPENBLAS_NUM_THREADS"], gc.isenabled())
with job_log("job.log"):
    print(gc.isenabled(), gc.get_freeze_count() > 1000)
    Ring()
    gc.collect()
print(Ring.alive)
"""


def test_the_collector_rests_until_the_job_begins(tmp_path: Path) -> None:
    assert output_of(COLLECTOR, tmp_path).split() == ["1", "False", "True", "True", "0"]
    assert output_of(COLLECTOR, tmp_path, OPENBLAS_NUM_THREADS="2")[0] == "2"


ROUNDED = """
from penalized_bandits.workflow.job import job
import hashlib
import numpy as np
a, b = np.random.default_rng(0).random((2, 300, 300))
print(hashlib.sha256(b"".join(x.tobytes() for x in (a @ b, np.log(a), np.exp(b)))).hexdigest())
"""


def test_products_and_logarithms_are_computed_without_avx_512(tmp_path: Path) -> None:
    """Only a processor with AVX-512 can fail it."""
    avx2 = {"OPENBLAS_CORETYPE": "Zen", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}
    assert output_of(ROUNDED, tmp_path) == output_of(ROUNDED, tmp_path, **avx2)


HEAVY = "numba llvmlite pandas matplotlib seaborn scipy pyarrow snakemake"
ABSENT = {
    **dict.fromkeys(("config", "figures"), HEAVY),
    **dict.fromkeys(("workflow.job", "live"), HEAVY),
    "claims.joined.verdicts": "pandas",
    "storage.replicates": "pandas",
    "experiments.simulate": "pandas",
    "statistics.estimates": "scipy.stats",
    "statistics.fits": "scipy.stats",
    "statistics.paths": "scipy.optimize",
    "figures.figure_2": "scipy.stats",
}
"""Packages that a module does without, in the order of the imports: each takes as long to
import as a short job's own work."""
IMPORTS = """
import json, sys
from importlib import import_module
for module, absent in json.loads(sys.argv[1]).items():
    import_module(f"penalized_bandits.{module}")
    print(module, *sorted({*absent.split()} & sys.modules.keys()))
"""


def test_heavy_packages_are_not_imported(tmp_path: Path) -> None:
    assert output_of(IMPORTS, tmp_path, json.dumps(ABSENT)).splitlines() == [*ABSENT]


REFUSING = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Refuse())
"""
WITHOUT_EXTRAS = """
import penalized_bandits as pb
bandit = pb.Instance([0.9, 0.5], 0.2, 0.5, pb.Bernoulli())
run = pb.simulate("hard_threshold_ucb", bandit, 50, replicates=4)
assert pb.penalized_regret(run.pulls[:, -1], bandit).all()
pb.oracle_frontier(bandit, 50)
from penalized_bandits.live import Player
for policy in ("kl_hard_threshold", "thompson_hard_threshold"):
    player = Player(policy, bandit.fairness, bandit.penalties)
    player.update(player.choose(), 0.5)
    assert Player.from_state(player.state()).rounds == 1
from penalized_bandits.__main__ import main
main()
"""
IMPORTED_AS = {"pillow": "PIL", "pyyaml": "yaml", "ipython": "IPython"}


def test_simulator_and_player_need_no_extra(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {
        re.split("[<>=]", requirement)[0]
        for requirements in project["optional-dependencies"].values()
        for requirement in requirements
    }
    refusing = REFUSING.format(packages={IMPORTED_AS.get(name, name) for name in names})
    done = subprocess.run(
        [sys.executable, "-c", refusing + WITHOUT_EXTRAS],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    # Only the command line at the end needs one.
    assert done.stderr.splitlines()[-1:] == [
        f"penalized-bandits: the command line needs 'typer': in {ROOT}, "
        "pip install '.[workflow]' (or uv sync)"
    ]


def test_advice_of_a_wheel_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = SimpleNamespace(read_text=lambda name: None)
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: wheel)
    assert install_with("workflow") == "pip install 'penalized-bandits[workflow]'"


@pytest.mark.parametrize("option", ["--lint", "--dry-run"])
def test_snakemake_without_the_package_names_what_to_install(fresh: Project, option: str) -> None:
    refusing = REFUSING.format(packages={"penalized_bandits"})
    done = subprocess.run(
        [sys.executable, "-c", f"{refusing}from snakemake.cli import main; main()", option],
        cwd=fresh.folder,
        env=environment(fresh.folder, fresh.kernels),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    (line,) = (line for line in done.stdout.splitlines() if "(penalized_bandits)" in line)
    assert line.endswith("pip install -e '.[workflow]', or conda env create -f environment.yml")
    assert done.returncode == 1
