"""A Slurm of one node, started from Debian's packages and ended again.

Authentication, accounting and control groups are off, so no other daemon is needed.  Steps
of jobs find their config only in ``/etc/slurm/slurm.conf``, which is a link while the cluster
runs; where that file exists nothing is started.
"""

import os
import shutil
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

# More processors than there are: a group of jobs requests as many as it has jobs.
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
