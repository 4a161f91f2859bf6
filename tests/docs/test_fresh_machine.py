"""README's first two commands on a minimal Debian 13, by a user without rights."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from config_helpers import ROOT

pytestmark = pytest.mark.slow

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
    done = subprocess.run(["mmdebstrap", *DEBIAN, root], capture_output=True, encoding="utf-8")
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
    ("line", "end"), [(0, "--configfile config/quick.yaml"), (1, "tests/bandit/test_regret.py")]
)
def test_commands_of_the_readme(debian: Path, line: int, end: str) -> None:
    block = (ROOT / "README.md").read_text("utf-8").split("```bash\n")[1]
    command = f"{block.splitlines()[line].partition('#')[0]} {end}"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", ENTER, debian, f"cd ~/project && {command}"],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/home/user", **VARIABLES},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout[-5000:]
