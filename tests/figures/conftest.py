"""Figures leave matplotlib as it was."""

from collections.abc import Iterator

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Undo what a figure sets for all of matplotlib."""
    with mpl.rc_context():
        yield
    plt.close("all")
