"""Tables of the smoke run for figures, which leave matplotlib as it was."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

from config_helpers import ROOT
from figure_helpers import Tables, TablesOf
from penalized_replication.figures import EVERY_FIGURE, tables_of
from workflow_helpers import Project


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    with mpl.rc_context():
        yield
    plt.close("all")


@pytest.fixture
def tables_for(smoke_run: Project, tmp_path: Path) -> TablesOf:
    def copied(figure: str) -> Tables:
        (tmp_path / figure).mkdir()
        results, folder = smoke_run.folder / "results", tmp_path / figure
        paths = {n: results / path for n, path in tables_of(EVERY_FIGURE[figure]).items()}
        if EVERY_FIGURE[figure].scenarios:
            paths["verdicts"] = ROOT / "docs/published/interpretations.csv"
        parts = {n: sorted(map(str, p.glob("*.parquet"))) for n, p in paths.items() if p.is_dir()}
        return {n: parts.get(n) or str(shutil.copy(path, folder)) for n, path in paths.items()}

    return copied
