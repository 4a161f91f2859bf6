"""Small archives, a loopback server and bounded downloads for the tests of the ratings data."""

import hashlib
import logging
import socket
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from penalized_bandits.datasets.counts import RatingCounts
from penalized_bandits.datasets.download import Limits, download
from penalized_bandits.datasets.manifest import Dataset, load_manifest
from penalized_bandits.datasets.provenance import Provenance
from penalized_bandits.datasets.ratings_source import obtain_counts
from penalized_bandits.datasets.section import MovieLens

RATINGS = "ml-1m/ratings.dat"
MOVIES = "ml-1m/movies.dat"
GOOD_RATINGS = (
    b"1::10::5::978300760\n1::20::3::1\n2::10::4::0\n3::10::5::2\n3::30::1::9\n2::20::3::4\n"
)
GOOD_MOVIES = (
    b"10::Toy, The (1995)::Animation|Children's\n"
    b"20::Mis\xe9rables, Les (1995)::Drama\n"
    b"30::Heat (1995)::Action\n"
    b"40::Never Rated (1990)::Drama\n"
)
PAYLOAD = bytes(range(256)) * 600
TOY_CSV = (
    "movie_id,title,n_ratings,count_1,count_2,count_3,count_4,count_5\n"
    '10,"Toy, The (1995)",3,0,0,0,1,2\n'
    '20,"Misérables, Les (1995)",2,0,0,2,0,0\n'
)


def toy_dataset(**changes: Any) -> Dataset:
    """MovieLens 1M's entry without what is known of the real data."""
    entry = load_manifest()["movielens_1m"].model_dump()
    return Dataset.model_validate({**entry, "published": None, "bundled": None, **changes})


def checked_toy_dataset(archive: bytes, **changes: Any) -> Dataset:
    """Entry for the good archive, with totals, checksum and bundled counts."""
    known = {
        "md5": md5_of(archive),
        "published": {"n_ratings": 6, "n_movies": 3, "n_users": 3, "movies_above": {2: 1, 1: 2}},
        "bundled": {"file": "toy.csv", "above": 1},
    }
    return toy_dataset(**{**known, **changes})


def make_archive(
    path: Path,
    ratings: bytes | None = GOOD_RATINGS,
    movies: bytes | None = GOOD_MOVIES,
    *,
    members: Mapping[str, bytes] | None = None,
    compression: int = zipfile.ZIP_DEFLATED,
) -> Path:
    """Write an archive; ``None`` leaves a member out."""
    contents = dict(members or {})
    if ratings is not None:
        contents[RATINGS] = ratings
    if movies is not None:
        contents[MOVIES] = movies
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in contents.items():
            archive.writestr(zipfile.ZipInfo(name), data, compression)
    return path


def md5_of(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


@dataclass
class Loopback:
    """A server on 127.0.0.1: what it answers to each path, and what it was asked."""

    url: str
    answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def serve(self, path: str, answer: Callable[[BaseHTTPRequestHandler], None]) -> str:
        self.answers[path] = answer
        return self.url + path


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay quiet when a client goes away early."""


@contextmanager
def loopback() -> Iterator[Loopback]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append(self.path)
            server.answers[self.path](self)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    httpd = _Server(("127.0.0.1", 0), Handler)
    server = Loopback(f"http://127.0.0.1:{httpd.server_address[1]}")
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        httpd.shutdown()
        thread.join()
        httpd.server_close()


@pytest.fixture(name="server")
def server_fixture() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


def body(
    data: bytes, *, status: int = 200, length: int | None = None
) -> Callable[[BaseHTTPRequestHandler], None]:
    """Answer with ``data``; ``length`` declares another size, -1 none."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        if length != -1:
            handler.send_header("Content-Length", str(len(data) if length is None else length))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def redirect(target: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def in_turn(
    *answers: Callable[[BaseHTTPRequestHandler], None],
) -> Callable[[BaseHTTPRequestHandler], None]:
    """Give one answer after another; the last one again and again."""
    left = list(answers)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        (left.pop(0) if len(left) > 1 else left[0])(handler)

    return answer


def fetch(url: str, target: Path, **changes: Any) -> Path:
    """Download the payload, or what has another ``md5``, within some limits."""
    md5, report = changes.pop("md5", md5_of(PAYLOAD)), changes.pop("report", lambda _: None)
    limits = Limits(max_bytes=1 << 26, wait_s=5.0, total_s=20.0, retries=0, pause_s=0.01)
    download(url, md5, target, limits._replace(**changes), report)
    return target


def assert_nothing_left(target: Path) -> None:
    assert not target.parent.exists() or list(target.parent.iterdir()) == []


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def rows(counts: RatingCounts) -> list[list[object]]:
    return counts.table.to_numpy().tolist()


def obtain(
    source: str, entry: Dataset, tmp_path: Path, m0: int = 1, **section: Any
) -> tuple[RatingCounts, Provenance]:
    """Obtain counts as a section of the config says, one attempt to download."""
    wanted = MovieLens(
        source=source,  # pyright: ignore[reportArgumentType]
        **{"retries": 0, "timeout_seconds": 5.0, **section},
    )
    return obtain_counts(wanted, entry, [m0], tmp_path / "cache", logging.getLogger("obtain"))


@st.composite
def mutated(draw: st.DrawFn, data: bytes, bits: st.SearchStrategy[bytes], most: int = 4) -> bytes:
    """Draw changes of some bytes: put in, taken out, replaced, moved, cut off."""
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.integers(0, len(data)))
        to = min(len(data), at + draw(st.integers(0, 12)))
        how = draw(st.sampled_from(["put", "take", "replace", "double", "cut", "flip"]))
        if how == "put":
            data = data[:at] + draw(bits) + data[at:]
        elif how == "take":
            data = data[:at] + data[to:]
        elif how == "replace":
            data = data[:at] + draw(bits) + data[to:]
        elif how == "double":
            data = data[:to] + data[at:]
        elif how == "cut":
            data = data[:at]
        elif at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << draw(st.integers(0, 7))]) + data[at + 1 :]
    return data
