"""What an output says of its making, and whether it is still what was written.

Beside ``setting_1.csv`` lies ``setting_1.origin.json``.  It names the files that one job
wrote under this name, with their checksums, and what they were made with: config, code,
seed and ratings.  Tables are read through this module, which finds out if a byte of them
changed since.  Nothing here tells the time or a path of the machine: the same results have
the same origins.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from penalized_bandits.common.errors import OriginError
from penalized_bandits.storage.files import write_text

SUFFIX = ".origin.json"


def origin_path(path: Path | str) -> Path:
    """Return where the origin of a file is: a name for all forms of one result."""
    return Path(path).with_name(Path(path).stem + SUFFIX)


def digest_of(path: Path | str, algorithm: str = "sha256") -> str:
    """Return a file's checksum, by default its SHA-256, read in pieces."""
    with Path(path).open("rb") as file:
        new = partial(hashlib.new, algorithm, usedforsecurity=False)
        return hashlib.file_digest(file, new).hexdigest()


def read_origin(path: Path | str) -> dict[str, Any]:
    """Read an origin.

    Raises OriginError if the file is missing or damaged.
    """
    try:
        origin = json.loads(Path(path).read_bytes())
        if origin.pop("sha256") == _seal(origin):
            return origin
    except OSError as error:
        raise OriginError(f"{path} cannot be read ({error.strerror}): run again") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
    raise OriginError(f"{path} is not what was written: delete it and run again")


def _seal(content: Mapping[str, Any]) -> str:
    """Return the checksum of an origin itself."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def mark(path: Path | str) -> str:
    """Return the checksum of a file's origin, by which pages name it; nothing if it has none."""
    origin = origin_path(path)
    return _seal(read_origin(origin)) if origin.is_file() else ""


def check(path: Path | str, found: str | None = None) -> None:
    """Check a file, or its SHA-256, against its origin; a file without one is taken as it is.

    Raises OriginError if a byte of it changed since it was written, or its origin is damaged.
    """
    found = digest_of(path) if found is None else found
    origin = origin_path(path)
    if not origin.is_file():
        return
    if read_origin(origin)["files"].get(Path(path).name, found) != found:
        raise OriginError(
            f"{path} is not what was written: its SHA-256 is not the one in {origin}; "
            f"delete {path} and run again"
        )


def read_bytes(path: Path | str) -> bytes:
    """Read a file, and check it as `check` does."""
    content = Path(path).read_bytes()
    check(path, hashlib.sha256(content).hexdigest())
    return content


def read_json(path: Path | str) -> Any:
    """Read JSON, and check it as `check` does.

    Raises OriginError if it is not what was written, or no JSON.
    """
    try:
        return json.loads(read_bytes(path))
    except ValueError as error:
        raise OriginError(f"{path} is not JSON ({error}): delete it and run again") from None


def check_made_with(path: Path | str, expected: Mapping[str, str]) -> dict[str, Any]:
    """Return a result's origin, having compared the experiments behind it.

    ``path`` is the origin, or a file that has one; ``expected`` says what identifies each
    experiment in this run.  Raises OriginError if the result is of another config, seed or code.
    """
    origin = read_origin(path if str(path).endswith(SUFFIX) else origin_path(path))
    for name, identity in origin["experiments"].items():
        if expected.get(name, identity) != identity:
            files = ", ".join(str(Path(path).with_name(file)) for file in origin["files"])
            raise OriginError(
                f"{files}: made with another config, seed or code than this run's ({name}); "
                "delete what is named and run again"
            )
    return origin


def without_details(origin: Mapping[str, Any]) -> dict[str, Any]:
    """Return an origin without what is in it for readers alone."""
    return {key: value for key, value in origin.items() if key != "details"}


def ratings_behind(inputs: Iterable[Path | str], expected: Mapping[str, str]) -> Any:
    """Return where the ratings behind some results came from; None where there are none.

    Raises OriginError if two results stand on different ratings, or one is of another config or
    code.
    """
    found, first = None, None
    for path in inputs:
        if not origin_path(path).is_file():
            continue
        ratings = check_made_with(path, expected).get("ratings")
        if ratings is None:
            continue
        if found is not None and ratings != found:
            raise OriginError(f"{path} and {first} stand on different ratings: delete both")
        found, first = ratings, path
    return found


def write_origin(
    target: Path | str,
    origin: Mapping[str, Any],
    files: Sequence[Path | str],
    inputs: Iterable[Path | str] = (),
    ratings: Mapping[str, Any] | None = None,
) -> None:
    """Write the origin of files that were just written, whole or not at all.

    - ``target``: where to; `origin_path` says where readers look for it.
    - ``origin``: seed, hashes of config and code, and what identifies each experiment.
    - ``inputs``: results that they were made from.
    - ``ratings``: where the ratings came from; by default what the inputs say.

    Raises OriginError if the inputs are not all of the same config and code.
    """
    found = ratings_behind(inputs, origin["experiments"]) if ratings is None else dict(ratings)
    content = {
        "files": {Path(file).name: digest_of(file) for file in files},
        "package": f"penalized-bandits {version('penalized-bandits')}",
        **origin,
        "ratings": found,
    }
    content["sha256"] = _seal(content)
    write_text(target, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
