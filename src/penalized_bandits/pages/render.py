"""The templates, and what they are filled in with."""

import base64
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from penalized_bandits.common.numbers import format_number
from penalized_bandits.experiments.names import name_of
from penalized_bandits.pages.forest import axis, scale
from penalized_bandits.pages.typeset import formula

TEMPLATES = Path(__file__).parent / "templates"


def environment() -> Environment:
    """Return where templates are found; whatever they are filled in with is escaped."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"shown": format_number, "formula": formula, "named": name_of}
    made.globals |= {"forest_axis": axis(), "forest_scale": scale()}
    return made


def written(name: str) -> Markup:
    """Return a style sheet or script of the package, to be written into a page."""
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704  (our own)


def picture(svg: Path, label: str, described_by: str) -> Markup:
    """Return a figure to be written into a page.

    - ``label``: what the picture is, for those who do not see it.
    - ``described_by``: id of the element that describes it.
    """
    data = base64.b64encode(svg.read_bytes()).decode("ascii")
    return Markup('<img src="data:image/svg+xml;base64,{}" alt="{}" aria-describedby="{}">').format(
        data, label, described_by
    )
