"""Check results as a whole: that they are what was written, and all of one config and code.

``results/checksums.txt`` has a line for each file that comes out the same anywhere, in the
form of ``sha256sum``: what two machines have in common is what ``diff`` says of theirs.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from penalized_bandits.common.errors import OriginError
from penalized_bandits.storage.origins import SUFFIX, digest_of, read_json, read_origin


def _problem(origin: str, expected: Sequence[str] | None = None) -> str | None:
    """Say what is wrong with the files of one origin; None if nothing is.

    Where they are missing only their origin is left: an interrupted deletion.
    """
    try:
        found = read_origin(origin)
    except OriginError as error:
        return str(error)
    files = {str(Path(origin).with_name(name)): sha for name, sha in found["files"].items()}
    gone = [file for file in files if not Path(file).is_file()]
    if gone:
        return (
            f"{', '.join(gone)}: missing, though {origin} is there; delete that too, or make it "
            f"again with 'snakemake --cores all {gone[0]}'"
        )
    changed = [file for file, sha in files.items() if digest_of(file) != sha]
    if changed:
        return (
            f"{', '.join(changed)}: not what was written (its SHA-256 is not the one in "
            f"{origin}); delete and run again"
        )
    if expected is not None and [found.get("config"), found.get("code")] != list(expected):
        return (
            f"{', '.join(files)}: made with another config, seed or code than this run's; "
            "delete and run again"
        )
    return None


def check_all(expected: Mapping[str, Sequence[str]]) -> int:
    """Check the files of all origins; return how many there are.

    ``expected`` has for each origin the hashes of config and code that belong in it.  Raises
    OriginError, which names every file that is not what was written, or of another config or code.
    """
    _raise(_problem(origin, hashes) for origin, hashes in expected.items())
    return sum(len(read_origin(origin)["files"]) for origin in expected)


def _raise(found: Iterable[str | None]) -> None:
    problems = [problem for problem in found if problem is not None]
    if problems:
        raise OriginError("\n".join(problems))


def check_folder(folder: Path | str) -> int:
    """Check every file below a folder that has an origin; return how many there are.

    Raises OriginError, which names every file that is not what was written, or missing, and ratings
    of the user's that are not those that the results were made from.
    """
    origins = sorted(map(str, Path(folder).rglob(f"*{SUFFIX}")))
    _raise(map(_problem, origins))
    _raise(map(_other_ratings, sorted(Path(folder).rglob("provenance.json"))))
    return sum(len(read_origin(origin)["files"]) for origin in origins)


def _other_ratings(provenance: Path) -> str | None:
    """Say whether the user's own ratings are still those of a run in this folder."""
    record = read_json(provenance)
    if record.get("path") is None or not (path := Path(record["path"])).is_file():
        return None
    md5 = digest_of(path, "md5")
    if md5 == record["md5"]:
        return None
    return f"{path}: its MD5 is {md5}, {provenance} was made from one of {record['md5']}: run again"


def checksums_of(files: Iterable[str]) -> str:
    """Return the checksums of files as ``sha256sum`` writes them, sorted by name."""
    return "".join(f"{digest_of(file)}  {file}\n" for file in sorted(set(files)))
