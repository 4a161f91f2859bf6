"""Hashes of locked packages; hostile names in captions and drawings."""

import json
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from docutils.core import publish_parts

from config_helpers import ROOT
from pages_helpers import HOSTILE
from penalized_bandits.experiments.base import Readings
from penalized_bandits.figures.base import CaptionContext, write_drawing
from penalized_bandits.figures.figure_3 import caption as caption_of_figure_3
from penalized_bandits.figures.style import use_style
from penalized_bandits.figures.tradeoff import METRICS
from penalized_bandits.pages.typeset import caption


def test_every_locked_package_has_hashes() -> None:
    packages = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    own = [package["name"] for package in packages if "registry" not in package["source"]]
    assert own == ["penalized-bandits"]
    for package in packages:
        if package["name"] in own:
            continue
        files = [*package.get("wheels", []), *filter(None, [package.get("sdist")])]
        assert files, package["name"]
        for file in files:
            assert re.fullmatch(r"sha256:[0-9a-f]{64}", file["hash"]), package["name"]


FILE = "<img src=x onerror=alert(1)>&**__|[a](javascript:alert(1)) $_x$ .. raw:: html.csv"
"""A name that a ratings table may have."""


def caption_for(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the caption of Figure 3 for a table of ratings with this name."""
    row = {"horizon": 10, "n_replicates": 3, "case": "m0_1", "policy": "lfg", "tuning": 1.0}
    numbers = {"mean": 1.0, "ci_low": 0.5, "ci_high": 1.5}
    table = pd.DataFrame([row | numbers | {"metric": metric} for metric in METRICS])
    monkeypatch.setattr("penalized_bandits.figures.figure_3.summary_of", lambda _: table)
    provenance = tmp_path / "provenance.json"
    provenance.write_text(json.dumps({"source_used": "table", "dataset": name}), encoding="utf-8")
    context = CaptionContext({"fairness": 0.5}, Readings())
    return caption_of_figure_3({"summary": "", "provenance": str(provenance)}, context)


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
