"""The command line as a whole: help, versions, and errors in one line."""

import errno
import os
import re
import shlex
import sys
from importlib import metadata
from pathlib import Path
from unittest.mock import Mock

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import penalized_bandits
from penalized_bandits.cli import app
from penalized_bandits.cli.errors import INTERRUPTED
from programs import PROGRAM, RESTORED, failed, printed, printed_by, ran, said_by

COMMANDS = tuple(getattr(get_command(app), "commands", {}))
TWO_ARMS = "--means 0.9,0.6 --fairness 0.2 --penalties 0.35"
OWED = "--means 0.9,0.6 --fairness 0.2 --horizon 99"

BEHIND = OSError("Could not find/load shared object file 'libllvmlite.so'")
BEHIND.__cause__ = ImportError("libllvmlite.so: failed to map segment from shared object")
NO_MEMORY = OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
SHORT_OF_MEMORY = (MemoryError(), BEHIND, NO_MEMORY, RuntimeError("can't start new thread"))
BAD_USE = {
    f"simulate ucb1 {TWO_ARMS} --means 0.9,abc": "'--means': 'abc' is not a number",
    f"penalties {OWED} --keep 3": "'--keep': 3: each must be one of the arms 1 to 2, once ",
    f"penalties {OWED} --keep 2 --policy ucb1": "no penalty rate makes ucb1 keep a level",
    f"simulate ucb1 {TWO_ARMS} --rewards normal": "'--rewards'",
    f"simulate ucb1 {TWO_ARMS} --rewards beta --sd 1": "beta rewards have no sd",
    f"simulate lfg=x {TWO_ARMS}": "tuning of lfg: 'x' is not a number",
    f"simulate ucb1 {TWO_ARMS} --csv .": "'--csv'",
    "simulate ucb1": "Missing option '--means'",
    "nonsense": "No such command 'nonsense'",
}
WRONG = {
    f"simulate ucb1, {TWO_ARMS}": "unknown policy ''",
    f"simulate ucb1 {TWO_ARMS} --horizon 1.5": "horizon is 1.5: it must be a whole number",
    f"simulate ucb1 {TWO_ARMS} --checkpoints 20000": "checkpoints[1] is 20000: it must be at most",
    f"penalties {OWED} --horizon 10.5": "horizon is 10.5: it must be a whole number",
    f"simulate lfg=-3 {TWO_ARMS}": "η₀ of policy lfg is -3",
    f"penalties {OWED} --penalties 0.1,0.1,1": "penalties has shape (3,), but there are 2",
    "check-policy math:sqrt": "'math:sqrt' is no penalized_bandits.Policy: there are none",
}


@pytest.mark.parametrize("command", BAD_USE)
def test_bad_use(command: str) -> None:
    line = failed(command, 2)
    assert BAD_USE[command] in line
    # Which command it was, and whose help to ask.
    words = command.split()
    asked = f"penalized-bandits {words[0]}" if words[0] in COMMANDS else "penalized-bandits"
    assert line.startswith(f"{asked}: ")
    assert line.endswith(f"(see {asked} --help)")


@pytest.mark.parametrize("command", WRONG)
def test_what_makes_no_sense(command: str) -> None:
    line = failed(command, 1)
    assert line.startswith("penalized-bandits: ")
    assert WRONG[command] in line


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "full", "a.csv"), "a.csv: No space left on device; make room on "),
        (OSError(errno.ENOENT, "not there", "a.csv"), "[Errno 2] not there: 'a.csv'"),
        (OSError(errno.ENOSPC, "full"), "output, temporary file (TMPDIR) or compiled policy"),
        (OSError("set MPLCONFIGDIR"), "set MPLCONFIGDIR"),
        *((error, "not enough memory") for error in SHORT_OF_MEMORY),
    ],
)
def test_errors_of_a_machine(monkeypatch: pytest.MonkeyPatch, error: Exception, said: str) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("penalized_bandits.cli.terminal.table", fail)
    assert failed("policies", 1).startswith(f"penalized-bandits: {said}")


