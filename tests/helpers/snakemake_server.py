"""A server of dry runs: it imports Snakemake once and forks for each run.

Dry runs spend most of their time on imports: so each takes a quarter of the time.  Nothing of
the package is imported here, because a dry run must import that of its copy of the project.
"""

import json
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple


class Outcome(NamedTuple):
    """How a run of Snakemake ended, and what it said."""

    status: int
    text: str


class Request(NamedTuple):
    """A run of Snakemake to be made."""

    folder: str
    arguments: list[str]


def serve() -> None:
    """Read requests, fork for each, two at a time, and write the outcomes."""
    # What Snakemake imports when it meets jobs; slowest is nbformat, for any script.
    for module in ("api", "cli", "dag", "report.html_reporter", "storage", "workflow"):
        import_module(f"snakemake.{module}")
    for module in ("nbformat.v4", "pandas", "pydantic", "requests"):
        import_module(module)
    main = import_module("snakemake.cli").main

    requests = [Request(*request) for request in json.load(sys.stdin)]
    assert not any(name.startswith("penalized_bandits") for name in sys.modules)
    outcomes: dict[int, Outcome] = {}
    running: dict[int, tuple[int, Any]] = {}

    def wait() -> None:
        pid, status = os.wait()
        number, output = running.pop(pid)
        output.seek(0)
        text = output.read().decode("utf-8")
        outcomes[number] = Outcome(os.waitstatus_to_exitcode(status), text)

    for number, request in enumerate(requests):
        if len(running) == 2:
            wait()
        output = tempfile.TemporaryFile()  # noqa: SIM115  (read when the child has ended)
        pid = os.fork()
        if pid == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            os.chdir(request.folder)
            sources = str(Path(request.folder) / "src")
            os.environ["PYTHONPATH"] = sources
            sys.path.insert(0, sources)
            sys.argv = ["snakemake", *request.arguments]
            try:
                main(request.arguments)
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 1
            else:
                status = 0
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        running[pid] = (number, output)
    while running:
        wait()
    json.dump([outcomes[number] for number in range(len(requests))], sys.stdout)


if __name__ == "__main__":
    serve()
