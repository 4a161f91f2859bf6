"""What the page says of each figure, in our words: ``sections.yaml``."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Section:
    """A figure on the page."""

    paper: str
    """What the paper says of it, or of the theorem behind it."""
    scale: str = ""
    """Name of the reference scale of its claims' differences."""
    charts: Sequence[str] = ()
    """Interactive charts shown beside it, by their names in ``charts.CHARTS``."""


_FILE = Path(__file__).with_name("sections.yaml")
SECTIONS: dict[str, Section] = {
    figure: Section(**values) for figure, values in yaml.safe_load(_FILE.read_bytes()).items()
}
"""By the figure's id in ``figures.ALL_FIGURES``."""
