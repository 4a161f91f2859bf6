"""The archive reader under fuzzing: damaged, lying and hostile zip archives.

Whatever an archive holds: its two members or a clear error, in bounded time and memory, and
no file touched but the archive itself.
"""

import os
import random
import stat
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets_helpers import (
    GOOD_MOVIES,
    GOOD_RATINGS,
    MOVIES,
    RATINGS,
    make_archive,
    mutated,
    rows,
    toy_dataset,
)
from fuzz_helpers import fuzz, outcome_of
from penalized_bandits.datasets.archive import member_blocks
from penalized_bandits.datasets.errors import ArchiveError, RatingsFormatError
from penalized_bandits.datasets.movielens import read_rating_counts
from zip_helpers import Member, end_of, endless, listed, local, member_of, zip_of

_TOUCHED: list[tuple[str, tuple[Any, ...]]] = []
_WATCHING: list[bool] = []
_EVENTS = ("open", "os.", "shutil.", "subprocess.", "socket.", "tempfile.", "pathlib.")

HELPERS = str(Path(__file__).parents[1] / "helpers")


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _WATCHING and event.startswith(_EVENTS):
        _TOUCHED.append((event, arguments))


@contextmanager
def only_reads(path: Path) -> Iterator[None]:
    """Check that nothing is opened but a file, to be read, and nothing else is done to files."""
    if not hasattr(_watch, "on"):
        # A hook stays for as long as the process.
        sys.addaudithook(_watch)
        _watch.on = True  # pyright: ignore[reportFunctionMemberAccess]
    _TOUCHED.clear()
    _WATCHING.append(True)
    try:
        yield
    finally:
        _WATCHING.clear()
    for event, arguments in _TOUCHED:
        assert event == "open", (event, arguments)
        name, mode, _ = arguments
        assert str(name) == str(path), arguments
        assert mode in ("r", "rb", None), arguments


def outcome(path: Path) -> tuple[list[list[object]] | None, str | None]:
    """Return the counts of an archive, or what is said of it; nothing else is touched."""
    dataset = toy_dataset(max_member_bytes=1 << 20)
    with only_reads(path):
        counts, said = outcome_of(
            lambda: read_rating_counts(path, dataset), ArchiveError, RatingsFormatError
        )
    return None if counts is None else rows(counts), said


def refusal(path: Path) -> str:
    """Return what is said of an archive, which may not be read."""
    counts, said = outcome(path)
    assert counts is None
    assert said is not None
    assert said.startswith(f"{path}: ")
    assert len(said) < 2000
    return said


# --- Changed at random -------------------------------------------------------------

OUTSIDE = ["../../outside.dat", "/tmp/outside.dat", "C:\\outside.dat", "ml-1m/../../ratings.dat"]
ODD = ["ml-1m//ratings.dat", "ml-1m/ratings.dat/", "ML-1M/RATINGS.DAT", "ml-1m\\ratings.dat"]
NAMES = st.sampled_from([RATINGS, MOVIES, *OUTSIDE, *ODD, "\x1b[2J", "é" * 3000, "", "a\x00.txt"])
MODES = st.sampled_from([0, stat.S_IFLNK | 0o777, stat.S_IFDIR | 0o755, stat.S_IFIFO, 0xFFFF])


@st.composite
def archives(draw: st.DrawFn, folder: Path) -> bytes:
    """Draw an archive with the two good members, and others with any names."""
    path = folder / "made.zip"
    method = draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2]))
    members = [(MOVIES, GOOD_MOVIES), (RATINGS, GOOD_RATINGS)]
    for _ in range(draw(st.integers(0, 2))):
        members.insert(draw(st.integers(0, 2)), (draw(NAMES), draw(st.binary(max_size=20))))
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = draw(MODES) << 16
            info.create_system = 3
            info.extra = draw(st.sampled_from([b"", b"\x01\x00\x08\x00" + b"\xff" * 8, b"xx"]))
            archive.writestr(info, content, method)
        archive.comment = draw(st.sampled_from([b"", b"PK\x05\x06" + bytes(18), b"x" * 60_000]))
    return path.read_bytes()


