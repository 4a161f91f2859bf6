"""Figures within the page: SVG written into it, ids kept apart."""

import base64
import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup

from penalized_bandits.errors import PageError
from penalized_bandits.storage.origins import read_bytes

HEAVY = 1_500_000
"""Bytes from which an SVG is left to a link and the PNG shown instead."""

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_URL = re.compile(r"url\(#([^)]*)\)")


@dataclass(frozen=True)
class Picture:
    """A figure as the page holds it."""

    markup: Markup
    heavy: str = ""
    """Where the SVG is too heavy, its size in words; what is shown is then the PNG."""


def inline_svg(text: str, prefix: str, label: str, described_by: str = "") -> Markup:
    """Return an SVG to be written into a page beside others.

    - ``text``: the SVG file.
    - ``prefix``: put before every id and every reference to one, so that no two figures share any.
    - ``label``: what the picture is, for those who do not see it.
    - ``described_by``: id of the element that describes it.

    Raises PageError if the text is no SVG, or styles elements beyond its own.
    """
    try:
        # Our own file, which the workflow has just drawn.
        root = ElementTree.fromstring(text)  # noqa: S314
    except ElementTree.ParseError as error:
        raise PageError(f"{prefix}: no SVG: {error}") from None
    if root.tag != f"{{{_SVG}}}svg":
        raise PageError(f"{prefix}: no SVG but {root.tag}")
    for metadata in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(metadata)
    names: dict[str, str] = {}

    def renamed(name: str) -> str:
        # An id may hold no space in HTML.
        return names.setdefault(name, f"{prefix}-{'-'.join(name.split())}")

    for element in root.iter():
        if element.tag == f"{{{_SVG}}}style":
            element.text = _scoped(element.text or "", prefix)
        for key, value in list(element.attrib.items()):
            if key == "id":
                element.set(key, renamed(value))
            elif key == _XLINK:
                del element.attrib[key]
                element.set("href", f"#{renamed(value.removeprefix('#'))}")
            elif "url(#" in value:
                element.set(key, _URL.sub(lambda m: f"url(#{renamed(m[1])})", value))
    if len(set(names.values())) != len(names):
        raise PageError(f"{prefix}: two ids of the SVG become one")
    # The size is the page's business: the drawing keeps its proportions.
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.set("id", prefix)
    root.set("role", "img")
    root.set("aria-label", label)
    if described_by:
        root.set("aria-describedby", described_by)
    ElementTree.register_namespace("", _SVG)
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # noqa: S704  (serialised)


def _scoped(style: str, prefix: str) -> str:
    """Confine a style sheet of the form ``*{...}`` to its own drawing."""
    match = re.fullmatch(r"\s*\*\s*(\{[^{}<]*\})\s*", style)
    if match is None:
        raise PageError(f"{prefix}: the SVG has styles of its own: {style[:80]!r}")
    return f"#{prefix} *{match[1]}"


def picture(svg: Path, png: Path, prefix: str, label: str, described_by: str) -> Picture:
    """Return a figure to be written into the page; the PNG where the SVG is heavy."""
    size = svg.stat().st_size
    if size < HEAVY:
        return Picture(inline_svg(read_bytes(svg).decode(), prefix, label, described_by))
    data = base64.b64encode(read_bytes(png)).decode("ascii")
    markup = Markup('<img id="{}" src="data:image/png;base64,{}" alt="{}" aria-describedby="{}">')
    return Picture(markup.format(prefix, data, label, described_by), f"{size / 1e6:.1f} MB")
