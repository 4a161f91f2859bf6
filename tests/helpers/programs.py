"""Programs in processes of their own, and commands in this one."""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer import Typer
from typer.testing import CliRunner

from penalized_bandits.cli import app as library

PROGRAM = Path(sys.executable).with_name("penalized-bandits")
RESTORED = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""For a program that is to be interrupted: jobs in the background ignore it, and hand that down."""
USUAL: dict[str, Any] = {"encoding": "utf-8", "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def ran(*command: str | Path, **how: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, check=False, **{**USUAL, **how})


def said_by(*command: str | Path, **how: Any) -> str:
    done = ran(*command, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def printed_by(code: str, *arguments: str, **how: Any) -> str:
    return said_by(sys.executable, "-c", code, *arguments, **how)


WITHOUT_EXTRAS = """
from importlib import import_module
from pkgutil import walk_packages
import penalized_bandits as pb
for module in walk_packages(pb.__path__, "penalized_bandits."):
    if ".cli" not in module.name:
        import_module(module.name)
bandit = pb.Instance([0.9, 0.5], 0.2, 0.5, pb.Bernoulli())
run = pb.simulate("hard_threshold_ucb", bandit, 50, replicates=4)
assert pb.penalized_regret(run.pulls[:, -1], bandit).all()
pb.oracle_frontier(bandit, 50)
from penalized_bandits.live import Player
for policy in ("kl_hard_threshold", "thompson_hard_threshold"):
    player = Player(policy, bandit.fairness, bandit.penalties)
    player.update(player.choose(), 0.5)
    assert Player.from_state(player.state()).rounds == 1
from penalized_bandits.__main__ import main
main()
"""
"""All that the library does without an extra; the command line at the end needs one."""


def printed(*arguments: str, app: Typer = library) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def failed(command: str, code: int, app: Typer = library) -> str:
    result = CliRunner().invoke(app, shlex.split(command))
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)
    line, end, rest = result.stderr.partition("\n")
    assert (end, rest) == ("\n", "")
    return line
