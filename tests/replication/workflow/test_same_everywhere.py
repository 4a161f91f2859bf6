"""Reproducibility across machines: golden pulls, without numba and on an old processor.

``golden/pulls.csv`` holds the pulls of every platform.  The old processor lacks AVX and fused
multiply-add, in compiled code, in numpy and in the C library.
"""

import os
import platform
import re
import shutil
import sys
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
import yaml
from numba import njit

import golden_pulls as pulls
from config_helpers import FILE, ROOT
from penalized_bandits.engine import _lanes as lanes
from penalized_bandits.engine import _specialise as specialise
from penalized_bandits.engine._formulas import OUTER, bind
from penalized_bandits.engine.simulate import Engine
from penalized_bandits.policies.paper.hard_threshold_ucb import POLICY as UCB
from penalized_bandits.policies.paper.lfg import POLICY as LFG
from programs import ran, said_by
from smoke_run import TINY


def run(program: list[str], variables: dict[str, str], python: str = sys.executable) -> str:
    """Run Python in a new process, with warnings as errors; return what it prints."""
    return said_by(python, "-W", "error", *program, env={**os.environ, **variables})


def golden(*options: str) -> list[str]:
    return [str(ROOT / "tools/golden_pulls.py"), *options]


def make_tables(
    folder: Path, variables: dict[str, str], python: str = sys.executable
) -> dict[str, bytes]:
    """Make the summaries of the smoke run in a new process; return their bytes by name."""
    tiny = folder.with_suffix(".yaml")
    # More values of the tunings: those in the middle of a grid are not round.
    grids = {name: {**TINY[name], "tuning_values": 7} for name in ("setting_3", "setting_5")}
    tiny.write_text(yaml.safe_dump({**TINY, **grids}))
    program = [str(ROOT / "tests/helpers/tiny_tables.py"), str(folder), str(FILE), str(tiny)]
    run(program, variables, python)
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.csv"))}


def check_tables(folder: Path, variables: dict[str, str], python: str = sys.executable) -> None:
    expected = make_tables(folder / "expected", {})
    actual = make_tables(folder / "actual", variables, python)
    assert list(actual) == list(expected) != []
    assert [name for name in expected if actual[name] != expected[name]] == []


def old_processor() -> dict[str, str]:
    """Return the settings under which nothing newer than SSE4 is used."""
    show: Any = np.show_config
    extensions = show(mode="dicts")["SIMD Extensions"].get("found", [])
    return {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NPY_DISABLE_CPU_FEATURES": " ".join(extensions),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX512F",
    }


TWO = ["--policies", "hard_threshold_ucb", "lfg"]
SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("loop", "part"),
    [
        (None, pulls.compiled),
        ("lanes", pulls.compiled),
        pytest.param(None, pulls.one_loop, marks=pytest.mark.sample),
        pytest.param(None, pulls.every, marks=SLOW),
        pytest.param("lanes", pulls.every, marks=SLOW),
    ],
)
def test_the_engine(loop: Engine | None, part: pulls.Part) -> None:
    assert list(pulls.engine_lines(loop, part)) == pulls.golden_lines(part)


def test_the_oracle_on_the_other_policies() -> None:
    assert list(pulls.oracle_lines(pulls.few_others)) == pulls.golden_lines(pulls.few_others)


@pytest.mark.parametrize(
    "played",
    [
        pytest.param(["--few"], marks=pytest.mark.sample),
        pytest.param(["--oracle"], marks=SLOW),
        # The loops themselves in plain Python: what the compiler may not have changed.
        pytest.param([], marks=SLOW),
        pytest.param(["--lanes"], marks=SLOW),
    ],
    ids=" ".join,
)
def test_without_numba(played: list[str]) -> None:
    assert "same" in run(golden(*played), {"NUMBA_DISABLE_JIT": "1"})


@pytest.mark.parametrize(
    "whole", [pytest.param(False, marks=pytest.mark.sample), pytest.param(True, marks=SLOW)]
)
def test_an_old_processor(tmp_path: Path, *, whole: bool) -> None:
    variables = {**old_processor(), "PENALIZED_BANDITS_CACHE": str(tmp_path / "cache")}
    assert "same" in run(golden(*([] if whole else TWO)), variables)
    if whole:
        check_tables(tmp_path, variables)