def test_a_mistake_of_our_own_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penalized_bandits.cli.terminal.table", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        CliRunner().invoke(app, ["policies"], catch_exceptions=False)


def examples_in(text: str) -> list[list[str]]:
    lines = text.partition("For example:\n")[2].replace("\\\n", " ").strip().splitlines()
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_that_can_be_parsed(command: str) -> None:
    text = printed(command, "--help")
    assert max(map(len, text.splitlines())) <= 80
    assert examples_in(text)
    for program, name, *arguments in examples_in(text):
        assert (program, name) == ("penalized-bandits", command)
        # With --help at the end everything is parsed and nothing is run.
        printed(name, *arguments, "--help")


def test_without_arguments_it_says_what_there_is() -> None:
    for arguments in ([], ["--help"]):
        text = printed(*arguments)
        assert all(re.search(rf"(?m)^  {name}  ", text) for name in COMMANDS)
        assert max(map(len, text.splitlines())) <= 80
        # What each command does is said to the end.
        assert "equality with plain Python." in " ".join(text.split())
        assert "..." not in text.replace("[ARGS]...", "")


IMPORTED = """
import sys
from penalized_bandits.cli import main
sys.argv = ["penalized-bandits", {arguments}]
try:
    main()
except SystemExit as end:
    assert end.code == 0, end
heavy = {{"numba", "numpy", "pandas", "scipy", "matplotlib", "snakemake"}}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""


@pytest.mark.parametrize("arguments", ["'simulate', '--help'", "'--version'"])
def test_help_imports_nothing_heavy(arguments: str) -> None:
    printed_by(IMPORTED.format(arguments=arguments))


@pytest.mark.parametrize("start", [[str(PROGRAM)], [sys.executable, "-m", "penalized_bandits"]])
def test_as_programs(start: list[str]) -> None:
    described = ran(*start, "--version")
    assert (described.returncode, described.stderr) == (0, "")
    assert described.stdout == f"penalized-bandits {penalized_bandits.__version__}\n"
    assert penalized_bandits.__version__ == metadata.version("penalized-bandits")


def test_without_metadata_the_version_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", Mock(side_effect=metadata.PackageNotFoundError))
    assert not hasattr(penalized_bandits, "__version__")
    assert printed("--version") == "penalized-bandits (not installed)\n"


def test_greek_does_not_end_a_command() -> None:
    latin = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    lines = said_by(PROGRAM, "policies", env=latin, encoding="latin-1").splitlines()
    line = next(line for line in lines if line.startswith("lfg "))
    assert re.search(r"\bLFG\b.*\?\?.*Li, Liu and Ji 2019$", line)


HEADER = "from penalized_bandits import Hints, Policy, Round\n"


def test_a_policy_in_plain_python_is_held_to_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = HEADER + 'policy = Policy("plain", choose=lambda state: int(state.means.argmax()))\n'
    (tmp_path / "plain_policy.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    text = printed("check-policy", "plain_policy:policy")
    assert "2 replicates of 100 rounds" in text
    assert re.search(r"plain Python \(its choose is not compiled\): [\d,]+ ns", text)


ENDLESS = """
import os, signal, threading
from penalized_bandits.engine import _jobs
def choose(state: Round) -> int:
    while state.n > 20: pass
    return 0
# Called just before the compiled loop is.
interrupt = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
_jobs.perf_counter = lambda: interrupt.is_alive() or interrupt.start() or 0
policy = Policy("endless", choose=choose, hints=Hints(compiles=True))
"""


def test_ctrl_c_ends_a_compiled_policy_that_loops_for_ever(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(RESTORED + HEADER + ENDLESS, encoding="utf-8")
    done = ran(PROGRAM, "check-policy", "endless:policy", cwd=tmp_path, timeout=120)
    assert done.returncode == INTERRUPTED, done.stderr
    assert done.stderr.endswith("penalized-bandits: interrupted\n")


def test_a_policy_of_the_package() -> None:
    text = printed("check-policy", "ucb1")
    assert text.count(" ok ") == 4
    assert re.search(r"compiled: \d+ ns a pull", text)
