"""Members of a zip archive as bounded streams; nothing is ever extracted to disk."""

import io
import struct
import zipfile
import zlib
from collections.abc import Generator
from pathlib import Path

from penalized_bandits.datasets.errors import ArchiveError

_ENCRYPTED = 0x1
# Others could unpack without bound inside a single read.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MAX_DIRECTORY = 1 << 20
"""Bytes of an archive's list of members: some 10,000 of them, each an object in memory."""


class _Directory(io.FileIO):
    """An archive whose list of members may not be read if it is longer than allowed."""

    listed = False
    """Whether the list has been read, and what is read now is members."""

    def read(self, size: int | None = -1, /) -> bytes:
        if not self.listed and size is not None and size > _MAX_DIRECTORY:
            raise zipfile.BadZipFile(
                f"its list of members has {size} bytes, expected at most {_MAX_DIRECTORY}"
            )
        return super().read(size)


def check_archive_file(archive: Path, max_bytes: int) -> None:
    """Raise ArchiveError unless an archive is an ordinary file of at most ``max_bytes`` bytes."""
    if not archive.exists():
        raise ArchiveError(f"{archive}: no such file; expected a zip archive")
    if not archive.is_file():
        raise ArchiveError(f"{archive}: not an ordinary file; expected a zip archive")
    size = archive.stat().st_size
    if size > max_bytes:
        raise ArchiveError(
            f"{archive}: {size} bytes; expected at most {max_bytes} for this data set"
        )


def member_blocks(
    archive: Path, member: str, *, max_bytes: int, block_bytes: int = 1 << 23
) -> Generator[bytes]:
    """Yield the uncompressed content of one member in blocks, none empty.

    A member that declares more than ``max_bytes`` is refused, and more than is declared is
    never unpacked.

    Raises ArchiveError if the file is no zip archive, is truncated or damaged (including a wrong
    CRC), or the member is missing, doubled, encrypted or too large.
    """
    place = f"{archive}: {member}"
    found = 0
    try:
        with _Directory(archive) as file, zipfile.ZipFile(file) as zip_file:
            file.listed = True
            entry = _entry(zip_file, place, member, max_bytes)
            with zip_file.open(entry) as stream:
                while block := stream.read(block_bytes):
                    found += len(block)
                    yield block
            if found != entry.file_size:
                raise ArchiveError(
                    f"{place}: {found} bytes, but the archive declares {entry.file_size}"
                )
    except zipfile.BadZipFile as error:
        raise ArchiveError(
            f"{place}: not a zip archive, truncated or damaged ({_cut(error)}); get it again"
        ) from error
    except (zlib.error, struct.error, EOFError, ValueError, RuntimeError, OverflowError) as error:
        # What zipfile lets through on crafted headers (NotImplementedError included).
        raise ArchiveError(f"{place}: damaged ({_cut(repr(error))}); get it again") from error
    except OSError as error:
        raise ArchiveError(f"{place}: cannot be read ({error})") from error


def _entry(zip_file: zipfile.ZipFile, place: str, member: str, max_bytes: int) -> zipfile.ZipInfo:
    entries = [entry for entry in zip_file.infolist() if entry.filename == member]
    if not entries:
        names = sorted(entry.filename for entry in zip_file.infolist())
        shown = ", ".join(repr(name[:80]) for name in names[:10]) or "nothing"
        more = f" and {len(names) - 10} more" if len(names) > 10 else ""
        raise ArchiveError(f"{place}: no such member; the archive holds {shown}{more}")
    if len(entries) > 1:
        raise ArchiveError(f"{place}: {len(entries)} members have this name, expected 1")
    entry = entries[0]
    if entry.flag_bits & _ENCRYPTED:
        raise ArchiveError(f"{place}: encrypted; expected a member without a password")
    if entry.compress_type not in _METHODS:
        raise ArchiveError(
            f"{place}: compression method {entry.compress_type}; expected 0 or 8 (deflate)"
        )
    if entry.file_size > max_bytes:
        raise ArchiveError(
            f"{place}: {entry.file_size} bytes uncompressed; expected at most {max_bytes}"
        )
    return entry


def _cut(problem: object) -> str:
    """Return a text cut short: what is wrong may quote the archive."""
    text = str(problem)
    return text if len(text) <= 300 else f"{text[:297]}..."
