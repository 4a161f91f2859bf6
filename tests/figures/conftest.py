"""Tables of the smoke run for figures, which leave matplotlib as it was."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

from figure_helpers import Tables, TablesOf, copied_tables
from workflow_helpers import Project


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Undo what a figure sets for all of matplotlib."""
    with mpl.rc_context():
        yield
    plt.close("all")


@pytest.fixture
def tables_for(smoke_run: Project, tmp_path: Path) -> TablesOf:
    """Return a function that copies the tables of a figure."""

    def copied(figure: str) -> Tables:
        return copied_tables(smoke_run, figure, tmp_path / figure)

    return copied
