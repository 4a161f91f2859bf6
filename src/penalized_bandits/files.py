"""Write files whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path | str) -> Iterator[Path]:
    """Yield a path beside ``path`` to write to; move it there if the block succeeds.

    The content is flushed to the disk before the name changes, so that whoever finds
    the file finds all of it, whatever was killed when.  Missing folders are made; where
    anything fails an existing file is unchanged and nothing is left behind.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    # Not tempfile: its files are private to the user, whatever the umask says.
    temporary = target.with_name(f".{secrets.token_hex(8)}.{target.name}")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path | str, text: str) -> None:
    r"""Write text as UTF-8 with ``\n`` line ends, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_bytes(text.encode("utf-8"))
