"""The program, and the tables that its commands print."""

import shlex
import sys
from pathlib import Path

from typer import Typer
from typer.testing import CliRunner

from penalized_bandits.cli import app as library

PROGRAM = Path(sys.executable).with_name("penalized-bandits")

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
