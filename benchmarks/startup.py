"""A new process that imports and calls what was compiled before: a line of numba's, and ours."""

import os
import subprocess
import sys
from pathlib import Path

from benchmarks.cases import Case

ONE_LINE = """from numba import njit
@njit(cache=True)
def f(x): return x + 1
f(1.0)
"""
SIMULATION = """from penalized_bandits import Bernoulli, Instance, simulate
bandit = Instance([0.9, 0.5], 0.2, 0.5, Bernoulli())
simulate("{policy}", bandit, 1000, replicates=4)
"""


def output(name: str, code: str) -> str:
    """Run a program in a new process; return its output."""
    program = Path(name)
    if not program.is_file():  # numba compiles a file of another time anew
        program.write_text(code, encoding="utf-8")
    # Python keeps bytecode, as it does for users.
    settings = {"PENALIZED_BANDITS_CACHE": str(Path.cwd()), "PYTHONDONTWRITEBYTECODE": ""}
    return subprocess.check_output([sys.executable, name], env=os.environ | settings, text=True)  # noqa: S603


def one_line(_: Case) -> None:
    """Import numba and call a function of one line."""
    output("one_line.py", ONE_LINE)


def first_simulation(case: Case) -> None:
    """Import the package and simulate once."""
    output("first_simulation.py", SIMULATION.format(policy=case.policy))