SIGNATURES = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06")
LENGTHS = (30, 46, 22)


@st.composite
def lying(draw: st.DrawFn, data: bytes) -> bytes:
    """Draw an archive in which fields of headers are changed."""
    content = bytearray(data)
    for _ in range(draw(st.integers(0, 2))):
        kind = draw(st.integers(0, 2))
        find = draw(st.sampled_from([content.find, content.rfind]))
        start = find(SIGNATURES[kind])
        if start >= 0:
            field = start + draw(st.integers(4, LENGTHS[kind] - 2))
            value = draw(st.sampled_from([0, 1, 8, 0x7F, 0xFFFE, 0xFFFF]))
            content[field : field + 2] = struct.pack("<H", value)
    return bytes(content)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> list[list[object]]:
    """Return the counts of the good archive."""
    path = make_archive(tmp_path_factory.mktemp("good") / "good.zip")
    return rows(read_rating_counts(path, toy_dataset()))


@fuzz("archives")
@given(data=st.data())
@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_archives_changed_at_random(
    tmp_path_factory: pytest.TempPathFactory, good: list[list[object]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp() / "archives"
    folder.mkdir(exist_ok=True)
    made = data.draw(lying(data.draw(archives(folder))))
    path = folder / "a.zip"
    path.write_bytes(data.draw(mutated(made, st.binary(max_size=30), 2)))
    # Read as it was made, or refused by name.
    assert outcome(path)[0] == good or refusal(path)
    assert sorted(found.name for found in folder.iterdir()) == ["a.zip", "made.zip"]


# --- Made to harm ------------------------------------------------------------------


@pytest.mark.parametrize("kind", [0, stat.S_IFLNK | 0o777])
def test_members_with_names_that_lead_out_are_left_alone(
    tmp_path: Path, good: list[list[object]], kind: int
) -> None:
    (tmp_path / "in").mkdir()
    path = make_archive(tmp_path / "in" / "a.zip")
    with zipfile.ZipFile(path, "a") as archive:
        for name in ("../out", "/out", "..\\out", "ml-1m/../../out", str(tmp_path / "out")):
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, kind << 16
            archive.writestr(info, "/etc/passwd")
    assert outcome(path) == (good, None)
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "in", path]


def test_a_member_that_is_a_link_is_its_text(tmp_path: Path) -> None:
    # Never followed: what a link holds is the path that it leads to.
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MOVIES, GOOD_MOVIES)
        info = zipfile.ZipInfo(RATINGS)
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    assert "line 1: 1 fields" in refusal(path)
    assert "'/etc/passwd'" in refusal(path)


GOOD_MEMBERS = member_of(MOVIES, GOOD_MOVIES), member_of(RATINGS, GOOD_RATINGS)
TEN_GB = 10 * 2**30
LIMIT = 1 << 24
"""Bytes that a member may have here, more than are read at once."""


