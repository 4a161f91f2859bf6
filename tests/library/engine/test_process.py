"""The process of a simulation: Ctrl-C ends it, in threads too; the collector of garbage rests."""

import gc
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from penalized_bandits.common.garbage import objects_that_stay
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


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave the search as it was: jobs of the workflow, imported in this process, turn it off."""
    before = gc.isenabled()
    yield
    (gc.enable if before else gc.disable)()


@pytest.mark.parametrize("on", [True, False])
def test_the_search_is_as_before_also_after_an_error(on: bool) -> None:
    (gc.enable if on else gc.disable)()
    with pytest.raises(ZeroDivisionError), objects_that_stay():
        _ = 1 / gc.isenabled()  # which is False
    assert gc.isenabled() == on


def test_objects_that_the_user_froze_stay_frozen() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with objects_that_stay():
            pass
        assert 0 < gc.get_freeze_count() <= frozen  # some of them end in between
    finally:
        gc.unfreeze()
