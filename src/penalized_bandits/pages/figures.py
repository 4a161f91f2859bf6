"""Figures as the page shows them: picture, caption, claims, charts and files."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from penalized_bandits.figures import ALL_FIGURES, FIGURES, tables_of
from penalized_bandits.pages.charts import CHARTS, Tables, embedded, specification
from penalized_bandits.pages.material import Material
from penalized_bandits.pages.predictions import effect_range
from penalized_bandits.pages.render import caption, picture
from penalized_bandits.pages.sections import SECTIONS, Section
from penalized_bandits.pages.verdicts import ClaimView

FIRST = "theory_crossover"
"""The figure whose form of one column is on the first screen, and not shown again."""


def _label(figure: str) -> str:
    if figure in FIGURES:
        return figure.replace("_", " ").capitalize()
    return "Readings" if figure == "sensitivity" else "Theory"


def column_of(figure: str, material: Material) -> Markup:
    """Return a figure's form of one column."""
    label = f"{_label(figure)}: {ALL_FIGURES[figure].title}, in one column"
    return picture(material.file(f"{figure}_column", "svg"), label, f"{figure}-caption")


def figure_view(
    figure: str, material: Material, claims: Sequence[ClaimView], tables: Tables
) -> dict[str, Any]:
    """Return a figure with all that the page says of it.

    Beside its ``section``, ``label``, ``title``, ``picture`` and ``caption`` these are

    - ``files``: link by what it leads to; ``column``: its form of one column, for phones;
    - ``claims``, and ``effects``, how large their differences are;
    - ``charts``: name, chart and specification, as JSON that may stand in a script element.
    """
    # A figure that nobody has written of is shown with its caption alone.
    section, about = SECTIONS.get(figure, Section("")), ALL_FIGURES[figure]
    label, svg = _label(figure), material.file(figure, "svg")
    paths = {kind.upper(): str(material.file(figure, kind)) for kind in ("svg", "pdf", "png")}
    paths["one column, PDF"] = str(material.file(f"{figure}_column", "pdf"))
    shown = [claim for claim in claims if claim.id in section.claims]
    for table in tables_of(about).values():
        paths[table.rpartition("/")[2]] = (material.folder / table).as_posix()
    effects = {c.id: effect_range(c.result, section.scale) for c in shown if section.scale}
    links = {name: material.link(path) for name, path in paths.items()}
    return {
        "id": figure,
        "section": section,
        "label": label,
        "title": about.heading,
        "picture": picture(svg, f"{label}: {about.title}", f"{figure}-caption"),
        "caption": caption(material.file(figure, "md").read_text("utf-8")),
        "files": {name: link for name, link in links.items() if link},
        "column": None if figure == FIRST else column_of(figure, material),
        "claims": shown,
        "effects": {name: text for name, text in effects.items() if text},
        "charts": [
            (name, CHARTS[name], Markup(embedded(specification(name, tables))))  # noqa: S704  (escaped)
            for name in section.charts
        ],
    }
