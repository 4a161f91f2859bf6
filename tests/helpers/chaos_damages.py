"""The damages: what happens to runs on laptops that sleep and clusters that kill jobs.

Each is done to a copy of the project, begun or finished, and may say what it saw.  What
follows is the same for all: the documented command, until nothing is wrong.
"""

import os
import shutil
import signal
import time
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest

from chaos_helpers import (
    OTHER,
    Victim,
    cut_short,
    flip_bit,
    kill_all,
    kill_alone,
    read_only,
    small_disk,
    wait_for,
)

ANOTHER_RUN = "is working in this folder: wait until it ends, or stop it"


class Damage(NamedTuple):
    """Something that happens."""

    act: Callable[[Victim, Random], None]
    finished: bool
    """Whether it happens to finished results, or to a folder without any."""
    alone: bool = False
    """Whether what it expects to see holds only where nothing else was damaged before."""


def _moment(random: Random) -> None:
    time.sleep(random.uniform(0.2, 4))


def killed_with_all_jobs(victim: Victim, random: Random) -> None:
    """Everything dies at once, again and again."""
    for _ in range(2):
        run = victim.at_work()
        _moment(random)
        kill_all(run)


def killed_at_any_moment(victim: Victim, random: Random) -> None:
    """Everything dies, maybe before any job began."""
    run = victim.start()
    time.sleep(random.uniform(0.5, 8))
    kill_all(run)


def killed_but_for_its_jobs(victim: Victim, random: Random) -> None:
    """Snakemake dies, its jobs go on, and the next run begins at once."""
    run = victim.at_work()
    time.sleep(random.uniform(0, 1))
    orphans = victim.jobs()
    kill_alone(run)
    outcome = victim.run()
    assert outcome.status == 0, outcome.text
    assert not set(orphans) & set(victim.jobs())


def killed_with_another_config(victim: Victim, random: Random) -> None:
    """Jobs of a killed run write what belongs to another config, and the notes are lost."""
    run = victim.start(OTHER)
    assert wait_for(victim.jobs)
    _moment(random)
    kill_alone(run)
    if random.random() < 0.5:
        shutil.rmtree(victim.folder / ".snakemake", ignore_errors=True)


def a_job_killed(victim: Victim, random: Random) -> None:
    """One job dies, as where memory is short."""
    run = victim.at_work()
    time.sleep(random.uniform(0, 0.5))
    for job in victim.jobs()[:1]:
        os.kill(job, signal.SIGKILL)
    outcome = victim.end(run)
    # A job may have ended just before.
    assert outcome.status == 0 or "results/logs/" in outcome.text


def stopped_by_hand(victim: Victim, random: Random) -> None:
    """Ctrl-C, which reaches the jobs as well."""
    run = victim.at_work()
    _moment(random)
    os.killpg(run.pid, signal.SIGINT)
    victim.end(run)


def files_cut_short(victim: Victim, random: Random) -> None:
    """Files end too early."""
    for path in random.sample(victim.files(), 3):
        cut_short(path, random)


def bits_flipped(victim: Victim, random: Random) -> None:
    """A bit of some files is not what it was."""
    for path in random.sample(victim.files(), 3):
        flip_bit(path, random)


def bits_flipped_in_silence(victim: Victim, random: Random) -> None:
    """The same, but the files do not look changed: as on a disk that forgets."""
    path = random.choice(victim.files())
    before = path.stat()
    flip_bit(path, random)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    problem = victim.verify()
    assert problem is not None
    assert path.name in problem


def files_deleted(victim: Victim, random: Random) -> None:
    """Some files are gone."""
    for path in random.sample(victim.files(), 3):
        path.unlink()


def notes_lost(victim: Victim, random: Random) -> None:
    """Results of another config, and nobody knows: Snakemake's notes are gone."""
    del random
    outcome = victim.run(OTHER)
    assert outcome.status == 0, outcome.text
    shutil.rmtree(victim.folder / ".snakemake")


def clock_set_back(victim: Victim, random: Random) -> None:
    """A killed run's files are all from the future."""
    run = victim.at_work()
    _moment(random)
    kill_all(run)
    victim.set_clock_back(random.uniform(0.001, 400))


def clock_set_back_and_config_changed(victim: Victim, random: Random) -> None:
    """Finished results are from the future, and of another config."""
    outcome = victim.run(OTHER)
    assert outcome.status == 0, outcome.text
    victim.set_clock_back(random.uniform(0.001, 400))


def two_runs(victim: Victim, random: Random) -> None:
    """A second run is started, with another config or the same."""
    first = victim.at_work()
    second = victim.run(random.choice([OTHER, "tiny.yaml"]))
    if second.status != 0:
        assert ANOTHER_RUN in second.text
        assert f"(process {first.pid} on " in second.text
        assert "Traceback" not in second.text
    outcome = victim.end(first)
    assert outcome.status == 0, outcome.text
    # The second can only have succeeded after the first.
    assert second.status != 0 or "Nothing to be done" in second.text


def results_read_only(victim: Victim, random: Random) -> None:
    """Results cannot be written: said with the remedy, and nothing is lost."""
    for path in random.sample([p for p in victim.files() if p.suffix == ".csv"], 2):
        path.unlink()
    before = victim.contents()
    with read_only(victim.results) as possible:
        if not possible:
            pytest.skip("nothing can be made read-only here: mounting is not allowed")
        outcome = victim.run()
        assert outcome.status == 1
        said = [line for line in outcome.text.splitlines() if "then run the same command" in line]
        assert said, outcome.text
        assert all(line.startswith("results: ") and "make the" in line for line in said)
        assert "Traceback" not in outcome.text
    assert victim.contents() == before


def disk_full(victim: Victim, random: Random) -> None:
    """The disk is full at some point: said with the file and the remedy."""
    with small_disk(victim.results, "3m") as resize:
        if resize is None:
            pytest.skip("there is no small disk here: mounting is not allowed")
        ballast = victim.results / "logs" / "ballast"
        ballast.parent.mkdir()
        run = victim.at_work()
        time.sleep(random.uniform(0, 1.5))
        # Some of what is at work may still fit, or nothing at all.
        left = random.choice([0, 4096, 65536])
        ballast.write_bytes(bytes(max(shutil.disk_usage(victim.results).free - left, 0)))
        outcome = victim.end(run)
        assert outcome.status == 1, outcome.text
        said = [line for line in outcome.text.splitlines() if "No space left on device" in line]
        assert said, outcome.text
        assert all("results" in line and "make room" in line for line in said), said
        assert "Traceback" not in outcome.text
        ballast.unlink()
        assert resize("100m")
        outcome = victim.run()
        assert outcome.status == 0, outcome.text


DAMAGES = {
    damage.act.__name__: damage
    for damage in (
        Damage(killed_with_all_jobs, finished=False),
        Damage(killed_at_any_moment, finished=False),
        Damage(killed_but_for_its_jobs, finished=False, alone=True),
        Damage(killed_with_another_config, finished=False),
        Damage(a_job_killed, finished=False),
        Damage(stopped_by_hand, finished=False),
        Damage(files_cut_short, finished=True),
        Damage(bits_flipped, finished=True),
        Damage(bits_flipped_in_silence, finished=True, alone=True),
        Damage(files_deleted, finished=True),
        Damage(notes_lost, finished=True, alone=True),
        Damage(clock_set_back, finished=False),
        Damage(clock_set_back_and_config_changed, finished=True, alone=True),
        Damage(two_runs, finished=False, alone=True),
        Damage(results_read_only, finished=True, alone=True),
        Damage(disk_full, finished=False, alone=True),
    )
}
