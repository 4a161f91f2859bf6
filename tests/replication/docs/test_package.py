"""Wheel and source archive of the library: metadata, files, and what they bring."""

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from config_helpers import ROOT
from programs import WITHOUT_EXTRAS, ran

pytestmark = pytest.mark.slow

NO_NETWORK = ("network", "connect", "dns", "timed out", "timeout", "Failed to fetch")


def run(*command: str | Path, folder: Path, fails: bool = False) -> str:
    """Return the output of a command; skip the test if the command only lacks a network."""
    done = ran(*command, cwd=folder)
    if done.returncode and any(word in done.stderr for word in NO_NETWORK):
        pytest.skip(f"packages cannot be downloaded: {done.stderr[-300:]}")
    assert bool(done.returncode) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr * fails


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("dist")
    run("uv", "build", "--quiet", ROOT / "src/library", "--out-dir", folder, folder=folder)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


def test_wheel_has_all_files_of_the_package_which_are_code_alone(built: tuple[Path, Path]) -> None:
    files = [f for f in zipfile.ZipFile(built[1]).infolist() if ".dist-info/" not in f.filename]
    assert {Path(f.filename).suffix for f in files} == {".py", ".typed"}
    # Data would have longer lines, or more of them: modules have 350 lines of 100 at most.
    assert max(f.file_size for f in files) <= 350 * 100
    if not (ROOT / ".git").exists():
        pytest.skip("only a clone knows its files")
    tracked = run("git", "ls-files", "penalized_bandits", folder=ROOT / "src/library").split()
    assert {f.filename for f in files} == {*tracked}


@pytest.mark.parametrize("editable", [False, True])
def test_library_alone(
    built: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editable: bool
) -> None:
    source = ["-e", ROOT / "src/library"] if editable else [built[1]]
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    run("uv", "venv", "--quiet", tmp_path / "venv", folder=tmp_path)
    python = tmp_path / "venv/bin/python"
    run("uv", "pip", "install", "--quiet", "--python", python, *source, folder=tmp_path)
    said = run(python, "-c", WITHOUT_EXTRAS, folder=tmp_path, fails=True)
    assert "this needs 'typer': pip install '" in said
    said = run(python, "-c", "import penalized_replication", folder=tmp_path, fails=True)
    assert "No module named 'penalized_replication'" in said


# --- A minimal Debian --------------------------------------------------------------

DEBIAN = ["--variant=minbase", "--include=python3-venv,ca-certificates,git"]
DEBIAN += ["--customize-hook=chroot $1 useradd --create-home --uid 1000 user", "trixie"]
NAMES = re.compile(r"(PIP|SSL|UV(?!_PROJECT|_RUN))_\w+|\w+_CA_\w+|\w+_PROXY", re.IGNORECASE)
VARIABLES = {name: value for name, value in os.environ.items() if NAMES.fullmatch(name)}
"""Ways to the network, certificates and indexes of packages."""
SETTINGS = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/uv/uv.toml")
SETTINGS += ("~/.config/pip/pip.conf", "~/.config/uv/uv.toml")
# Mounts last as long as the command.
ENTER = """
mount --bind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
exec chroot --userspec=1000:1000 "$0" sh -c "$1"
"""
LEFT_OUT = (".git", ".venv", ".snakemake", ".*_cache", "__pycache__", "results", "build")


@pytest.fixture(scope="module", name="debian")
def debian_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a minimal Debian with the project in the home of its one user."""
    if os.geteuid() or shutil.which("mmdebstrap") is None:
        pytest.skip("a minimal Debian is made by root with mmdebstrap")
    root = tmp_path_factory.mktemp("debian") / "root"
    done = ran("mmdebstrap", *DEBIAN, root)
    if done.returncode and "apt-get update" in done.stderr.splitlines()[-1]:
        pytest.skip(f"Debian's packages cannot be downloaded: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    home = root / "home/user"
    shutil.copytree(ROOT, home / "project", ignore=shutil.ignore_patterns(*LEFT_OUT))
    # Variables name files too.
    for path in (*SETTINGS, *VARIABLES.values()):
        ours, theirs = Path(path).expanduser(), root / path.replace("~", "home/user").lstrip("/")
        if ours.is_file():
            theirs.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ours, theirs)
    subprocess.run(["chown", "-R", "1000:1000", home], check=True)
    root.chmod(0o755)
    return root


@pytest.mark.parametrize(
    ("line", "end"),
    [(0, "--configfile config/quick.yaml"), (1, "tests/library/bandit/test_regret.py")],
)
def test_commands_of_the_readme(debian: Path, line: int, end: str) -> None:
    block = (ROOT / "README.md").read_text("utf-8").split("```bash\n")[1]
    command = f"{block.splitlines()[line].partition('#')[0]} {end}"
    environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/home/user", **VARIABLES}
    enter = ("unshare", "--mount", "sh", "-c", ENTER, debian)
    done = ran(*enter, f"cd ~/project && {command}", env=environ)
    assert done.returncode == 0, (done.stdout + done.stderr)[-5000:]
