"""Wheel and source archive: metadata, files, and the library installed alone."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from test_environment import PROJECT

from config_helpers import ROOT
from docs_pages import blocks

pytestmark = pytest.mark.slow

NO_NETWORK = ("network", "connect", "dns", "timed out", "timeout", "Failed to fetch")
USED = """
import sys
from penalized_bandits import POLICIES, BanditError, Gaussian, Instance, simulate
from penalized_bandits.live.player import Player

bandit = Instance(means=[0.9, 0.5], fairness=[0.1, 0.2], penalties=0.3, rewards=Gaussian(0.1))
for name in ("hard_threshold_ucb", "ucb1"):
    pulls = simulate(name, bandit, horizon=100, replicates=2, seed=1).pulls
    assert pulls[:, -1].sum(axis=1).tolist() == [100, 100]
player = Player("hard_threshold_ucb", fairness=[0.1, 0.2], penalties=0.3)
assert player.choose() in (0, 1)
assert POLICIES
assert not {"snakemake", "pandas", "pydantic"} & set(sys.modules)
"""


def run(*command: str | Path, folder: Path) -> str:
    """Return the output of a command; skip the test if the command only lacks a network."""
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    if done.returncode and any(word in done.stderr for word in NO_NETWORK):
        pytest.skip(f"packages cannot be downloaded: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the source archive, and the wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    run("uv", "build", "--quiet", ROOT, "--out-dir", folder, folder=folder)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


def test_the_index_would_take_them(built: tuple[Path, Path]) -> None:
    said = run("uvx", "twine", "check", "--strict", *built, folder=built[0].parent)
    assert said.count("PASSED") == 2


def test_wheel_has_the_package_and_all_its_files(built: tuple[Path, Path]) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("only a clone knows its files")
    tracked = run("git", "ls-files", "src", folder=ROOT).split()
    within = {name.removeprefix("src/") for name in tracked}
    assert within == {n for n in zipfile.ZipFile(built[1]).namelist() if ".dist-info/" not in n}


def test_simulator_and_player_work_with_numba_and_numpy_alone(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    run("uv", "venv", "--quiet", "--python", sys.executable, "clean", folder=tmp_path)
    python = tmp_path / "clean/bin/python"
    run("uv", "pip", "install", "--quiet", "--python", python, built[1], folder=tmp_path)
    listed = run("uv", "pip", "list", "--format", "freeze", "--python", python, folder=tmp_path)
    assert {line.partition("==")[0] for line in listed.split()} == {
        PROJECT["project"]["name"], "numba", "numpy", "llvmlite"
    }  # fmt: skip
    run(python, "-W", "error", "-c", USED, folder=tmp_path)
    guide = "\n".join(b.text for b in blocks("how-to/live.md") if b.language == "python")
    run(python, "-c", guide, folder=tmp_path)
