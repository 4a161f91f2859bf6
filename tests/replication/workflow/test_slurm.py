"""A run on a real Slurm of one node: a job is cancelled, Snakemake killed, and no byte lost.

    uv run --dev --group slurm pytest -m sample tests/replication/workflow/test_slurm.py

The commands of docs/pages/how-to/cluster.md finish the run.
"""

import os
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from docs_pages import blocks
from smoke_run import FILES, TOPICS
from workflow_helpers import Project, environment, wait_for

LINK = Path("/etc/slurm/slurm.conf")
"""The only place where steps of jobs find their config: a link while the cluster runs."""
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo")
PLUGIN = "snakemake_executor_plugin_slurm"

# Without authentication, accounting and control groups no other daemon is needed.  There are more
# processors than in the machine: a group of jobs requests as many as it has jobs.
CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0
SlurmdParameters=config_overrides
MinJobAge=7200
KillWait=2
StateSaveLocation={folder}
SlurmdSpoolDir={folder}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 RealMemory=64000
PartitionName=debug Nodes={host} Default=YES MaxTime=INFINITE
"""


def missing() -> str:
    """Return why no Slurm can be started here; empty if one can."""
    if os.geteuid() != 0:
        return "Slurm's daemons start as root only"
    if absent := [name for name in PROGRAMS if shutil.which(name) is None]:
        return f"no {', '.join(absent)}: Debian has them in the package slurm-wlm"
    if find_spec(PLUGIN) is None:
        return f"no {PLUGIN}: uv run --dev --group slurm pytest -m sample -k slurm"
    if LINK.exists() or LINK.is_symlink():
        return f"{LINK} exists: this machine has a Slurm of its own, or a killed test left it"
    return ""


pytestmark = [pytest.mark.sample, pytest.mark.skipif(missing() != "", reason=missing())]

MEASURED = ("setting_1", "setting_3", "crossover")
"""Topics of claims: with them the run has jobs of each kind but figures and pages."""
EXPERIMENTS = sorted({experiment for topic in MEASURED for experiment in TOPICS[topic]})
TABLES = sorted([*FILES.summaries(*EXPERIMENTS), *FILES.measured(*MEASURED)])
OPTIONS = [
    *("--profile", "profiles/slurm", "--jobs", "12", "--slurm-no-account"),
    # There is no database of jobs, and nobody else's jobs to be considerate of.
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "2"),
    *("--configfile", "tiny.yaml"),
]


@contextmanager
def started(command: list[str], log: Path, **how: Any) -> "Iterator[subprocess.Popen[str]]":
    """Start a program, its output in a file; kill it afterwards."""
    with (
        log.open("wb") as output,
        subprocess.Popen(command, stdout=output, stderr=output, **how) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def slurm(*words: str) -> str:
    """Return the output of one of Slurm's commands; empty if it fails."""
    return subprocess.run(words, capture_output=True, encoding="utf-8", timeout=60).stdout


def jobs(*states: str) -> dict[str, str]:
    """Return the comment, which names the rule, of each job in these states, by its number."""
    chosen = ",".join(states or ("all",))
    lines = slurm("squeue", "-h", "-o", "%i|%k", "-t", chosen).splitlines()
    return dict(line.split("|", 1) for line in lines)


