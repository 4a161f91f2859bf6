"""Start of a job: imports, garbage collection and threads, which cost a short job most."""

import json
import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

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
from penalized_replication.workflow.job import job_log

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
from penalized_replication.workflow.job import job
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
    **dict.fromkeys(("replication.config", "replication.figures"), HEAVY),
    **dict.fromkeys(("replication.workflow.job", "bandits.live"), HEAVY),
    "replication.claims.joined.verdicts": "pandas",
    "replication.storage.replicates": "pandas",
    "replication.experiments.simulate": "pandas",
    "bandits.statistics.estimates": "scipy.stats",
    "bandits.statistics.fits": "scipy.stats",
    "bandits.statistics.paths": "scipy.optimize",
    "replication.figures.figure_2": "scipy.stats",
}
"""Packages that a module does without, in the order of the imports: each takes as long to
import as a short job's own work."""
IMPORTS = """
import json, sys
from importlib import import_module
for module, absent in json.loads(sys.argv[1]).items():
    import_module(f"penalized_{module}")
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
from importlib import import_module
from pkgutil import walk_packages
import penalized_bandits as pb
for module in walk_packages(pb.__path__, "penalized_bandits."):
    if ".cli" not in module.name:
        import_module(module.name)
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


def test_library_needs_no_extra(tmp_path: Path) -> None:
    installed = {name.partition(".")[0] for name in packages_distributions()}
    needed = {"llvmlite", "numba", "numpy", "scipy", "penalized_bandits"}
    refusing = REFUSING.format(packages=installed - needed)
    done = subprocess.run(
        [sys.executable, "-c", refusing + WITHOUT_EXTRAS],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    # Only the command line at the end needs one.
    assert done.stderr.splitlines()[-1:] == [
        "penalized-bandits: the command line needs 'typer': pip install 'penalized-bandits[cli]' "
        "(of a checkout: './src/library[cli]')"
    ]


@pytest.mark.parametrize("option", ["--lint", "--dry-run"])
def test_snakemake_without_the_package_names_what_to_install(fresh: Project, option: str) -> None:
    refusing = REFUSING.format(packages={"penalized_replication"})
    done = subprocess.run(
        [sys.executable, "-c", f"{refusing}from snakemake.cli import main; main()", option],
        cwd=fresh.folder,
        env=environment(fresh.folder, fresh.kernels),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    (line,) = (line for line in done.stdout.splitlines() if "(penalized_replication)" in line)
    remedy = "pip install -e src/library -e src/replication"
    assert line.endswith(f"{remedy}, or conda env create -f environment.yml")
    assert done.returncode == 1
