from __future__ import annotations

import os
import struct
import zipfile
from typing import TYPE_CHECKING

import pytest

from datasets_helpers import (
    GOOD_MOVIES,
    GOOD_RATINGS,
    MOVIES,
    RATINGS,
    make_archive,
    toy_dataset,
)
from penalized_bandits.datasets.archive import member_blocks
from penalized_bandits.datasets.errors import ArchiveError
from penalized_bandits.datasets.movielens import read_rating_counts

if TYPE_CHECKING:
    from pathlib import Path


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


def read(path: Path, **changes: object) -> None:
    read_rating_counts(path, toy_dataset(**changes))


def test_blocks_are_the_member(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.zip")
    blocks = list(member_blocks(path, RATINGS, max_bytes=1000, block_bytes=7))
    assert b"".join(blocks) == GOOD_RATINGS
    assert max(map(len, blocks)) == 7


@pytest.mark.parametrize("member", [RATINGS, MOVIES])
def test_missing_member_is_named_with_those_there(tmp_path: Path, member: str) -> None:
    path = make_archive(
        tmp_path / "a.zip",
        ratings=None if member == RATINGS else GOOD_RATINGS,
        movies=None if member == MOVIES else GOOD_MOVIES,
        members={"other.txt": b"x"},
    )
    with pytest.raises(ArchiveError, match=rf"a\.zip: {member}: no such member.*'other.txt'"):
        read(path)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"none\.zip: no such file"):
        read(tmp_path / "none.zip")


def test_folder_and_pipe_are_no_archives(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zip")
    for path in (tmp_path, tmp_path / "pipe.zip"):
        with pytest.raises(ArchiveError, match="not an ordinary file"):
            read(path)


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04" + bytes(100)])
def test_no_zip(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    with pytest.raises(ArchiveError, match=rf"a\.zip: {MOVIES}: not a zip archive"):
        read(path)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.99])
def test_truncated(tmp_path: Path, share: float) -> None:
    path = make_archive(tmp_path / "a.zip")
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(ArchiveError, match=r"a\.zip: ml-1m/"):
        read(path)


def test_bad_crc(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.zip", compression=zipfile.ZIP_STORED)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"1::10::5::978300760", b"1::10::4::978300760"))
    with pytest.raises(ArchiveError, match=rf"{RATINGS}: .*damaged \(Bad CRC-32"):
        read(path)


def test_damaged_deflate_stream(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.zip")
    data = bytearray(path.read_bytes())
    start = data.index(RATINGS.encode()) + len(RATINGS)
    data[start : start + 8] = b"\xff" * 8
    path.write_bytes(bytes(data))
    with pytest.raises(ArchiveError, match=rf"{RATINGS}: damaged"):
        read(path)


def test_encrypted(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.zip")
    patch_headers(path, RATINGS, 6, struct.pack("<H", 1))
    with pytest.raises(ArchiveError, match=rf"{RATINGS}: encrypted"):
        read(path)


def test_other_compression_is_refused_before_it_unpacks(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.zip", compression=zipfile.ZIP_BZIP2)
    with pytest.raises(ArchiveError, match=rf"{MOVIES}: compression method 12"):
        read(path)


def test_bomb_is_refused_by_its_declared_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_archive(tmp_path / "a.zip", ratings=bytes(1 << 20))
    assert path.stat().st_size < 5000
    monkeypatch.setattr(zipfile.ZipFile, "open", None)  # not to be reached
    with pytest.raises(ArchiveError, match=rf"{RATINGS}: 1048576 bytes.*at most 1000"):
        next(member_blocks(path, RATINGS, max_bytes=1000))


@pytest.mark.parametrize("declared", [len(GOOD_RATINGS) - 20, len(GOOD_RATINGS) + 20])
def test_false_declared_size(tmp_path: Path, declared: int) -> None:
    path = make_archive(tmp_path / "a.zip")
    patch_headers(path, RATINGS, 22, struct.pack("<I", declared))
    with pytest.raises(ArchiveError, match=RATINGS):
        read(path)


def test_archive_larger_than_the_limit(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.zip")
    with pytest.raises(ArchiveError, match="expected at most 100 "):
        read(path, max_archive_bytes=100)


def test_member_that_is_there_twice(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.zip")
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(RATINGS, b"1::10::1::0\n")
    with pytest.raises(ArchiveError, match=rf"{RATINGS}: 2 members"):
        read(path)