@pytest.fixture(scope="module", name="logs")
def logs_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run a cluster of one node; return the folder of its logs."""
    folder, host = tmp_path_factory.mktemp("cluster"), socket.gethostname().split(".")[0]
    (folder / "slurm.conf").write_text(CONFIG.format(host=host, folder=folder), "utf-8")
    LINK.parent.mkdir(parents=True, exist_ok=True)
    LINK.symlink_to(folder / "slurm.conf")
    try:
        # In the foreground, so that they are children of this process.
        with (
            started(["slurmctld", "-D"], folder / "slurmctld.log"),
            started(["slurmd", "-D"], folder / "slurmd.log"),
        ):
            idle = wait_for(lambda: "idle" in slurm("sinfo", "-h", "-o", "%T"), 60)
            assert idle, f"the node is not idle\n{ends(folder)}"
            yield folder
            slurm("scancel", "--full", "--signal=KILL", "--user=root")
            slurm("scancel", "--user=root")
            wait_for(lambda: not slurm("squeue", "-h").strip(), 20)
    finally:
        LINK.unlink()


def ends(folder: Path) -> str:
    return "\n".join(f"{log}:\n{log.read_text()[-2000:]}" for log in sorted(folder.glob("*.log")))


def cancel_a_job(run: "subprocess.Popen[str]") -> None:
    def simulations() -> dict[str, str]:
        assert run.poll() is None, "Snakemake ended"
        return {n: job for n, job in jobs("RUNNING").items() if "simulate" in job}

    assert wait_for(simulations, 180), "no simulation runs"
    number, job = next(iter(simulations().items()))
    slurm("scancel", number)
    again = wait_for(lambda: [*jobs().values()].count(job) > 1, 180)
    assert again, f"{job} was not started again"


@pytest.fixture(scope="module", name="finished")
def finished_fixture(
    smoke_run: Project, fresh: Project, logs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Project:
    """Return a copy whose run was damaged and finished with the documented commands."""
    # The smoke run has compiled the kernels; it has other jobs.
    assert smoke_run.kernels == fresh.kernels
    project = fresh.copy(tmp_path_factory.mktemp("slurm") / "project")
    project.configure({"simulation": {"chunks_of": {"setting_1": 3}}})
    command = [sys.executable, "-m", "snakemake", *TABLES, *OPTIONS]
    how = {"cwd": project.folder, "env": environment(project.folder, project.kernels)}
    with started(command, project.folder / "first.log", **how) as run:
        cancel_a_job(run)
    assert jobs("PENDING", "RUNNING"), "no job lives on when Snakemake is killed"
    (clean_up,) = (b.text for b in blocks("how-to/cluster.md") if "scancel" in b.text)
    bash = ["bash", "-euo", "pipefail", "-c", clean_up]
    subprocess.run(bash, cwd=project.folder, timeout=60, check=True)
    assert wait_for(lambda: not jobs("PENDING", "RUNNING", "COMPLETING")), "jobs are left"
    assert project.snakemake(["--unlock"]).status == 0
    with started(command, project.folder / "second.log", **how) as run:
        assert run.wait(1500) == 0, f"{ends(project.folder)}\n{ends(logs)}"
    return project


def test_tables_have_the_same_bytes(smoke_run: Project, finished: Project) -> None:
    assert (finished.folder / "results/replicates/setting_1/3of3.parquet").is_file()
    for file in TABLES:
        assert (finished.folder / file).read_bytes() == (smoke_run.folder / file).read_bytes(), file


def test_jobs_went_through_slurm(finished: Project) -> None:
    for rule in ("simulate", "summarize", "measure_claims"):
        assert any(rule in job for job in jobs().values()), jobs()
    # Short jobs run together.
    tables = [job for job in jobs("COMPLETED").values() if "summarize" in job]
    assert len(tables) < len(EXPERIMENTS), tables
    assert "CANCELLED" in (finished.folder / "first.log").read_text("utf-8")


def test_documented_commands(fresh: Project) -> None:
    begin = "uv run --group slurm snakemake --profile profiles/slurm"
    lines = [line for block in blocks("how-to/cluster.md") for line in block.text.splitlines()]
    usual, large = (shlex.split(x.removeprefix(begin)) for x in lines if x.startswith(begin))
    for arguments, job in ((usual, ": Simulate "), (large, ": Simulate setting_5")):
        outcome = fresh.snakemake(["--dry-run", "--profile", "profiles/slurm", *arguments])
        assert outcome.status == 0, outcome.text
        assert job in outcome.text
