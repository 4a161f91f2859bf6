"""``check-policy``: what it says of good policies, broken ones, slow ones and none at all."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from terminal_helpers import failed, printed

HEADER = "import time\nfrom penalized_bandits import Hints, Policy, Round\n"
SLOW = """
def choose(state: Round) -> int:
    until = time.process_time() + 0.0003
    while time.process_time() < until:
        pass
    return int(state.means.argmax())

policy = Policy("slow", choose=choose)
"""


@pytest.mark.slow
def test_a_slow_policy_is_held_to_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_policy.py").write_text(HEADER + SLOW, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    start = time.process_time()
    text = printed("check-policy", "slow_policy:policy")
    # Held to what compiled policies are it would take 120 s: 400,000 pulls of 0.3 ms each.
    assert time.process_time() - start < 40
    assert "4 replicates of 100 rounds" in text
    said = r"plain Python \(its choose is not compiled\): [3-9]\d\d microseconds a pull"
    assert re.search(said, text)
    assert re.search(r"so \d+ hours for 1,000 replicates", text.replace("0.", ""))


ENDLESS = """
import sys
from penalized_bandits.cli import main
from penalized_bandits.engine import contract
contract.PATIENCE = 1
sys.argv = ["penalized-bandits", "check-policy", "endless:policy"]
main()
"""


@pytest.mark.parametrize("compiles", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_policy_that_loops_for_ever_is_stopped(tmp_path: Path, compiles: bool) -> None:
    text = (
        "def choose(state: Round) -> int:\n    while state.n > 20:\n        pass\n    return 0\n"
        f"policy = Policy('endless', choose=choose, hints=Hints(compiles={compiles}))\n"
    )
    (tmp_path / "endless.py").write_text(HEADER + text, encoding="utf-8")
    # A process of its own: what loops is in a thread that ends with it.
    done = subprocess.run(
        [sys.executable, "-c", ENDLESS], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 1, done.stderr
    assert "no pulls lost  FAILED  stopped after 1 s: the policy loops for ever" in done.stdout
    # Of the other checks nothing is said.
    assert len(done.stdout.splitlines()) == 4


def test_a_policy_of_the_package() -> None:
    text = printed("check-policy", "ucb1")
    assert text.count(" ok ") == 7
    assert re.search(r"compiled: \d+ ns a pull", text)


def test_what_is_no_policy() -> None:
    line = failed("check-policy math:sqrt", 1)
    assert "'math:sqrt' is a builtin_function_or_method: it must be a" in line
