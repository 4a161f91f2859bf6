"""Figures within the page: SVG written into it, ids kept apart."""

import base64
import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup

from penalized_bandits.common.errors import PageError

HEAVY = 1_500_000
"""Bytes from which an SVG is left to a link and the PNG shown instead."""

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_URL = re.compile(r"url\(#([^)]*)\)")
_NUMBER = re.compile(r"-?\d+\.\d+")
_LENGTHS = ("d", "x", "y", "points")
_MOVE = re.compile(r"translate\([^()]*\)")
_GROUP, _PATH, _USE = f"{{{_SVG}}}g", f"{{{_SVG}}}path", f"{{{_SVG}}}use"
_LINE = re.compile(r"fill:none;(?!.*opacity)")
"""Lines that look the same as one as they do apart."""
_OPAQUE = re.compile(r"(?<!-)opacity")
"""What a group has for all of it, and not each element for itself."""


@dataclass(frozen=True)
class Picture:
    """A figure as the page holds it."""

    markup: Markup
    heavy: str = ""
    """Where the SVG is too heavy, its size in words; what is shown is then the PNG."""


def inline_svg(text: str, prefix: str, label: str, described_by: str = "") -> Markup:
    """Return an SVG to be written into a page beside others, in a third of its bytes.

    - ``text``: the SVG file.
    - ``prefix``: id of the drawing, and put before every id and reference in it, so that no two
      drawings of a page share any.
    - ``label``: what the picture is, for those who do not see it.
    - ``described_by``: id of the element that describes it.

    Styles become classes, coordinates have two decimals, and ids that nothing refers to go.

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
    base = _base_style(root, prefix)
    names, classes = _used(root, prefix), dict[str, str]()
    for element in root.iter():
        _shorten(element, names, classes)
    _simplify(root, {name: style for style, name in classes.items()})
    _share(root, prefix)
    # The size is the page's business: the drawing keeps its proportions.
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.set("id", prefix)
    root.set("role", "img")
    root.set("aria-label", label)
    if described_by:
        root.set("aria-describedby", described_by)
    sheet = ElementTree.Element(f"{{{_SVG}}}style")
    rules = (f"#{prefix} .{name}{{{style}}}" for style, name in classes.items())
    sheet.text = "".join((f"#{prefix}{base}" if base else "", *rules))
    root.insert(0, sheet)
    ElementTree.register_namespace("", _SVG)
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # noqa: S704  (serialised)


def _base_style(root: ElementTree.Element, prefix: str) -> str:
    """Take the style sheets of the form ``*{...}`` out of a drawing, and return what they say."""
    found = []
    for parent in root.iter():
        for style in parent.findall(f"{{{_SVG}}}style"):
            match = re.fullmatch(r"\s*\*\s*(\{[^{}<]*\})\s*", style.text or "")
            if match is None:
                raise PageError(f"{prefix}: the SVG has styles of its own: {style.text!r:.80}")
            # Inherited from the drawing, it does not override what a class says of an element.
            found.append(match[1])
            parent.remove(style)
    return "".join(found)


def _used(root: ElementTree.Element, prefix: str) -> dict[str, str]:
    """Return new names for the ids that something refers to, in their order."""
    values = [value for element in root.iter() for value in element.attrib.values()]
    wanted = {value.removeprefix("#") for value in values if value.startswith("#")}
    wanted |= {name for value in values for name in _URL.findall(value)}
    ids = dict.fromkeys(name for element in root.iter() if (name := element.get("id")))
    if lost := wanted - set(ids):
        raise PageError(f"{prefix}: nothing has the id {min(lost)!r}")
    found = (name for name in ids if name in wanted)
    return {name: f"{prefix}-{number}" for number, name in enumerate(found)}


def _shorten(element: ElementTree.Element, names: dict[str, str], classes: dict[str, str]) -> None:
    """Rename and shorten what an element says of itself."""
    said = element.attrib
    for key, value in list(said.items()):
        if key == "id":
            del said[key]
            if value in names:
                said[key] = names[value]
        elif key == _XLINK:
            del said[key]
            said["href"] = f"#{names[value.removeprefix('#')]}"
        elif key in _LENGTHS:
            said[key] = _round(value)
        elif key == "transform":
            said[key] = _MOVE.sub(lambda m: _round(m[0]), value)
    style = [part.strip() for part in said.pop("style", "").split(";")]
    if "clip-path" in said:
        style.append(f"clip-path:{said.pop('clip-path')}")
    written = ";".join(re.sub(r":\s+", ":", part) for part in style if part)
    if written:
        written = _URL.sub(lambda m: f"url(#{names[m[1]]})", written)
        said["class"] = classes.setdefault(written, f"c{len(classes)}")
    element.text = element.tail = None


def _round(text: str) -> str:
    """Return coordinates with two decimals: less than a tenth of a pixel."""
    short = _NUMBER.sub(lambda m: f"{float(m[0]):.2f}".rstrip("0").rstrip(".") or "0", text)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", " ".join(short.replace("-0 ", "0 ").split()))


def _simplify(parent: ElementTree.Element, styles: dict[str, str]) -> None:
    """Join lines of one look, and put the children of groups that say nothing in their place."""
    children: list[ElementTree.Element] = []
    for child in parent:
        _simplify(child, styles)
        last = children[-1] if children else None
        if child.tag == _GROUP and not child.attrib:
            children += child
        elif last is not None and _joinable(last, child, styles):
            last.set("d", last.attrib["d"] + child.attrib["d"])
        else:
            children.append(child)
    parent[:] = children
    looks = {child.get("class", "") for child in children}
    if parent.tag == _GROUP and len(children) > 1 and len(looks) == 1:
        (look,) = looks
        if look and not _OPAQUE.search(styles[look]):
            parent.set("class", " ".join((*parent.get("class", "").split(), look)))
            for child in children:
                del child.attrib["class"]


def _joinable(one: ElementTree.Element, other: ElementTree.Element, styles: dict[str, str]) -> bool:
    """Say whether two elements are lines of one look, one right after the other."""
    looks = {one.get("class", ""), other.get("class", "")}
    lines = all(e.tag == _PATH and set(e.attrib) == {"d", "class"} for e in (one, other))
    return lines and len(looks) == 1 and _LINE.match(styles[looks.pop()]) is not None


def _share(root: ElementTree.Element, prefix: str) -> None:
    """Draw a word that stands in several places, such as the number of a tick, by reference."""
    words: dict[bytes, str] = {}
    for group in [e for e in root.iter(_GROUP) if len(e) > 2 and "transform" in e.attrib]:
        if any(child.tag != _USE for child in group):
            continue
        letters = b"".join(ElementTree.tostring(child) for child in group)
        if letters in words:
            group[:] = [ElementTree.Element(_USE, href=f"#{words[letters]}")]
        else:
            words[letters] = f"{prefix}-w{len(words)}"
            word = ElementTree.Element(_GROUP, id=words[letters])
            word[:] = list(group)
            group[:] = [word]


def picture(svg: Path, png: Path, prefix: str, label: str, described_by: str) -> Picture:
    """Return a figure to be written into the page; the PNG where the SVG is heavy."""
    size = svg.stat().st_size
    if size < HEAVY:
        return Picture(inline_svg(Path(svg).read_bytes().decode(), prefix, label, described_by))
    data = base64.b64encode(Path(png).read_bytes()).decode("ascii")
    markup = Markup('<img id="{}" src="data:image/png;base64,{}" alt="{}" aria-describedby="{}">')
    return Picture(markup.format(prefix, data, label, described_by), f"{size / 1e6:.1f} MB")
