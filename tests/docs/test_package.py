"""Wheel and source archive: metadata and files."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from config_helpers import ROOT

pytestmark = pytest.mark.slow

NO_NETWORK = ("network", "connect", "dns", "timed out", "timeout", "Failed to fetch")


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
