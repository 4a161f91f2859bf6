"""Write files whole or not at all; checksums of files and texts."""

import errno
import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from penalized_bandits.common.errors import WriteError

REMEDIES = {
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room in your quota",
    errno.EFBIG: "raise the limit on the size of files",
    errno.EROFS: "make the file system writable",
    errno.EACCES: "make the folder writable",
    errno.EPERM: "make the file and its folder writable",
    errno.EIO: "check the disk",
}
"""Errors of the machine, not of the program, and what to do about them."""


def remedy(error: OSError, path: Path | str) -> str | None:
    """Return the problem with a file and its remedy; None if the machine is not at fault."""
    if error.errno not in REMEDIES:
        return None
    name = error.filename if isinstance(error.filename, str) else path
    reason = os.strerror(error.errno)
    return f"{name}: {reason}; {REMEDIES[error.errno]}, then run the same command again"


@contextmanager
def whole_file(path: Path | str) -> Iterator[Path]:
    """Yield a path beside ``path`` to write to; move it there if the block succeeds.

    The content is flushed to the disk before the name changes: whoever finds the file finds all of
    it.  Missing folders are made; where anything fails an existing file is unchanged and nothing is
    left behind.  A new version has the mode of the old one.  Links are followed; pipes and devices
    are written to as they are.  Raises WriteError if the disk is full, or the folder not writable.
    """
    target = Path(path)
    # Links below /dev, such as /dev/stdout, lead to what a process has open.
    device = target.is_symlink() and target.parts[1:2] in (("dev",), ("proc",))
    special = device or (target.exists() and not (target.is_file() or target.is_dir()))
    if target.is_symlink() and not special:
        target = Path(os.path.realpath(target))
    # Not tempfile: its files are private to the user, whatever the umask says.
    temporary = target.with_name(f".{secrets.token_hex(8)}.{target.name}")
    try:
        if special:
            yield target
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        # What a process that was killed has left.
        for unfinished in target.parent.glob(f".{'?' * 16}.{escape(target.name)}"):
            unfinished.unlink(missing_ok=True)
        try:
            if target.exists():  # what others may not read, they may not read meanwhile
                temporary.touch(mode=0o600)
            yield temporary
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o7777)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
        with suppress(OSError):  # some file systems cannot; the content is flushed all the same
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        message = None if isinstance(error, WriteError) else remedy(error, target)
        if message is None:
            raise
        # The name of the temporary file says nothing to a user.
        raise WriteError(message.replace(str(temporary), str(target))) from None


def write_text(path: Path | str, text: str) -> None:
    r"""Write text as UTF-8 with ``\n`` line ends, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_bytes(text.encode("utf-8"))


def digest_of(path: Path | str, algorithm: str = "sha256") -> str:
    """Return a file's checksum, by default its SHA-256, read in pieces."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def digest(content: str | bytes, digits: int | None = None) -> str:
    """Return the SHA-256 of a text in hexadecimal digits, all 64 or the first few."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:digits]
