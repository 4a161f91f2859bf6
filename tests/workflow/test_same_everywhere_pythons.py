"""Reproducibility across versions of Python, each in an environment made from the lock."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_same_everywhere import ROOT, TWO, check_tables, golden, run

pytestmark = pytest.mark.slow

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [version for version in ("3.13", "3.12", "3.11", "3.14") if version != HERE]
NO_NETWORK = ("network", "connect", "dns", "timed out", "timeout", "Failed to fetch")


def output_of(*command: str) -> str | None:
    """Return what a command prints; None if it fails or does not exist."""
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    return done.stdout.strip() if done.returncode == 0 else None


def interpreter(version: str) -> str | None:
    """Return an interpreter of a version, from uv or from pyenv; None if there is none."""
    path = output_of("uv", "python", "find", "--no-project", version)
    if path:
        return path
    # pyenv's commands on the path fail for versions that are installed but not active.
    for installed in (output_of("pyenv", "versions", "--bare") or "").split():
        if installed.startswith(f"{version}."):
            prefix = output_of("pyenv", "prefix", installed)
            return None if prefix is None else str(Path(prefix) / "bin/python")
    return None


@pytest.mark.parametrize(
    ("version", "whole"),
    [pytest.param(OTHERS[0], False, marks=pytest.mark.sample), *((v, True) for v in OTHERS)],
)
def test_another_python(version: str, whole: bool, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"neither uv nor pyenv finds Python {version}")
    variables = {
        **{name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"},
        "UV_PROJECT_ENVIRONMENT": str(tmp_path / "environment"),
        "PENALIZED_BANDITS_CACHE": str(tmp_path / "cache"),
    }
    options = "--quiet --frozen --no-compile-bytecode"
    sync = ["uv", "sync", *options.split(), "--python", python]
    made = subprocess.run(sync, cwd=ROOT, env=variables, capture_output=True, encoding="utf-8")
    if made.returncode and any(word in made.stderr for word in NO_NETWORK):
        pytest.skip(f"packages for Python {version} cannot be downloaded: {made.stderr[-300:]}")
    assert made.returncode == 0, made.stderr
    other = str(tmp_path / "environment/bin/python")
    shown = run(["-c", "import sys; print('{}.{}'.format(*sys.version_info))"], variables, other)
    assert shown.strip() == version
    assert "same" in run(golden(*([] if whole else TWO)), variables, other)
    if whole:
        check_tables(tmp_path, variables, other)