def bomb(pattern: bytes, declared: int) -> bytes:
    """Return an archive whose ratings hold a pattern, ten gigabytes of it."""
    block = pattern * ((1 << 20) // len(pattern))
    packed = endless(block, TEN_GB // len(block))
    return zip_of(GOOD_MEMBERS[0], Member(RATINGS.encode(), packed, declared))


def long_list() -> bytes:
    """Return an archive that lists very many members, all of them the same bytes."""
    member = Member(b"x" * 20, b"", 0)
    entry, body = listed(member, 0), local(member)
    return body + entry * 20_000 + end_of(0xFFFF, 20_000 * len(entry), len(body))


def bombs() -> Iterator[tuple[str, bytes]]:
    """Yield what is said of each bomb, and the bomb."""
    yield f"{TEN_GB} bytes uncompressed", bomb(b"\0", TEN_GB)
    yield "damaged", bomb(b"\0", 100)
    yield "longer than 65536 bytes", bomb(b"\0", LIMIT)
    yield "movie 10 again", bomb(b"1::10::5::7\n", LIMIT)
    yield "damaged", bomb(b"2::10::5::7\n1::10::5::7\n", LIMIT)  # users in no order
    yield "blank line", bomb(b"\n", LIMIT)
    yield "its list of members has", long_list()
    yield "line 1: 1 fields", zip_of(member_of(MOVIES, b"\n" * (1 << 22)))
    yield f"expected at most {LIMIT}", zip_of(member_of(MOVIES, b"\n" * (LIMIT + 1)))


HARMLESS_BYTES = 400_000_000
"""Address space that the reader gets on top of what it has with its libraries."""
READER = """
import resource, sys
from pathlib import Path
import numpy, pandas, pyarrow, pydantic
from datasets_helpers import toy_dataset
from penalized_bandits.datasets.errors import DatasetError
from penalized_bandits.datasets.movielens import read_rating_counts

dataset = toy_dataset(max_member_bytes={limit})
before = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (before + {memory}, before + {memory}))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
for path in map(Path, sys.argv[1:]):
    try:
        read_rating_counts(path, dataset)
    except DatasetError as error:
        print(error)
try:
    bytes({memory})
except MemoryError:
    print("the limit on memory holds")
"""


@pytest.mark.sample
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="address space unknown here")
def test_bombs_fill_neither_memory_nor_disk(tmp_path: Path) -> None:
    expected: dict[Path, str] = {}
    for words, made in bombs():
        path = tmp_path / f"{len(expected)}.zip"
        path.write_bytes(made)
        assert len(made) <= toy_dataset().max_archive_bytes
        expected[path] = words
    done = subprocess.run(
        [sys.executable, "-c", READER.format(memory=HARMLESS_BYTES, limit=LIMIT), *expected],
        env={**os.environ, "PYTHONPATH": HELPERS, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *lines, last = done.stdout.splitlines()
    for (path, words), line in zip(expected.items(), lines, strict=True):
        assert line.startswith(f"{path}: ml-1m/")
        assert words in line
    assert last == "the limit on memory holds"
    assert set(tmp_path.iterdir()) == set(expected)


def overlapping() -> bytes:
    """Return an archive whose two members are the same bytes."""
    movies, ratings = GOOD_MEMBERS
    entries = listed(ratings._replace(name=movies.name), 0) + listed(ratings, 0)
    return local(ratings) + entries + end_of(2, len(entries), len(local(ratings)))


def beyond(offset: int) -> bytes:
    """Return an archive with a member that would begin there."""
    entry = listed(GOOD_MEMBERS[0], 0xFFFFFFFF, struct.pack("<2HQ", 1, 8, offset))
    return entry + end_of(1, len(entry), 0)


def long_name() -> bytes:
    """Return an archive with a name of thousands of bytes that is not the UTF-8 it says."""
    data = bytearray(zip_of(*GOOD_MEMBERS, Member(b"\xe3" * 6000, b"", 0)))
    data[data.rindex(b"PK\x01\x02") + 9] = 0x08
    return bytes(data)


def test_lists_of_members_that_lie(tmp_path: Path, good: list[list[object]]) -> None:
    path = tmp_path / "a.zip"
    for made in (overlapping(), beyond(2**63), beyond(2**64 - 1), long_name()):
        path.write_bytes(made)
        assert "damaged" in refusal(path)
        assert len(refusal(path)) < 1000
    path.write_bytes(zip_of(*GOOD_MEMBERS))
    assert outcome(path) == (good, None)


def test_zip64_is_read(tmp_path: Path, good: list[list[object]]) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in ((MOVIES, GOOD_MOVIES), (RATINGS, GOOD_RATINGS)):
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(content)
    assert outcome(path) == (good, None)


def test_actual_size_is_bounded_whatever_is_declared(tmp_path: Path) -> None:
    content = random.Random(1).randbytes(5000)
    path = tmp_path / "a.zip"
    for declared in (100, 4999, 5001, 10_000):
        path.write_bytes(zip_of(member_of("m", content)._replace(size=declared)))
        sizes: list[int] = []
        blocks = member_blocks(path, "m", max_bytes=8000, block_bytes=64)
        with pytest.raises(ArchiveError, match=f"{path}: m: "):
            sizes.extend(map(len, blocks))
        assert sum(sizes) <= min(declared, 5000)
