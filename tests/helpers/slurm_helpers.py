"""A Slurm of one node, started from Debian's packages and ended again.

Authentication, accounting and control groups are off, so no other daemon is needed.  Steps
of jobs find their config at one place only, ``/etc/slurm/slurm.conf``: a link is put there
for as long as the cluster runs, and where that file exists nothing is started.
"""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from fault_helpers import wait_for

LINK = Path("/etc/slurm/slurm.conf")
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo")
PLUGIN = "snakemake_executor_plugin_slurm"
FOLDER = "slurm-of-a-test"
PATIENCE = 60.0
"""Seconds that a daemon or a job may take to get where it should be."""

# More processors than there are: a group of jobs asks for as many as it has jobs.
CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
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
    """Say why no Slurm can be started here; an empty text where one can."""
    if getattr(os, "geteuid", lambda: 1)() != 0:
        return "Slurm's daemons start as root only"
    if absent := [name for name in PROGRAMS if shutil.which(name) is None]:
        return f"no {', '.join(absent)}: Debian has them in the package slurm-wlm"
    if find_spec(PLUGIN) is None:
        return f"no {PLUGIN}: uv run --group slurm pytest -m sample tests/workflow/test_slurm.py"
    if (LINK.exists() or LINK.is_symlink()) and not _left_behind():
        return f"{LINK} exists: this machine has a Slurm of its own"
    return ""


def _left_behind() -> bool:
    """Say whether the link is that of a test that was killed, and its daemons are gone."""
    if not LINK.is_symlink():
        return False
    folder = LINK.readlink().parent
    if folder.name != FOLDER:
        return False
    try:
        os.kill(int((folder / "slurmctld.pid").read_text()), 0)
    except (OSError, ValueError):
        return True
    return False


def _free_ports(number: int) -> list[int]:
    sockets = [socket.socket() for _ in range(number)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


@dataclass(frozen=True)
class Slurm:
    """A running cluster."""

    folder: Path

    def command(self, *words: str, quietly: bool = False) -> str:
        """Run one of Slurm's commands, which may fail ``quietly``; return what it prints."""
        errors = subprocess.DEVNULL if quietly else None
        return subprocess.run(
            words,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
            timeout=PATIENCE,
            check=not quietly,
        ).stdout

    def jobs(self, *states: str) -> dict[str, str]:
        """Return the comment, which names the rule, of each job in these states, by its number."""
        wanted = ",".join(states or ("all",))
        lines = self.command("squeue", "-h", "-o", "%i|%k", "-t", wanted).splitlines()
        return dict(line.split("|", 1) for line in lines)

    def kill(self, job: str) -> list[int]:
        """Kill what a job runs, like the kernel out of memory; return the processes killed."""
        wanted = f"SLURM_JOB_ID={job}".encode()
        killed = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                inside = wanted in (folder / "environ").read_bytes().split(b"\0")
                if inside and b"snakemake" in (folder / "cmdline").read_bytes():
                    os.kill(int(folder.name), signal.SIGKILL)
                    killed.append(int(folder.name))
            except OSError:  # it has ended
                continue
        return killed

    def said(self) -> str:
        """Return the ends of the daemons' logs."""
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"{log.name}:\n{log.read_text()[-2000:]}" for log in logs)


@contextmanager
def running_slurm(folder: Path) -> Iterator[Slurm]:
    """Start a cluster of one node; cancel its jobs and end its daemons afterwards."""
    host = socket.gethostname().split(".")[0]
    folder /= FOLDER
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    controller_port, node_port = _free_ports(2)
    config = folder / "slurm.conf"
    config.write_text(
        CONFIG.format(
            host=host, folder=folder, controller_port=controller_port, node_port=node_port
        ),
        encoding="utf-8",
    )
    slurm = Slurm(folder)
    daemons: list[subprocess.Popen[bytes]] = []
    LINK.parent.mkdir(parents=True, exist_ok=True)
    if _left_behind():
        LINK.unlink()
    # Fails where the file has come to be meanwhile.
    LINK.symlink_to(config)
    try:
        for program in ("slurmctld", "slurmd"):
            # In the foreground, so that they are children of this process, by their ids.
            with (folder / f"{program}.out").open("wb") as output:
                daemons.append(
                    subprocess.Popen(
                        [program, "-D", "-f", str(config)], stdout=output, stderr=output
                    )
                )
        assert wait_for(
            lambda: "idle" in slurm.command("sinfo", "-h", "-o", "%T", quietly=True), PATIENCE
        ), f"the node is not idle\n{slurm.said()}"
        yield slurm
    finally:
        if len(daemons) == 2:
            slurm.command("scancel", "--full", "--signal=KILL", "--user=root", quietly=True)
            slurm.command("scancel", "--user=root", quietly=True)
            wait_for(lambda: not slurm.command("squeue", "-h", quietly=True).strip(), 20)
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        if LINK.is_symlink() and LINK.readlink() == config:
            LINK.unlink()