FUSED = {"x86_64": r"\bvfn?m(add|sub)", "aarch64": r"\bfn?m(add|sub|la|ls)\b"}
"""Instructions that multiply and add with one rounding; Arm's registers decide what is added."""


def in_memory(function: FunctionType, signature: Any, *_: object) -> Any:
    return njit(signature, **OUTER)(function)


def assembly() -> str:
    """Compile two loops and the draws in memory, and return their instructions."""
    with pytest.MonkeyPatch.context() as patch:
        # Kernels that other tests compiled, or read from the disk, tell no instructions.
        patch.setattr(specialise, "_engine_digest", lambda: "shown")
        patch.setattr(specialise, "_njit", in_memory)
        draws = in_memory(bind(lanes.rewards_of, "rewards_of_shown"), specialise._REWARDS)
        patch.setattr(specialise, "_shared_kernel", lambda *_: draws)
        kernels = [draws, specialise.kernel(LFG, "lanes"), specialise.kernel(UCB, "leader")]
    return "\n".join(text for kernel in kernels for text in kernel.inspect_asm().values())


@pytest.mark.sample
@pytest.mark.skipif(platform.machine() not in FUSED, reason="instructions of no known processor")
def test_nothing_is_fused() -> None:
    # Products to add: LFG's Q + tau_k (n - s), Q + eta_0 min(...); mean + scale / sqrt(N_k).
    text = assembly()
    machine = platform.machine()
    multiplies = {"x86_64": r"\bv?mulpd", "aarch64": r"\bfmul\s+v"}[machine]
    assert re.search(multiplies, text), "no vector code to look at"
    assert re.findall(FUSED[machine], text) == []
    assert lanes.HAS_QUEUE is False  # the module's own flags are untouched


@pytest.mark.parametrize("horizon", [2, 300, 20_000, 10**9])
@pytest.mark.parametrize("points", [2, 3, 21, 41])
def test_the_grid_of_lfg_is_rounded_once(horizon: int, points: int) -> None:
    tuning = LFG.tuning
    assert tuning is not None
    assert tuning.tradeoff is not None
    values = tuning.tradeoff(points, 0.0, horizon)
    assert (values[0], values[-1], len(values)) == (1.0, float(horizon), points)
    for i, value in enumerate(values):
        # T^(i/(n-1)) lies within half a unit in the last place: compared as whole powers.
        half = Fraction(float(np.spacing(value))) / 2
        low, high = ((Fraction(value) + side * half) ** (points - 1) for side in (-1, 1))
        assert low <= Fraction(horizon) ** i <= high


# --- Other versions of Python ------------------------------------------------------

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [version for version in ("3.13", "3.12", "3.11", "3.14") if version != HERE]
NO_NETWORK = ("network", "connect", "dns", "timed out", "timeout", "Failed to fetch")


def interpreter(version: str) -> str | None:
    """Return an interpreter of a version that uv finds; None if there is none."""
    if shutil.which("uv") is None:
        return None
    found = ran("uv", "python", "find", "--no-project", version)
    return found.stdout.strip() if found.returncode == 0 else None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "whole"),
    [pytest.param(OTHERS[0], False, marks=pytest.mark.sample), *((v, True) for v in OTHERS)],
)
def test_another_python(version: str, whole: bool, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"uv finds no Python {version}")
    variables = {
        **{name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"},
        "UV_PROJECT_ENVIRONMENT": str(tmp_path / "environment"),
        "PENALIZED_BANDITS_CACHE": str(tmp_path / "cache"),
    }
    options = "--quiet --frozen --no-compile-bytecode"
    sync = ["uv", "sync", *options.split(), "--python", python]
    made = ran(*sync, cwd=ROOT, env=variables)
    if made.returncode and any(word in made.stderr for word in NO_NETWORK):
        pytest.skip(f"packages for Python {version} cannot be downloaded: {made.stderr[-300:]}")
    assert made.returncode == 0, made.stderr
    other = str(tmp_path / "environment/bin/python")
    shown = run(["-c", "import sys; print('{}.{}'.format(*sys.version_info))"], variables, other)
    assert shown.strip() == version
    assert "same" in run(golden(*([] if whole else TWO)), variables, other)
    if whole:
        check_tables(tmp_path, variables, other)
