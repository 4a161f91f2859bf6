"""Figures from tables, as they are or changed, and the words of a figure."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure as Drawing

from penalized_replication.experiments.base import Interpretations
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.figures.base import draw_figure
from penalized_replication.figures.captions import caption_of
from smoke_run import config_with

CONFIG = config_with({})
Tables = dict[str, Any]
"""Paths by the names that the code of a figure knows."""
TablesOf = Callable[[str], Tables]


def edit(path: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    change(pd.read_csv(path)).to_csv(path, index=False)


def set_comparisons(path: str, claim: str, *comparisons: Mapping[str, Any]) -> None:
    results = json.loads(Path(path).read_text(encoding="utf-8"))
    (found,) = (result for result in results if result["id"] == claim)
    for comparison, fields in zip(found["comparisons"], comparisons, strict=False):
        comparison |= fields
    Path(path).write_text(json.dumps(results), encoding="utf-8")


def set_origin(tables: Tables, **origin: str | None) -> None:
    path = Path(tables["provenance"])
    known = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(known | origin), encoding="utf-8")


def draw(figure: str, tables: Tables) -> Drawing:
    drawing = draw_figure(EVERY_FIGURE[figure], tables)
    drawing.draw_without_rendering()
    return drawing


def caption(figure: str, tables: Tables, **interpretations: Any) -> str:
    about = EVERY_FIGURE[figure]
    names = [about.setting] if about.setting else [*about.studies]
    sections = {name: CONFIG.model_dump()[name] for name in names}
    section = sections.get(about.setting, sections)
    return caption_of(about, tables, section, Interpretations(**interpretations))


def words(drawing: Drawing) -> str:
    """Return all that a figure says outside of its legend."""
    found: list[str] = []
    for axes in drawing.axes:
        found += [text.get_text() for text in axes.texts]
        found += [axes.get_title(), axes.get_title("left")]
    return "\n".join(found).replace("\u2009", " ")
