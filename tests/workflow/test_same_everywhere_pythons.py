"""Other versions of Python, in environments of their own from the lock: the same bytes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_same_everywhere import (
    ROOT,
    TWO,
    assert_same_files,
    make_tables,
    tables_in,
    tables_program,
)

pytestmark = pytest.mark.slow

SUPPORTED = ("3.13", "3.12", "3.11", "3.14")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [version for version in SUPPORTED if version != HERE]
NO_NETWORK = ("network", "connect", "dns", "timed out", "timeout", "Failed to fetch")


def output_of(*command: str) -> str | None:
    """Return what a command prints, or None if it fails or there is no such command."""
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    return done.stdout.strip() if done.returncode == 0 else None


def interpreter(version: str) -> str | None:
    """Return an interpreter of a version, from uv or from pyenv; None if there is none."""
    found = output_of("uv", "python", "find", "--no-project", version)
    if found:
        return found
    # pyenv's commands on the path fail for versions that are there but not switched on.
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
    environment = tmp_path / "environment"
    variables = {
        **{name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"},
        "UV_PROJECT_ENVIRONMENT": str(environment),
        "PENALIZED_BANDITS_CACHE": str(tmp_path / "cache"),
    }
    sync = [
        "uv",
        "sync",
        "--quiet",
        "--frozen",
        "--no-dev",
        "--extra",
        "workflow",
        "--no-compile-bytecode",
    ]
    made = subprocess.run(
        [*sync, "--python", python],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        encoding="utf-8",
    )
    if made.returncode and any(word in made.stderr for word in NO_NETWORK):
        pytest.skip(f"packages for Python {version} cannot be downloaded: {made.stderr[-300:]}")
    assert made.returncode == 0, made.stderr
    other = str(environment / "bin/python")

    def run(*program: str) -> str:
        done = subprocess.run(
            [other, "-W", "error", *program], env=variables, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert run("-c", "import sys; print('{}.{}'.format(*sys.version_info))").strip() == version
    assert "same" in run(str(ROOT / "tools/golden_pulls.py"), *([] if whole else TWO))
    if not whole:
        return
    run(*tables_program(tmp_path / "there"))
    assert_same_files(tables_in(tmp_path / "there"), make_tables(tmp_path / "here", {}))
