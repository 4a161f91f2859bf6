"""Programs in processes of their own."""

import subprocess
import sys
from pathlib import Path
from typing import Any

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
