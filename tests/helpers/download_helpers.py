"""Archives of ratings, and a server on this machine that they are downloaded from."""

import shutil
import ssl
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

RATINGS = b"1::10::5::978300760\n1::20::3::1\n2::10::4::0\n3::10::5::2\n3::30::1::9\n2::20::3::4\n"
MOVIES = (
    b"10::Toy, The (1995)::Animation|Children's\n"
    b"20::Mis\xe9rables, Les (1995)::Drama\n"
    b"30::Heat (1995)::Action\n"
    b"40::Never Rated (1990)::Drama\n"
)


def make_archive(path: Path) -> Path:
    """Write an archive in the layout of MovieLens 1M."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ml-1m/movies.dat", MOVIES)
        archive.writestr("ml-1m/ratings.dat", RATINGS)
    return path


@dataclass
class Loopback:
    """A server on 127.0.0.1: what it answers to each path, and what it was asked."""

    url: str
    answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def serve(self, path: str, answer: Callable[[BaseHTTPRequestHandler], None]) -> str:
        self.answers[path] = answer
        return self.url + path


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay quiet when a client goes away early."""


@contextmanager
def loopback(certificate: Path | None = None) -> Iterator[Loopback]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append(self.path)
            server.answers[self.path](self)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    httpd = _Server(("127.0.0.1", 0), Handler)
    scheme = "http"
    if certificate is not None:
        scheme, context = "https", ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        httpd.socket = context.wrap_socket(httpd.socket, server_side=True)
    server = Loopback(f"{scheme}://localhost:{httpd.server_address[1]}")
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


def body(
    data: bytes, *, status: int = 200, length: int | None = None
) -> Callable[[BaseHTTPRequestHandler], None]:
    """Answer with ``data``; ``length`` declares another size."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(data) if length is None else length))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def self_signed(path: Path) -> Path:
    """Write a key for localhost, and a certificate that nobody but itself has signed."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("no openssl that makes a certificate")
    how = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext"]
    names = ["subjectAltName=DNS:localhost", "-keyout", str(path), "-out", str(path)]
    subprocess.run([openssl, *how, *names], check=True, capture_output=True)
    return path
