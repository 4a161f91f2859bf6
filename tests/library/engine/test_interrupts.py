"""Ctrl-C ends a simulation, in threads as well."""

import signal
import subprocess
import sys
import time

import pytest

from programs import RESTORED

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
    program = RESTORED + PROGRAM.format(policy=policy, others=others, threads=threads)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", program], **pipes) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[1].splitlines()[-1] == "KeyboardInterrupt"
