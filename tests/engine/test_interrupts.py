"""Ctrl-C ends a simulation, in threads as well, and so does a caller that needs no more results."""

import signal
import subprocess
import sys
import threading
import time

import pytest

from penalized_bandits.engine.threads import Progress, in_threads

PROGRAM = """
from penalized_bandits import Bernoulli, Instance, simulate
bandit = Instance([0.9] + [0.5] * {others}, 0.1 / {others}, 0.3, Bernoulli())
simulate("{policy}", bandit, 10, replicates=64)
print("begun", flush=True)
simulate("{policy}", bandit, 2_000_000_000, replicates=64, threads={threads})
"""


@pytest.mark.parametrize(
    ("policy", "others", "threads"), [("ucb1", 4, 1), ("ucb1", 4, 2), ("kl_ucb", 3000, 2)]
)
def test_ctrl_c_ends_a_run_of_hours(policy: str, others: int, threads: int) -> None:
    program = PROGRAM.format(policy=policy, others=others, threads=threads)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", program], **pipes) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[1].splitlines()[-1] == "KeyboardInterrupt"


def test_calls_end_with_their_caller() -> None:
    def call(number: int, report: Progress) -> int:
        assert report is not None
        while number > 0:  # for ever, but for the first
            time.sleep(0.01)
            report(1)
        return number

    before, reported = threading.active_count(), list[int]()
    calls = (lambda report, n=n: call(n, report) for n in range(9))
    results = in_threads(calls, 2, reported.append)
    assert next(results) == 0
    results.close()
    assert threading.active_count() == before
