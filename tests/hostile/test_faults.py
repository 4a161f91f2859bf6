"""What happens to runs: a kill, Ctrl-C, a full disk, edits.  The documented command goes on.

Afterwards the results have the bytes of a run that nothing happened to.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fault_helpers import Victim, kill_all, read_only, small_disk, wait_for
from workflow_helpers import Project

pytestmark = [pytest.mark.slow, pytest.mark.sample]

TABLE = "results/summaries/setting_4.csv"
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
    outcome = victim.run()
    assert outcome.status == 0, outcome.text
    return victim


@pytest.fixture(name="finished")
def finished_fixture(undisturbed: Victim, tmp_path: Path) -> Victim:
    return Victim(undisturbed.project.copy(tmp_path / "project"))


@pytest.fixture(name="fresh_victim")
def fresh_victim_fixture(finished: Victim) -> Victim:
    shutil.rmtree(finished.results)
    shutil.rmtree(finished.folder / ".snakemake")
    return finished


def check_mended(victim: Victim, undisturbed: Victim) -> None:
    outcome = victim.run()
    assert outcome.status == 0, outcome.text
    assert victim.contents() == undisturbed.contents()


def test_killed_with_all_jobs(fresh_victim: Victim, undisturbed: Victim) -> None:
    run = fresh_victim.at_work()
    time.sleep(1)
    kill_all(run)
    locked = fresh_victim.run()
    assert locked.status == 1
    assert "--unlock" in locked.text
    assert fresh_victim.run("--unlock").status == 0
    check_mended(fresh_victim, undisturbed)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda n: n.name)
def test_stopped_by_a_signal_to_the_group(
    fresh_victim: Victim, undisturbed: Victim, number: signal.Signals
) -> None:
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("Ctrl-C is ignored in the background")
    run = fresh_victim.at_work()
    os.killpg(run.pid, number)
    assert fresh_victim.end(run).status != 0
    check_mended(fresh_victim, undisturbed)


def test_two_runs(fresh_victim: Victim, undisturbed: Victim) -> None:
    first = fresh_victim.at_work()
    second = fresh_victim.run()
    assert second.status == 1
    assert "Traceback" not in second.text
    outcome = fresh_victim.end(first)
    assert outcome.status == 0, outcome.text
    assert fresh_victim.contents() == undisturbed.contents()


def test_disk_full(fresh_victim: Victim, undisturbed: Victim) -> None:
    with small_disk(fresh_victim.results, "3m") as resize:
        if resize is None:
            pytest.skip("there is no small disk here: mounting is not allowed")
        ballast = fresh_victim.results / "logs" / "ballast"
        ballast.parent.mkdir()
        run = fresh_victim.at_work()
        ballast.write_bytes(bytes(shutil.disk_usage(fresh_victim.results).free - 4096))
        outcome = fresh_victim.end(run)
        assert outcome.status == 1, outcome.text
        said = [line for line in outcome.text.splitlines() if "No space left on device" in line]
        assert said, outcome.text
        assert all("results" in line and "make room" in line for line in said), said
        assert "Traceback" not in outcome.text
        ballast.unlink()
        assert resize("100m")
        check_mended(fresh_victim, undisturbed)


def test_results_read_only(finished: Victim) -> None:
    (finished.folder / TABLE).unlink()
    before = finished.contents()
    with read_only(finished.results) as possible:
        if not possible:
            pytest.skip("nothing can be made read-only here: mounting is not allowed")
        assert finished.run().status == 1
    assert finished.contents() == before


def test_reading_the_rules_changes_no_file(finished: Victim) -> None:
    table = finished.folder / TABLE
    own = table.with_suffix(".xlsx")
    own.write_bytes(b"a user's own")
    table.write_text(table.read_text(encoding="utf-8") + "my,own,line\n", encoding="utf-8")
    before = finished.contents()
    for option in ("--list-rules", "--summary", "--dry-run"):
        command = [sys.executable, "-m", "snakemake", option, "--configfile", "tiny.yaml"]
        subprocess.run(command, cwd=finished.folder, check=True, capture_output=True)
    assert finished.contents() == before
    assert own.read_bytes() == b"a user's own"


def test_code_edited_during_a_run_and_edited_back(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    mine = project.folder / "mine.py"
    mine.write_text(OWN, encoding="utf-8")
    in_four_parts = {"chunks_of": {"setting_1": 4}}
    setting = {"policies": ["mine"], "replicates": 40}
    own = {"policies": {"mine": "mine:policy"}, "setting_1": setting}
    project.configure({**own, "simulation": in_four_parts})
    victim = Victim(project, targets=["results/summaries/setting_1.csv"])
    run = victim.start()
    assert wait_for(lambda: list(victim.results.glob("replicates/setting_1/*.parquet")))
    mine.write_text(OWN.replace("1.0", "0.5"), encoding="utf-8")
    outcome = victim.end(run)
    assert outcome.status == 1, outcome.text
    assert "policy mine changed while the run was at work: run the same command" in outcome.text
    mine.write_text(OWN, encoding="utf-8")
    assert victim.run().status == 0
