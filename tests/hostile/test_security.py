"""What the code must not do, whom it may contact, and what it makes of hostile names."""

import ipaddress
import json
import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pytest
import requests
from docutils.core import publish_parts
from hypothesis import given
from hypothesis import strategies as st

from config_helpers import ROOT
from datasets_helpers import PAYLOAD, assert_nothing_left, body, fetch, loopback, redirect
from fuzz_helpers import TEXTS, fuzz, no_hang
from pages_helpers import HOSTILE
from penalized_bandits.datasets.download import url_problem
from penalized_bandits.datasets.errors import ChecksumError, DatasetError
from penalized_bandits.experiments.base import Readings
from penalized_bandits.figures.base import CaptionContext, write_drawing
from penalized_bandits.figures.figure_3 import caption as caption_of_figure_3
from penalized_bandits.figures.style import use_style
from penalized_bandits.figures.tradeoff import METRICS
from penalized_bandits.pages.typeset import caption

# --- What is installed -------------------------------------------------------------


def test_every_locked_package_has_hashes() -> None:
    packages = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    assert len(packages) > 100
    own = [package["name"] for package in packages if "registry" not in package["source"]]
    assert own == ["penalized-bandits"]
    for package in packages:
        if package["name"] in own:
            continue
        files = [*package.get("wheels", []), *filter(None, [package.get("sdist")])]
        assert files, package["name"]
        for file in files:
            assert re.fullmatch(r"sha256:[0-9a-f]{64}", file["hash"]), package["name"]


# --- Whom a download contacts ------------------------------------------------------

PARTS = {
    "scheme": st.sampled_from(
        ["https", "http", "HTTP", "ftp", "file", "javascript", "data", "https+unix", "", "//"]
    ),
    "user": st.sampled_from(
        ["", "", "", "user@", "127.0.0.1@", "127.0.0.1:80@", "%40", "\\@", "#@"]
    ),
    "host": st.one_of(
        st.sampled_from(
            ["127.0.0.1", "localhost", "[::1]", "127.1", "0x7f000001", "2130706433", "0.0.0.0"]
        ),
        st.sampled_from(
            ["192.0.2.1", "example.invalid", "localhost.example.invalid", "LOCALHOST", "[::2]"]
        ),
        st.sampled_from(
            ["127.0.0.1.example.invalid", "[::ffff:192.0.2.1]", "１２７.0.0.1", "127.0.0.1%00", ""]
        ),
        TEXTS,
    ),
    "port": st.sampled_from(["", "", ":80", ":0", ":99999", ":x", ":80:80"]),
    "path": st.sampled_from(
        ["", "/a.zip", "/../a", "?a=1", "#a", "/a b", "\\a", "/\r\nX: y", "/ü"]
    ),
}
ADDRESSES = st.fixed_dictionaries(PARTS).map(
    lambda p: f"{p['scheme']}://{p['user']}{p['host']}{p['port']}{p['path']}"
)


def contacted(url: str) -> tuple[str, str] | None:
    """Return scheme and host that an address would be taken for; None if it cannot be asked."""
    try:
        prepared = requests.Request("GET", url).prepare().url
        parts = urlsplit(prepared or "")
        return parts.scheme, parts.hostname or ""
    except (requests.exceptions.RequestException, ValueError):
        return None


def is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@fuzz("addresses")
@given(st.one_of(ADDRESSES, TEXTS))
def test_addresses_are_judged_by_what_would_be_contacted(url: str) -> None:
    with no_hang():
        problem = url_problem(url)
    if problem is None:
        found = contacted(url)
        if found is not None:
            scheme, host = found
            assert scheme == "https" or (scheme == "http" and is_this_machine(host)), url
        assert "@" not in urlsplit(url).netloc


@fuzz("addresses")
@given(location=st.one_of(ADDRESSES, TEXTS.filter(lambda text: text.isprintable())))
def test_redirects_lead_nowhere_else(
    tmp_path_factory: pytest.TempPathFactory, location: str
) -> None:
    target = tmp_path_factory.getbasetemp() / "redirected" / "a.zip"
    asked: list[str] = []

    def answer(_: requests.Session, url: str, **__: Any) -> requests.Response:
        asked.append(url)
        response = requests.Response()
        response.status_code = 302 if len(asked) == 1 else 404
        response.headers["Location"] = location
        response.raw = None
        return response

    with pytest.MonkeyPatch.context() as patch, no_hang():
        patch.setattr(requests.Session, "get", answer)
        patch.setattr(requests.Response, "close", lambda _: None)
        with pytest.raises(DatasetError):
            fetch("http://127.0.0.1:9/start", target)
    for url in asked:
        found = contacted(url)
        if found is not None:
            scheme, host = found
            assert scheme == "https" or is_this_machine(host), (location, url)
            assert scheme in ("http", "https")
    assert_nothing_left(target)


def test_nothing_is_read_before_the_checksum_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zipfile.ZipFile", None)
    with loopback() as server:
        server.serve("/b", body(PAYLOAD[:-1] + b"x"))
        with pytest.raises(ChecksumError):
            fetch(server.serve("/a", redirect("/b")), tmp_path / "cache" / "a.zip")
    assert_nothing_left(tmp_path / "cache" / "a.zip")


# --- Hostile names in what is made -------------------------------------------------

FILE = "<img src=x onerror=alert(1)>&**__|[a](javascript:alert(1)) $_x$ .. raw:: html.csv"
"""A name that a ratings table may have."""


def caption_for(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the caption of Figure 3 drawn from a table of ratings of this name."""
    import pandas as pd

    row = {"horizon": 10, "n_replicates": 3, "case": "m0_1", "policy": "lfg", "tuning": 1.0}
    numbers = {"mean": 1.0, "ci_low": 0.5, "ci_high": 1.5}
    table = pd.DataFrame([row | numbers | {"metric": metric} for metric in METRICS])
    monkeypatch.setattr("penalized_bandits.figures.figure_3.summary_of", lambda _: table)
    origin = tmp_path / "provenance.json"
    origin.write_text(json.dumps({"source_used": "table", "dataset": name}), encoding="utf-8")
    context = CaptionContext({"fairness": 0.5}, Readings())
    return caption_of_figure_3({"summary": "", "provenance": str(origin)}, context)


def test_a_hostile_file_name_in_captions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = caption_for(FILE, tmp_path, monkeypatch)
    assert "\n" not in text
    # Markdown shows HTML as it stands within a span of code, and nowhere else.
    spans = re.findall(r"`([^`]*)`", text)
    assert [span for span in spans if "<img" in span]
    assert "<" not in re.sub(r"`[^`]*`", "", text)
    # On the page, and in Snakemake's report, which takes the caption for reStructuredText.
    for html in (
        str(caption(text)),
        publish_parts(
            text, writer="html", settings_overrides={"report_level": 5, "halt_level": 6}
        ).get("body", ""),
    ):
        assert "<img" not in html
        assert "&lt;img" in html
        assert 'href="javascript:' not in html


def test_hostile_text_in_drawings(tmp_path: Path) -> None:
    with plt.rc_context():
        use_style()
        drawn, axes = plt.subplots()
        axes.set_title(HOSTILE.replace("{{", "").replace("}}", ""))
        axes.plot([1], [1], label="<script>alert(1)</script>", gid='"><script>alert(1)</script>')
        axes.legend()
        write_drawing(drawn, tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}
    assert "path" in names
    assert not {"script", "img", "foreignObject", "iframe"} & names
