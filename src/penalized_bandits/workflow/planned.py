"""What a run was planned with; each job looks whether it is still that.

Jobs begin for as long as a run lasts, and each imports the package anew.  What is edited
meanwhile would give results of two versions, noted as one.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from penalized_bandits.common.digest import digest
from penalized_bandits.common.errors import RunError
from penalized_bandits.storage.files import digest_of

VARIABLE = "PENALIZED_BANDITS_PLANNED"
"""Environment variable with a hash for each name; jobs inherit it, on a cluster too."""
PACKAGE = Path(__file__).parents[1]


def _hash_of(folder: Path) -> str:
    """Return the hash of a folder's files: of the package's own folder without those below."""
    paths = folder.glob("*.*") if folder == PACKAGE else folder.rglob("*.*")
    files = sorted(path for path in paths if path.parent.name != "__pycache__" and path.is_file())
    return digest("".join(f"{digest_of(path)} {path.relative_to(folder)}\n" for path in files), 16)


def _folders() -> dict[str, Path]:
    """Return the folders from which this process has imported, by their names."""
    modules = (name.split(".") for name in list(sys.modules))
    names = {module[1] for module in modules if module[0] == PACKAGE.name and len(module) > 1}
    folders = {f"{PACKAGE.name}/{name}": PACKAGE / name for name in names}
    return {name: path for name, path in folders.items() if path.is_dir()} | {PACKAGE.name: PACKAGE}


def _script() -> dict[str, str]:
    """Return the hash of the script that this process is, by its name."""
    file = Path(getattr(sys.modules["__main__"], "__file__", None) or "")
    return {f"script {file.name}": digest_of(file)[:16]} if file.is_file() else {}


def _now(folders: dict[str, Path], files: Iterable[str]) -> Iterator[tuple[str, str]]:
    yield from ((name, _hash_of(folder)) for name, folder in folders.items())
    if f"{PACKAGE.name}.policies" in sys.modules:
        from penalized_bandits.policies import POLICIES, imported
        from penalized_bandits.policies.fingerprint import fingerprint

        # As they were imported, which is as they are played.
        own = imported.registered()
        yield from ((f"policy {p}", fingerprint(POLICIES[p], p)[:16]) for p in own)
    yield from ((str(file), digest_of(file)[:16]) for file in files)


def plan(config: Any, scripts: Path, files: Iterable[str] = ()) -> None:
    """Note what a run is planned with, for its jobs.

    - ``config``: the config as values.
    - ``scripts``: the folder of the workflow's scripts, if it is on this machine.
    - ``files``: the user's own ratings.

    A job of a cluster reads the rules again: raises RunError if it finds another config.
    """
    settings = json.dumps(config, sort_keys=True, default=str)
    noted = {"config": digest(settings, 16), "pid": str(os.getpid())}
    given = json.loads(os.environ.get(VARIABLE, "{}"))
    if given.get("pid", noted["pid"]) != noted["pid"]:
        _compare(given, {"config": noted["config"]})
        return
    folders = {f"{PACKAGE.name}/{p.name}": p for p in PACKAGE.iterdir() if p.is_dir()}
    folders |= {PACKAGE.name: PACKAGE}
    noted |= {f"script {path.name}": digest_of(path)[:16] for path in scripts.glob("*.py")}
    os.environ[VARIABLE] = json.dumps(noted | dict(_now(folders, files)))


def check(inputs: Iterable[str] = ()) -> None:
    """Compare what this job has imported, and its ``inputs``, with what was planned.

    Raises RunError if something is not what it was.
    """
    given = json.loads(os.environ.get(VARIABLE, "{}"))
    if given:
        now = dict(_now(_folders(), [file for file in inputs if file in given]))
        _compare(given, now | _script())


def _compare(given: dict[str, str], now: dict[str, str]) -> None:
    changed = [name for name, value in now.items() if given.get(name, value) != value]
    if changed:
        raise RunError(
            f"{', '.join(changed)} changed while the run was at work: run the same command again"
        )
