"""A run on a real Slurm of one node: a job is cancelled, Snakemake killed, and no byte lost.

    uv run --group slurm pytest -m sample tests/workflow/test_slurm.py

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
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs_pages import blocks
from fault_helpers import wait_for
from penalized_bandits.workflow.paths import measured_files
from smoke_run import TOPICS, summaries_of
from workflow_helpers import Project, environment

LINK = Path("/etc/slurm/slurm.conf")
"""The only place where steps of jobs find their config: a link while the cluster runs."""
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo")
PLUGIN = "snakemake_executor_plugin_slurm"

# Without authentication, accounting and control groups no other daemon is needed.  There are more
# processors than in the machine: a group of jobs requests as many as it has jobs.
CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
CryptoType=crypto/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=7200
KillWait=2
MpiDefault=none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 RealMemory=64000 State=UNKNOWN
PartitionName=debug Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str:
    """Return why no Slurm can be started here; empty if one can."""
    if os.geteuid() != 0:
        return "Slurm's daemons start as root only"
    if absent := [name for name in PROGRAMS if shutil.which(name) is None]:
        return f"no {', '.join(absent)}: Debian has them in the package slurm-wlm"
    if find_spec(PLUGIN) is None:
        return f"no {PLUGIN}: uv run --group slurm pytest -m sample tests/workflow/test_slurm.py"
    if LINK.exists() or LINK.is_symlink():
        return f"{LINK} exists: this machine has a Slurm of its own, or a killed test left it"
    return ""


def _free_ports(number: int) -> list[int]:
    sockets = [socket.socket() for _ in range(number)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@dataclass(frozen=True)
class Slurm:
    """A running cluster."""

    folder: Path

    def command(self, *words: str) -> str:
        """Return the output of one of Slurm's commands; empty if it fails."""
        return subprocess.run(words, capture_output=True, encoding="utf-8", timeout=60).stdout

    def jobs(self, *states: str) -> dict[str, str]:
        """Return the comment, which names the rule, of each job in these states, by its number."""
        chosen = ",".join(states or ("all",))
        lines = self.command("squeue", "-h", "-o", "%i|%k", "-t", chosen).splitlines()
        return dict(line.split("|", 1) for line in lines)

    def logs(self) -> str:
        """Return the ends of the daemons' logs."""
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"{log.name}:\n{log.read_text()[-2000:]}" for log in logs)


@contextmanager
def running_slurm(folder: Path) -> Iterator[Slurm]:
    """Start a cluster of one node; cancel its jobs and end its daemons afterwards."""
    host = socket.gethostname().split(".")[0]
    for name in ("state", "spool"):
        (folder / name).mkdir()
    config = folder / "slurm.conf"
    config.write_text(CONFIG.format(host=host, folder=folder, ports=_free_ports(2)), "utf-8")
    slurm = Slurm(folder)
    daemons: list[subprocess.Popen[bytes]] = []
    LINK.parent.mkdir(parents=True, exist_ok=True)
    LINK.symlink_to(config)
    try:
        for program in ("slurmctld", "slurmd"):
            # In the foreground, so that they are children of this process.
            with (folder / f"{program}.out").open("wb") as output:
                command = [program, "-D", "-f", str(config)]
                daemons.append(subprocess.Popen(command, stdout=output, stderr=output))
        idle = wait_for(lambda: "idle" in slurm.command("sinfo", "-h", "-o", "%T"), 60)
        assert idle, f"the node is not idle\n{slurm.logs()}"
        yield slurm
    finally:
        slurm.command("scancel", "--full", "--signal=KILL", "--user=root")
        slurm.command("scancel", "--user=root")
        wait_for(lambda: not slurm.command("squeue", "-h").strip(), 20)
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        LINK.unlink()


pytestmark = [pytest.mark.sample, pytest.mark.skipif(missing() != "", reason=missing())]

MEASURED = ("setting_1", "setting_3", "crossover")
"""Topics of claims: with them the run has jobs of each kind but figures and pages."""
EXPERIMENTS = sorted({experiment for topic in MEASURED for experiment in TOPICS[topic]})
TABLES = sorted({*summaries_of(*EXPERIMENTS), *measured_files(*MEASURED)})
OPTIONS = [
    *("--profile", "profiles/slurm", "--jobs", "12", "--slurm-no-account"),
    # There is no database of jobs, and nobody else's jobs to be considerate of.
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "2"),
    *("--configfile", "config/quick.yaml", "local.yaml"),
]


@dataclass(frozen=True)
class Finished:
    """A finished run on Slurm."""

    project: Project
    jobs: dict[str, str]
    """Rule and wildcards of every job by its number."""
    completed: dict[str, str]
    cancelled: str
    left: dict[str, str]
    """Jobs that lived on when Snakemake was killed."""
    log: str


def copy_of(fresh: Project, folder: Path, *lines: str) -> Project:
    """Return a copy with a config that needs no network."""
    project = fresh.copy(folder / "project")
    text = "\n".join(["movielens: {source: bundled}", *lines])
    (project.folder / "local.yaml").write_text(f"{text}\n", encoding="utf-8")
    return project


