"""What a run was planned with, and its inputs made with; each job looks whether it is still that.

Jobs begin for as long as a run lasts, and each imports the package anew: what is edited meanwhile
would give results of two versions, noted as one.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import penalized_bandits
from penalized_bandits.common.files import digest
from penalized_replication.common.errors import RunError
from penalized_replication.common.section import brief, leaves
from penalized_replication.storage.files import read_json

VARIABLE = "PENALIZED_BANDITS_PLANNED"
"""Environment variable with a hash for each name; jobs inherit it, on a cluster too."""
PACKAGE = Path(__file__).parents[1]
LIBRARY = Path(penalized_bandits.__file__).parent
CODE = "code."
"""How a param begins that is a file of code and its hash (`code.Code`)."""


def _place(name: str, *folders: Path) -> Path | None:
    places = (folder / name for folder in (PACKAGE, LIBRARY.parent, *folders))
    return next(filter(Path.is_file, places), None)


def code_param(name: str, workflow: Path) -> str:
    """Return the param of a file of code: its name and hash.

    A name is from the replication's package (``figures/style.py``), from the folder of the
    library's (``penalized_bandits/engine/play.py``) or from the folder ``workflow``.
    """
    file = _place(name, workflow)
    return f"{CODE}{name} {digest(file.read_bytes(), 12) if file else 'lost'}"


def _name(param: str) -> str:
    return param.removeprefix(CODE).rpartition(" ")[0]


def _policies() -> dict[str, str]:
    """Return the user's own policies as they were imported, which is as they are played."""
    if f"{LIBRARY.name}.policies" in sys.modules:
        from penalized_bandits.policies import POLICIES
        from penalized_bandits.policies.fingerprint import fingerprint
        from penalized_replication.experiments.own_policies import REGISTERED

        return {f"policy {p}": fingerprint(POLICIES[p], p)[:16] for p in REGISTERED}
    return {}


def plan(config: Any, code: Iterable[str] = ()) -> None:
    """Note what a run is planned with, for its jobs: config, own policies, each file of code.

    A job of a cluster reads the rules again: raises RunError if it finds another config.
    """
    settings = json.dumps(config, sort_keys=True, default=str)
    noted = {"config": digest(settings, 16), "pid": str(os.getpid())}
    given = json.loads(os.environ.get(VARIABLE, "{}"))
    if given.get("pid", noted["pid"]) != noted["pid"]:
        _compare(given, {"config": noted["config"]})
        return
    named = {_name(text): text for text in code}
    os.environ[VARIABLE] = json.dumps(noted | named | _policies())


def check(params: Iterable[Any], scripts: Path) -> None:
    """Raise RunError if code or policies of a job, by its params, are not those of the plan."""
    given = json.loads(os.environ.get(VARIABLE, "{}"))
    now = _policies() if given else {}
    for text in [text for each in params for text in (each if isinstance(each, list) else [each])]:
        name = _name(str(text))
        # A module's scripts may come from a host: then no folder of this machine has them.
        if str(text).startswith(CODE) and (scripts.is_dir() or _place(name)):
            given.setdefault(name, text)
            now[name] = code_param(name, scripts.parent)
    _compare(given, now)


def _compare(given: dict[str, str], now: dict[str, str]) -> None:
    changed = [name for name, value in now.items() if given.get(name, value) != value]
    if changed:
        raise RunError(
            f"{', '.join(changed)} changed while the run was at work: run the same command again"
        )


def check_made_with(expected: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise RunError, by path, for replicates and rating counts that are made with other values.

    Files that are not there pass, and counts without a record.
    """
    for path, now in expected.items():
        if not (made := _origin(Path(path))):
            continue
        before, after = dict(leaves(made)), dict(leaves(now))
        for key in after | before:
            if before.get(key) != after.get(key):
                raise RunError(
                    f"{path} was made with {key} {brief(before.get(key))}, the config has "
                    f"{brief(after.get(key))}: delete it and run again (delete also what was "
                    "made from it, or all results)"
                )


def _origin(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    if path.suffix == ".parquet":
        # Not above: the rules import this module, and pyarrow takes long.
        from penalized_replication.storage.replicates import read_metadata

        return read_metadata(path)
    record = path.with_name("provenance.json")
    return read_json(record).get("config", {}) if record.is_file() else {}
