"""What results were made with: a job reads none that another config made.

Snakemake's own records say so too, where they are and where its triggers are all in force.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from penalized_replication.common.errors import RunError
from penalized_replication.common.section import brief, leaves
from penalized_replication.storage.files import read_json


def check_made_with(expected: Mapping[str, Mapping[str, Any]]) -> None:
    """Check replicates and rating counts against what they should be made with, by path.

    Files that are not there pass, and counts without a record.  Raises RunError, which names the
    file, the first key that differs, and its values.
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
