"""Faults that a run survives: signals, a kill, a full disk, a read-only folder, a second run.

The same command finishes the run, with the bytes of a run that nothing happened to.
"""

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from fault_helpers import Victim, small_disk, wait_for
from workflow_helpers import Project

pytestmark = [pytest.mark.slow, pytest.mark.sample]

OWN = """
from penalized_bandits import Arm, Policy

WEIGHT = 1.0

def index(arm: Arm) -> float:
    return arm.mean + WEIGHT * arm.radius

policy = Policy("mine", index=index)
"""


@pytest.fixture(scope="module", name="undisturbed")
def undisturbed_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Victim:
    """Return a copy in which the targets were made."""
    victim = Victim(fresh.copy(tmp_path_factory.mktemp("undisturbed") / "project"))
    check_finishes(victim)
    return victim


@pytest.fixture(name="victim")
def victim_fixture(undisturbed: Victim, fresh: Project, tmp_path: Path) -> Victim:
    """Return a copy without results; its kernels are compiled."""
    assert undisturbed.project.kernels == fresh.kernels
    return Victim(fresh.copy(tmp_path / "project"))


def check_finishes(victim: Victim) -> None:
    outcome = victim.run()
    assert outcome.status == 0, outcome.text


def test_kill(victim: Victim, undisturbed: Victim) -> None:
    run = victim.at_work()
    time.sleep(1)
    os.killpg(run.pid, signal.SIGKILL)
    victim.end(run)
    locked = victim.run()
    assert locked.status == 1
    assert "--unlock" in locked.text
    assert victim.run("--unlock").status == 0
    check_finishes(victim)
    assert victim.contents() == undisturbed.contents()


def test_full_disk(victim: Victim, undisturbed: Victim) -> None:
    with small_disk(victim.results, "3m") as resize:
        if resize is None:
            pytest.skip("there is no small disk here: mounting is not allowed")
        ballast = victim.results / "logs" / "ballast"
        ballast.parent.mkdir()
        run = victim.at_work()
        ballast.write_bytes(bytes(shutil.disk_usage(victim.results).free - 4096))
        outcome = victim.end(run)
        assert outcome.status == 1, outcome.text
        lines = [line for line in outcome.text.splitlines() if "No space left on device" in line]
        assert lines, outcome.text
        assert all("results" in line and "make room" in line for line in lines), lines
        assert "Traceback" not in outcome.text
        ballast.unlink()
        assert resize("100m")
        check_finishes(victim)
        assert victim.contents() == undisturbed.contents()


def test_code_edited_during_a_run(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    policy = project.folder / "mine.py"
    policy.write_text(OWN, encoding="utf-8")
    setting = {"policies": ["mine"], "replicates": 40}
    own = {"policies": {"mine": "mine:policy"}, "setting_1": setting}
    project.configure({**own, "simulation": {"chunks_of": {"setting_1": 4}}})
    victim = Victim(project, targets=["results/summaries/setting_1.csv"])
    run = victim.start()
    assert wait_for(lambda: list(victim.results.glob("replicates/setting_1/*.parquet")))
    policy.write_text(OWN.replace("1.0", "0.5"), encoding="utf-8")
    outcome = victim.end(run)
    assert outcome.status == 1, outcome.text
    assert "policy mine changed while the run was at work: run the same command" in outcome.text
    policy.write_text(OWN, encoding="utf-8")
    check_finishes(victim)
