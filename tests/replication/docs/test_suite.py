"""The test suite itself."""

import os
import subprocess
import sys
from pathlib import Path

from config_helpers import ROOT

TWO = """
from pathlib import Path
from time import sleep

def test_fails():
    assert "one" == "two"

def test_waits_until_that_is_seen():
    assert any(Path("seen").exists() or sleep(0.01) for _ in range(6000))
"""


def test_a_failure_is_printed_when_it_happens(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text(TWO, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-c", os.devnull, "-n", "1", "."]
    environ = {**os.environ, "PYTHONPATH": f"{ROOT / 'tests'}{os.pathsep}{ROOT / 'tests/helpers'}"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environ, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        seen = any("AssertionError: assert 'one' == 'two'" in line for line in process.stdout)
        (tmp_path / "seen").touch()
        rest = process.stdout.read()
    assert seen
    assert "1 failed, 1 passed" in rest