@pytest.fixture(scope="module", name="local")
def local_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy in which the tables were made without Slurm."""
    project = copy_of(fresh, tmp_path_factory.mktemp("local"))
    outcome = project.snakemake([*TABLES, "--cores", "2", *OPTIONS[-3:]])
    assert outcome.status == 0, outcome.text
    return project


@pytest.fixture(scope="module", name="slurm")
def slurm_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    with running_slurm(tmp_path_factory.mktemp("cluster")) as slurm:
        yield slurm


def start(project: Project, log: Path) -> "subprocess.Popen[bytes]":
    """Start Snakemake on Slurm, its output in a file."""
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "snakemake", *TABLES, *OPTIONS],
            cwd=project.folder,
            env=environment(project.folder, project.kernels),
            stdout=output,
            stderr=subprocess.STDOUT,
        )


def cancel_a_job(slurm: Slurm, run: "subprocess.Popen[bytes]") -> str:
    """Cancel a simulation, wait until it was started again, and return what it was."""

    def simulations() -> dict[str, str]:
        assert run.poll() is None, "Snakemake ended"
        return {n: job for n, job in slurm.jobs("RUNNING").items() if "simulate" in job}

    assert wait_for(simulations, 180), "no simulation runs"
    number, job = next(iter(simulations().items()))
    slurm.command("scancel", number)
    again = wait_for(lambda: [*slurm.jobs().values()].count(job) > 1, 180)
    assert again, f"{job} was not started again"
    return job


@pytest.fixture(scope="module", name="finished")
def finished_fixture(
    # After the local run, which has compiled the kernels.
    local: Project,
    fresh: Project,
    slurm: Slurm,
    tmp_path_factory: pytest.TempPathFactory,
) -> Finished:
    """Return a run that was damaged and finished with the documented commands."""
    folder = tmp_path_factory.mktemp("slurm")
    assert local.kernels == fresh.kernels
    # Other jobs than those of the local run.
    project = copy_of(fresh, folder, "simulation: {chunks_of: {setting_1: 3}}")
    run = start(project, folder / "first.log")
    try:
        cancelled = cancel_a_job(slurm, run)
    finally:
        run.kill()
        run.wait()
    left = slurm.jobs("PENDING", "RUNNING")
    (command,) = (b.text for b in blocks("how-to/cluster.md") if "scancel" in b.text)
    clean_up = ["bash", "-euo", "pipefail", "-c", command]
    subprocess.run(clean_up, cwd=project.folder, timeout=60, check=True)
    assert wait_for(lambda: not slurm.jobs("PENDING", "RUNNING", "COMPLETING")), "jobs are left"
    assert project.snakemake(["--unlock"]).status == 0
    run = start(project, folder / "second.log")
    try:
        status = run.wait(1500)
    finally:
        run.kill()
        run.wait()
    log = "\n".join((folder / f"{name}.log").read_text("utf-8") for name in ("first", "second"))
    assert status == 0, f"{log}\n{slurm.logs()}"
    completed = slurm.jobs("COMPLETED")
    return Finished(project, slurm.jobs(), completed, cancelled, left, log)


def test_tables_have_the_same_bytes(local: Project, finished: Finished) -> None:
    assert (finished.project.folder / "results/replicates/setting_1/3of3.parquet").is_file()
    for file in TABLES:
        there = finished.project.folder / file
        assert there.read_bytes() == (local.folder / file).read_bytes(), file


def test_jobs_went_through_slurm(finished: Finished) -> None:
    jobs = [*finished.jobs.values()]
    for rule in ("simulate", "summarize", "measure_claims"):
        assert any(rule in job for job in jobs), jobs
    # Short jobs run together.
    tables = [job for job in finished.completed.values() if "summarize" in job]
    assert len(tables) < len(EXPERIMENTS), tables
    assert finished.left
    assert jobs.count(finished.cancelled) >= 2
    assert "CANCELLED" in finished.log


def test_nothing_is_left_to_do(finished: Finished) -> None:
    outcome = finished.project.snakemake(["--dry-run", *TABLES, *OPTIONS])
    assert outcome.status == 0, outcome.text
    assert "Nothing to be done" in outcome.text, outcome.text


def commands(beginning: str) -> list[list[str]]:
    """Return the arguments of the guide's commands that begin in this way."""
    lines = [line for block in blocks("how-to/cluster.md") for line in block.text.splitlines()]
    calls = [shlex.split(line.removeprefix(beginning)) for line in lines if beginning in line]
    return [[word for word in words if word != "--dry-run"] for words in calls]


def test_documented_commands(fresh: Project) -> None:
    usual, large = commands("uv run --group slurm snakemake --profile profiles/slurm")
    outcome = fresh.snakemake(["--dry-run", "--profile", "profiles/slurm", *usual])
    assert outcome.status == 0, outcome.text
    assert ": Simulate " in outcome.text
    # Another test runs this one without the profile.
    assert large in commands("uv run snakemake ")
