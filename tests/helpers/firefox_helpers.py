"""Debian's Firefox or another, driven by WebDriver BiDi: commands as JSON over a socket.

Playwright drives a Firefox of its own alone.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
needs_firefox = pytest.mark.skipif(
    FIREFOX is None, reason="no Firefox: install it, or say where it is in FIREFOX"
)
SECONDS = 120
"""The longest that an answer may take: other machines are slower."""
QUIET = """
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("services.settings.server", "data:,");
user_pref("remote.prefs.recommended", true);
user_pref("ui.prefersReducedMotion", 1);
"""
WAITED = """async (until) => {
  while (!until()) await new Promise((done) => setTimeout(done, 20));
}"""


class FirefoxPage:
    """A page in Firefox, with what it logged and asked of a host in ``problems``."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._numbers = socket, count(1)
        self.problems: list[str] = []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self._context = self._send("browsingContext.getTree")["contexts"][0]["context"]

    def _send(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(self._socket.recv())
            if told["type"] == "event":
                self._note(told["method"], told["params"])
            elif told["id"] == number:
                assert told["type"] == "success", f"{method}: {told.get('message')}"
                return told["result"]

    def _note(self, event: str, told: dict[str, Any]) -> None:
        if event == "log.entryAdded":
            self.problems.append(f"{told['level']}: {told['text']}")
        elif not told["request"]["url"].startswith(("file:", "data:", "blob:", "about:")):
            self.problems.append(f"request: {told['request']['url']}")

    def open(self, path: Path, after: str = "", width: int = 1280) -> None:
        """Open a page in a window of some width, and wait until it is loaded."""
        size = {"width": width, "height": 900}
        self._send("browsingContext.setViewport", context=self._context, viewport=size)
        # A page of another address after # alone would not be loaded anew.
        for url in ("about:blank", path.as_uri() + after):
            self._send("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def evaluate(self, function: str, given: Any = None) -> Any:
        """Return what a function gives, or its promise, all as JSON."""
        told = self._send(
            "script.callFunction",
            functionDeclaration=f"async (given) => JSON.stringify(await ({function})"
            "(JSON.parse(given)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(given)}],
            target={"context": self._context},
            awaitPromise=True,
        )
        assert told["type"] == "success", told.get("exceptionDetails", {}).get("text")
        return json.loads(told["result"]["value"])

    def wait_for(self, condition: str) -> None:
        """Wait until a function gives what is true."""
        self.evaluate(f"() => ({WAITED})({condition})")


@contextmanager
def firefox(folder: Path) -> Iterator[FirefoxPage]:
    """Start Firefox with its profile in a folder, and end it."""
    websocket = pytest.importorskip("websocket", reason="websocket-client is not installed")
    (folder / "user.js").write_text(QUIET, encoding="utf-8")
    command = [str(FIREFOX), "--headless", "--no-remote", "--profile", str(folder)]
    place = folder / "WebDriverBiDiServer.json"
    with subprocess.Popen(
        [*command, "--remote-debugging-port", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            while not place.exists() or not place.read_text("utf-8"):
                assert process.poll() is None, "Firefox ended without saying where it listens"
                time.sleep(0.05)
            told = json.loads(place.read_text("utf-8"))
            address = f"ws://{told['ws_host']}:{told['ws_port']}/session"
            socket = websocket.create_connection(address, timeout=SECONDS, suppress_origin=True)
            yield FirefoxPage(socket)
            socket.close()
        finally:
            process.terminate()


@pytest.fixture(scope="module", name="fox")
def fox_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirefoxPage]:
    """Start Firefox for the tests of a module."""
    with firefox(tmp_path_factory.mktemp("firefox")) as page:
        yield page
