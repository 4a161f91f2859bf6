"""The archive reader under fuzzing: damaged, lying and hostile zip archives.

Whatever an archive holds: its two members or a clear error, in bounded time and memory, and
no file touched but the archive itself.
"""

from __future__ import annotations

import os
import random
import resource
import stat
import struct
import subprocess
import sys
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets_helpers import (
    GOOD_MOVIES,
    GOOD_RATINGS,
    MOVIES,
    RATINGS,
    make_archive,
    rows,
    toy_dataset,
)
from fuzz_helpers import fuzz, outcome_of
from penalized_bandits.datasets.archive import member_blocks
from penalized_bandits.datasets.errors import ArchiveError, RatingsFormatError
from penalized_bandits.datasets.movielens import read_rating_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from penalized_bandits.datasets.counts import RatingCounts

_TOUCHED: list[tuple[str, tuple[Any, ...]]] = []
_WATCHING: list[bool] = []
_EVENTS = ("open", "os.", "shutil.", "subprocess.", "socket.", "tempfile.", "pathlib.")


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


def read(path: Path, **changes: Any) -> tuple[RatingCounts | None, str | None]:
    """Return the counts of an archive, or what is said of it."""
    dataset = toy_dataset(max_member_bytes=1 << 20, **changes)
    with only_reads(path):
        return outcome_of(
            lambda: read_rating_counts(path, dataset), ArchiveError, RatingsFormatError
        )


def check(path: Path, good: list[list[object]]) -> None:
    """Check that an archive is read as it was made, or refused by name."""
    counts, said = read(path)
    if counts is None:
        assert said is not None
        assert said.startswith(f"{path}: ")
        assert len(said) < 2000
    else:
        assert rows(counts) == good


# --- Changed at random -------------------------------------------------------------

NAMES = st.sampled_from(
    [
        RATINGS,
        MOVIES,
        "../../outside.dat",
        "/tmp/outside.dat",
        "C:\\outside.dat",
        "ml-1m/../../ratings.dat",
        "ml-1m//ratings.dat",
        "ml-1m/ratings.dat/",
        "ML-1M/RATINGS.DAT",
        "ml-1m\\ratings.dat",
        "\x1b[2J",
        "é" * 3000,
        "",
        "ml-1m/ratings.dat\x00.txt",
    ]
)
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
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Draw damage: cuts, flips, pieces moved, and fields of headers that lie."""
    content = bytearray(data)
    for _ in range(draw(st.integers(0, 3))):
        how = draw(st.sampled_from(["cut", "flip", "move", "header", "header", "before"]))
        at = draw(st.integers(0, max(len(content) - 1, 0)))
        if how == "cut":
            del content[at:]
        elif how == "flip" and content:
            content[at] ^= draw(st.integers(1, 255))
        elif how == "move":
            to = draw(st.integers(0, len(content)))
            content[to:to] = content[at : at + draw(st.integers(1, 60))]
        elif how == "before":
            content[:0] = draw(st.binary(max_size=30))
        else:
            kind = draw(st.integers(0, 2))
            start = content.find(SIGNATURES[kind])
            if draw(st.booleans()):
                start = content.rfind(SIGNATURES[kind])
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
    made = data.draw(archives(folder))
    path = folder / "a.zip"
    path.write_bytes(data.draw(damaged(made)))
    check(path, good)
    assert sorted(found.name for found in folder.iterdir()) == ["a.zip", "made.zip"]


# --- Made to harm ------------------------------------------------------------------


def with_names(path: Path, *names: str, link: bool = False) -> Path:
    """Add members to the good archive."""
    make_archive(path)
    with zipfile.ZipFile(path, "a") as archive:
        for name in names:
            info = zipfile.ZipInfo(name)
            if link:
                info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    return path


@pytest.mark.parametrize("link", [False, True])
def test_members_with_names_that_lead_out_are_left_alone(
    tmp_path: Path, good: list[list[object]], link: bool
) -> None:
    names = ("../out", "/out", "..\\out", "ml-1m/../../out", str(tmp_path / "out"))
    (tmp_path / "in").mkdir()
    path = with_names(tmp_path / "in" / "a.zip", *names, link=link)
    counts, said = read(path)
    assert said is None
    assert counts is not None
    assert rows(counts) == good
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "in", path]


def test_a_member_that_is_a_link_is_its_text(tmp_path: Path) -> None:
    # Never followed: what a link holds is the path that it leads to.
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MOVIES, GOOD_MOVIES)
        info = zipfile.ZipInfo(RATINGS)
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    _, said = read(path)
    assert said is not None
    assert "line 1: 1 fields" in said
    assert "'/etc/passwd'" in said


def central(
    name: bytes, *, size: int, packed: int, offset: int, crc: int, extra: bytes = b""
) -> bytes:
    """Return an entry of an archive's list of members, deflated."""
    return struct.pack(
        "<4s4B4HL2L5H2L", b"PK\x01\x02", 45, 3, 45, 0, 0, 8, 0, 33, crc, packed, size,
        len(name), len(extra), 0, 0, 0, 0, offset,
    ) + name + extra  # fmt: skip


