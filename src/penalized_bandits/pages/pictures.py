"""Figures within the page, which is one file: the SVG as an image."""

import base64
from pathlib import Path

from markupsafe import Markup


def picture(svg: Path, label: str, described_by: str) -> Markup:
    """Return a figure to be written into a page.

    - ``label``: what the picture is, for those who do not see it.
    - ``described_by``: id of the element that describes it.
    """
    data = base64.b64encode(svg.read_bytes()).decode("ascii")
    return Markup('<img src="data:image/svg+xml;base64,{}" alt="{}" aria-describedby="{}">').format(
        data, label, described_by
    )
