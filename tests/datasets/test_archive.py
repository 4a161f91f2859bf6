"""Members of zip archives: what is read, and what is refused."""

import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from datasets_helpers import GOOD_RATINGS, MOVIES, RATINGS, make_archive, toy_dataset
from penalized_bandits.datasets.archive import member_blocks
from penalized_bandits.datasets.errors import ArchiveError
from penalized_bandits.datasets.movielens import read_rating_counts


def patch_headers(path: Path, member: str, offset_local: int, value: bytes) -> None:
    """Overwrite the same header field of a member, at its entry and in the directory."""
    data = bytearray(path.read_bytes())
    name = member.encode()
    local = data.index(name) - 30
    directory = data.rindex(name) - 46
    data[local + offset_local : local + offset_local + len(value)] = value
    # Up to the name's length, the directory has the same fields two bytes later.
    data[directory + offset_local + 2 : directory + offset_local + 2 + len(value)] = value
    path.write_bytes(bytes(data))


def declare(size: int) -> Callable[[Path], None]:
    return lambda path: patch_headers(path, RATINGS, 22, struct.pack("<I", size))


def cut(share: float) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, int(share * path.stat().st_size))


def break_stream(path: Path) -> None:
    data = bytearray(path.read_bytes())
    start = data.index(RATINGS.encode()) + len(RATINGS)
    data[start : start + 8] = b"\xff" * 8
    path.write_bytes(bytes(data))


def another_rating(path: Path) -> None:
    make_archive(path, compression=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"1::10::5::97830", b"1::10::4::97830"))


def double(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(RATINGS, b"1::10::1::0\n")


OTHER = {"other.txt": b"x"}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            lambda path: make_archive(path, None, members=OTHER),
            rf"{RATINGS}: no such member.*'other.txt'",
        ),
        (
            lambda path: make_archive(path, movies=None, members=OTHER),
            rf"{MOVIES}: no such member.*'other.txt'",
        ),
        (lambda path: path.write_bytes(b""), rf"{MOVIES}: not a zip archive"),
        (lambda path: path.write_bytes(b"no archive"), rf"{MOVIES}: not a zip archive"),
        (cut(0.2), MOVIES),
        (cut(0.99), MOVIES),
        (another_rating, rf"{RATINGS}: .*damaged \(Bad CRC-32"),
        (break_stream, rf"{RATINGS}: damaged"),
        (lambda path: patch_headers(path, RATINGS, 6, b"\x01\x00"), rf"{RATINGS}: encrypted"),
        (lambda path: make_archive(path, compression=12), rf"{MOVIES}: compression method 12"),
        (declare(len(GOOD_RATINGS) - 20), RATINGS),
        (declare(len(GOOD_RATINGS) + 20), RATINGS),
        (double, rf"{RATINGS}: 2 members"),
        (lambda path: path.unlink(), "no such file"),
    ],
)
def test_refused(tmp_path: Path, change: Callable[[Path], None], fault: str) -> None:
    path = make_archive(tmp_path / "a.zip")
    change(path)
    with pytest.raises(ArchiveError, match=rf"a\.zip: {fault}"):
        read_rating_counts(path, toy_dataset())


def test_blocks_are_the_member(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.zip")
    blocks = list(member_blocks(path, RATINGS, max_bytes=1000, block_bytes=7))
    assert b"".join(blocks) == GOOD_RATINGS
    assert max(map(len, blocks)) == 7
    with pytest.raises(ArchiveError, match="expected at most 100 "):
        read_rating_counts(path, toy_dataset(max_archive_bytes=100))


def test_folder_and_pipe_are_no_archives(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zip")
    for path in (tmp_path, tmp_path / "pipe.zip"):
        with pytest.raises(ArchiveError, match="not an ordinary file"):
            read_rating_counts(path, toy_dataset())


def test_bomb_is_refused_by_its_declared_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_archive(tmp_path / "a.zip", ratings=bytes(1 << 20))
    assert path.stat().st_size < 5000
    monkeypatch.setattr(zipfile.ZipFile, "open", None)  # not to be reached
    with pytest.raises(ArchiveError, match=rf"{RATINGS}: 1048576 bytes.*at most 1000"):
        next(member_blocks(path, RATINGS, max_bytes=1000))
