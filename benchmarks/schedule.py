"""What more cores would bring: ``python -m benchmarks.schedule FOLDER``.

FOLDER is one where a run has ended.  Snakemake's notes there (``.snakemake/metadata``) say how
long each job took and what it read, hence which jobs it waited for.  A job takes one core and as
long as it took, but simulations share their pulls among the threads that the workflow would give
them (``Plan.threads``).  Of the jobs that can start, that with the longest chain of jobs behind it
starts first; Snakemake knows less, so it can only be slower.
"""

import argparse
import base64
import heapq
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.tables import Row, markdown_table

CORES = (1, 2, 16, 64)
LONGEST = 12
THREADED = ("simulate_group/", "simulate_readings/")
"""Jobs that have threads where there are cores for them."""
START_UP = 1.0
"""Seconds of a job that threads cannot share."""


@dataclass
class Job:
    """One job of the run."""

    name: str
    seconds: float
    after: set[int] = field(default_factory=set)
    """Places of the jobs that it waits for."""
    threads: int = 1


def read(folder: Path) -> list[Job]:
    """Return the jobs that a run noted in its folder.

    Raises FileNotFoundError if no run noted anything there.
    """
    notes = folder / ".snakemake" / "metadata"
    files = sorted(file for file in notes.rglob("*") if file.is_file())
    if not files:
        raise FileNotFoundError(f"{notes}: Snakemake noted no job there; give the folder of a run")
    jobs: dict[tuple[str, str], Job] = {}
    maker: dict[str, int] = {}
    reads: list[set[str]] = []
    for file in files:
        note = json.loads(file.read_text(encoding="utf-8"))
        start, end, inputs = note["starttime"], note["endtime"], note["input"] or []
        if start is None or end is None:
            continue
        # Each output has a note; what the outputs of one job share is its log.
        log = note["log"][0] if note["log"] else file.name
        key = (note["rule"], log)
        if key not in jobs:
            name = log.partition("/logs/")[2].removesuffix(".log") or note["rule"]
            jobs[key] = Job(name, end - start)
            reads.append(set(inputs))
        place = list(jobs).index(key)
        # A long name is split into folders, whose names end with nothing else than "@".
        code = "".join(part.removeprefix("@") for part in file.relative_to(notes).parts)
        maker[base64.b64decode(code).decode()] = place
    found = list(jobs.values())
    for place, inputs in enumerate(reads):
        found[place].after = {maker[name] for name in inputs if name in maker} - {place}
    return found


def chains(jobs: Sequence[Job]) -> list[float]:
    """Return the seconds of each job with the longest chain of those that wait for it."""
    waiting: dict[int, list[int]] = {place: [] for place in range(len(jobs))}
    for place, job in enumerate(jobs):
        for earlier in job.after:
            waiting[earlier].append(place)
    known: dict[int, float] = {}

    def chain(place: int) -> float:
        if place not in known:
            behind = max((chain(later) for later in waiting[place]), default=0.0)
            known[place] = jobs[place].seconds + behind
        return known[place]

    return [chain(place) for place in range(len(jobs))]


def with_threads(jobs: Sequence[Job], cores: int) -> list[Job]:
    """Return the jobs as they would be on some cores."""
    threaded = [job.seconds for job in jobs if job.name.startswith(THREADED)]
    share = sum(threaded) / cores / 2

    def on_cores(job: Job) -> Job:
        if not job.name.startswith(THREADED):
            return job
        threads = min(max(math.ceil(job.seconds / share), 1), cores)
        seconds = START_UP + (job.seconds - START_UP) / threads if threads > 1 else job.seconds
        return replace(job, seconds=seconds, threads=threads)

    return [on_cores(job) for job in jobs]


def makespan(jobs: Sequence[Job], cores: int) -> float:
    """Return the seconds until all jobs are done on some cores."""
    jobs = with_threads(jobs, cores)
    behind, free = chains(jobs), cores
    missing = [set(job.after) for job in jobs]
    ready = [
        (-behind[place], place) for place, jobs_before in enumerate(missing) if not jobs_before
    ]
    heapq.heapify(ready)
    running: list[tuple[float, int]] = []
    now = 0.0
    while ready or running:
        later = []
        while ready and free:
            _, place = first = heapq.heappop(ready)
            if jobs[place].threads > free:
                later.append(first)
                continue
            free -= jobs[place].threads
            heapq.heappush(running, (now + jobs[place].seconds, place))
        for waiting in later:
            heapq.heappush(ready, waiting)
        now, done = heapq.heappop(running)
        free += jobs[done].threads
        for place, jobs_before in enumerate(missing):
            if done in jobs_before:
                jobs_before.remove(done)
                if not jobs_before:
                    heapq.heappush(ready, (-behind[place], place))
    return now


def critical(jobs: Sequence[Job]) -> list[Job]:
    """Return the longest chain of jobs, first to last."""
    behind = chains(jobs)
    first = [place for place, job in enumerate(jobs) if not job.after]
    chain = []
    while first:
        place = max(first, key=lambda i: behind[i])
        chain.append(jobs[place])
        first = [later for later, job in enumerate(jobs) if place in job.after]
    return chain


def report(jobs: Sequence[Job]) -> str:
    """Say what cores would bring, and what bounds it."""
    total = sum(job.seconds for job in jobs)

    def shown(some: Sequence[Job]) -> str:
        rows: list[Row] = [
            {
                "job": job.name,
                "seconds": f"{job.seconds:.1f}",
                "share": f"{100 * job.seconds / total:.1f} %",
            }
            for job in some
        ]
        return markdown_table(rows)

    spans: Mapping[int, float] = {cores: makespan(jobs, cores) for cores in CORES}
    rows: list[Row] = [
        {
            "cores": cores,
            "seconds": f"{span:.0f}",
            "times faster": f"{total / span:.1f}",
            "cores at work": f"{100 * total / span / cores:.0f} %",
        }
        for cores, span in spans.items()
    ]
    most = with_threads(jobs, CORES[-1])
    chain = critical(most)
    length = sum(job.seconds for job in chain)
    longest = sorted(jobs, key=lambda job: -job.seconds)[:LONGEST]
    return (
        f"{len(jobs)} jobs, {total:.0f} job seconds\n\n{markdown_table(rows)}\n"
        f"On {CORES[-1]} cores the longest chain takes {length:.0f} s, so they are at most "
        f"{total / length:.1f} times faster than one:\n\n{shown(chain)}\nThe longest jobs:\n\n"
        f"{shown(longest)}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the schedule of a run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.schedule", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder in which a run has ended")
    folder = parser.parse_args(arguments).folder
    try:
        jobs = read(folder)
    except FileNotFoundError as error:
        parser.error(str(error))
    sys.stdout.write(report(jobs))


if __name__ == "__main__":
    main()