def local(name: bytes, *, size: int, packed: int, crc: int) -> bytes:
    """Return the header before a member's content, deflated."""
    return struct.pack(
        "<4s2B4HL2L2H", b"PK\x03\x04", 45, 0, 0, 8, 0, 33, crc, packed, size, len(name), 0
    ) + name  # fmt: skip


def zip_of(members: list[tuple[bytes, bytes, int, int]]) -> bytes:
    """Put an archive together from names, packed contents, declared sizes and CRCs."""
    body, entries = b"", b""
    for name, packed, size, crc in members:
        offset = len(body)
        short = min(size, 0xFFFFFFFF)
        extra = b"" if size < 0xFFFFFFFF else struct.pack("<2HQ", 1, 8, size)
        body += local(name, size=short, packed=len(packed), crc=crc) + packed
        entries += central(
            name, size=short, packed=len(packed), offset=offset, crc=crc, extra=extra
        )
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, len(members), len(members), len(entries), len(body), 0
    )
    return body + entries + end


def deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def endless(pattern: bytes, repeats: int) -> bytes:
    """Return a deflate stream of a pattern many times over, made without making that."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(pattern) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * repeats + packer.flush()


GOOD_MEMBERS = [
    (MOVIES.encode(), deflated(GOOD_MOVIES), len(GOOD_MOVIES), zlib.crc32(GOOD_MOVIES)),
    (RATINGS.encode(), deflated(GOOD_RATINGS), len(GOOD_RATINGS), zlib.crc32(GOOD_RATINGS)),
]
TEN_GB = 10 * 2**30
LIMIT = toy_dataset().max_member_bytes


def bomb(pattern: bytes, declared: int, size: int = TEN_GB) -> bytes:
    """Return an archive whose ratings hold a pattern, ten gigabytes of it."""
    block = pattern * ((1 << 20) // len(pattern))
    packed = endless(block, size // len(block))
    return zip_of([GOOD_MEMBERS[0], (RATINGS.encode(), packed, declared, 0)])


def long_list() -> bytes:
    """Return an archive that lists a million members, all of them the same bytes."""
    name = b"x" * 20
    packed = local(name, size=0, packed=0, crc=0)
    entry = central(name, size=0, packed=0, offset=0, crc=0)
    number = 900_000
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, number * len(entry), len(packed), 0
    )
    return packed + entry * number + end


def titles_of(content: bytes) -> bytes:
    """Return an archive whose movies are this content."""
    return zip_of([(MOVIES.encode(), deflated(content), len(content), zlib.crc32(content))])


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "ten gigabytes, declared": (lambda: bomb(b"\0", TEN_GB), f"{TEN_GB} bytes or more"),
    "ten gigabytes, a few declared": (lambda: bomb(b"\0", 100), "damaged"),
    "ten gigabytes, the most declared": (lambda: bomb(b"\0", LIMIT), "longer than 65536 bytes"),
    "ten gigabytes of a good line": (lambda: bomb(b"1::10::5::7\n", LIMIT), "movie 10 again"),
    "ten gigabytes of good lines in no order": (
        lambda: bomb(b"2::10::5::7\n1::10::5::7\n", LIMIT),
        "damaged",
    ),
    "ten gigabytes of line ends": (lambda: bomb(b"\n", LIMIT), "blank line"),
    "a list of a million members": (long_list, "its list of members has"),
    "titles of line ends": (lambda: titles_of(b"\n" * (1 << 22)), "line 1: 1 fields"),
    "too many titles": (lambda: titles_of(b"\n" * ((1 << 24) + 1)), "expected at most 16777216"),
}
HARMLESS_BYTES = 1_500_000_000
"""Address space that the reader gets, its libraries included."""
READER = """
import resource, sys
from pathlib import Path
import numpy, pandas, pyarrow, pooch, pydantic
from datasets_helpers import toy_dataset
from penalized_bandits.datasets.errors import DatasetError
from penalized_bandits.datasets.movielens import read_rating_counts

before = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (before + {memory}, before + {memory}))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    read_rating_counts(Path(sys.argv[1]), toy_dataset())
except DatasetError as error:
    print(error)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="address space unknown here")
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_fill_neither_memory_nor_disk(tmp_path: Path, name: str) -> None:
    make, words = BOMBS[name]
    path = tmp_path / "a.zip"
    path.write_bytes(make())
    assert path.stat().st_size <= toy_dataset().max_archive_bytes
    done = subprocess.run(
        [sys.executable, "-c", READER.format(memory=HARMLESS_BYTES), str(path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{path}: ml-1m/"), done.stderr
    assert words in done.stdout
    assert list(tmp_path.iterdir()) == [path]


def test_members_that_overlap(tmp_path: Path, good: list[list[object]]) -> None:
    # Both entries lead to the same bytes: read as the member that stands there, or refused.
    name, packed, size, crc = GOOD_MEMBERS[1]
    body = local(name, size=size, packed=len(packed), crc=crc) + packed
    entries = b"".join(
        central(one, size=size, packed=len(packed), offset=0, crc=crc)
        for one in (MOVIES.encode(), RATINGS.encode())
    )
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 2, 2, len(entries), len(body), 0)
    path = tmp_path / "a.zip"
    path.write_bytes(body + entries + end)
    counts, said = read(path)
    assert counts is None
    assert said is not None
    assert "damaged" in said
    path.write_bytes(zip_of(GOOD_MEMBERS))
    check(path, good)


@pytest.mark.parametrize("offset", [2**63, 2**64 - 1])
def test_a_member_beyond_the_end_of_any_file(tmp_path: Path, offset: int) -> None:
    extra = struct.pack("<2HQ", 1, 8, offset)
    entries = central(MOVIES.encode(), size=5, packed=5, offset=0xFFFFFFFF, crc=0, extra=extra)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(entries), 0, 0)
    path = tmp_path / "a.zip"
    path.write_bytes(entries + end)
    _, said = read(path)
    assert said is not None
    assert "damaged" in said


def test_a_name_of_thousands_of_bytes_is_not_shown(tmp_path: Path) -> None:
    data = bytearray(zip_of([*GOOD_MEMBERS, (b"\xe3" * 6000, b"", 0, 0)]))
    # Said to be UTF-8, in the list of members.
    data[data.rindex(b"PK\x01\x02") + 9] = 0x08
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    _, said = read(path)
    assert said is not None
    assert "UnicodeDecodeError" in said
    assert len(said) < 1000


def test_zip64_is_read(tmp_path: Path, good: list[list[object]]) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in ((MOVIES, GOOD_MOVIES), (RATINGS, GOOD_RATINGS)):
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(content)
    counts, said = read(path)
    assert said is None
    assert counts is not None
    assert rows(counts) == good


def test_actual_size_is_bounded_whatever_is_declared(tmp_path: Path) -> None:
    content = random.Random(1).randbytes(5000)
    path = tmp_path / "a.zip"
    for declared in (100, 4999, 5001, 10_000):
        path.write_bytes(zip_of([(b"m", deflated(content), declared, zlib.crc32(content))]))
        sizes: list[int] = []
        blocks = member_blocks(path, "m", max_bytes=8000, block_bytes=64)
        with pytest.raises(ArchiveError, match=f"{path}: m: "):
            sizes.extend(map(len, blocks))
        assert sum(sizes) <= min(declared, 5000)


def test_limits_of_the_reader_itself_hold(tmp_path: Path) -> None:
    # What the test above relies on: without the limit the memory would not have sufficed.
    reads = "read_rating_counts(Path(sys.argv[1]), toy_dataset())"
    code = READER.replace(reads, "bytes(2 * 10**9)")
    done = subprocess.run(
        [sys.executable, "-c", code.format(memory=HARMLESS_BYTES), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode != 0
    assert "MemoryError" in done.stderr
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 0
