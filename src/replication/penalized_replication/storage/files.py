"""Read JSON and YAML; checksums and hashes of many files."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from penalized_bandits.common.files import digest, digest_of
from penalized_replication.common.errors import ResultsError

YAML_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""That of libyaml, where it is: several times as fast."""


def read_json(path: Path | str) -> Any:
    """Read JSON; raise ResultsError, which names the file, if it is none."""
    try:
        return json.loads(Path(path).read_bytes())
    except ValueError as error:
        raise ResultsError(f"{path} is not JSON ({error}): delete it and run again") from None


def hash_of(digests: Iterable[str]) -> str:
    """Return one hash of the digests of files of code, in any order, as rules have it."""
    return f"code {digest(''.join(sorted(digests)), 12)}"


def checksums_of(files: Iterable[str], folder: Path) -> str:
    """Return the checksums of files as ``sha256sum`` writes them, sorted by name from a folder."""
    names = {Path(os.path.relpath(file, folder)).as_posix(): file for file in files}
    return "".join(f"{digest_of(file)}  {name}\n" for name, file in sorted(names.items()))
