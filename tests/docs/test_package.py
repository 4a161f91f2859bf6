"""Wheel and source archive of the library: metadata, files, and what they bring."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from config_helpers import ROOT

pytestmark = pytest.mark.slow

NO_NETWORK = ("network", "connect", "dns", "timed out", "timeout", "Failed to fetch")


def run(*command: str | Path, folder: Path, fails: bool = False) -> str:
    """Return the output of a command; skip the test if the command only lacks a network."""
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    if done.returncode and any(word in done.stderr for word in NO_NETWORK):
        pytest.skip(f"packages cannot be downloaded: {done.stderr[-300:]}")
    assert bool(done.returncode) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr * fails


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the source archive, and the wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    run("uv", "build", "--quiet", ROOT / "src/library", "--out-dir", folder, folder=folder)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


def test_the_index_would_take_them(built: tuple[Path, Path]) -> None:
    said = run("uvx", "twine", "check", "--strict", *built, folder=built[0].parent)
    assert said.count("PASSED") == 2


def test_wheel_has_the_package_and_all_its_files(built: tuple[Path, Path]) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("only a clone knows its files")
    tracked = run("git", "ls-files", "penalized_bandits", folder=ROOT / "src/library").split()
    within = {n for n in zipfile.ZipFile(built[1]).namelist() if ".dist-info/" not in n}
    assert within == {*tracked}


def test_wheel_is_small_and_has_no_data(built: tuple[Path, Path]) -> None:
    assert built[1].stat().st_size <= 200_000
    names = zipfile.ZipFile(built[1]).namelist()
    assert {Path(n).suffix for n in names if ".dist-info/" not in n} == {".py", ".typed"}


EVERY_MODULE = """
from importlib import import_module
from pkgutil import walk_packages
import penalized_bandits
for module in walk_packages(penalized_bandits.__path__, "penalized_bandits."):
    if not module.name.startswith("penalized_bandits.cli"):
        import_module(module.name)
run = penalized_bandits.simulate(
    "ucb1", penalized_bandits.Instance([0.9, 0.5], 0.2, 0.5, penalized_bandits.Beta()), 50
)
print(run.pulls.sum())
"""


@pytest.mark.parametrize("editable", [False, True])
def test_library_alone(
    built: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editable: bool
) -> None:
    source = ["-e", ROOT / "src/library"] if editable else [built[1]]
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    run("uv", "venv", "--quiet", tmp_path / "venv", folder=tmp_path)
    python = tmp_path / "venv/bin/python"
    run("uv", "pip", "install", "--quiet", "--python", python, *source, folder=tmp_path)
    assert run(python, "-c", EVERY_MODULE, folder=tmp_path) == "5000\n"
    said = run(python, "-m", "penalized_bandits", folder=tmp_path, fails=True)
    assert "the command line needs 'typer': pip install '" in said
    said = run(python, "-c", "import penalized_replication", folder=tmp_path, fails=True)
    assert "No module named 'penalized_replication'" in said
