"""The frozen confirmation in a run: a reader's own seed, small."""

from pathlib import Path

import pandas as pd
import pytest

from penalized_replication.claims import CLAIMS
from smoke_run import PAPERS
from workflow_helpers import Project

pytestmark = pytest.mark.slow


@pytest.mark.sample
def test_a_seed_of_ones_own_decides_all_measured_claims(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "project")
    project.make("frozen", options=["--config", "frozen_seed=8"])
    results = project.folder / "results"
    frozen = pd.read_csv(results / "scenarios/frozen.csv")
    assert set(frozen["scenario"]) == {"frozen_seed_8"}
    # All that are measured: the others use no random number.
    assert sorted(frozen["id"]) == [name for name in PAPERS if CLAIMS[name].experiments]
    claims = pd.read_csv(results / "scenarios/frozen_seed_8/claims/claims.csv", index_col="id")
    assert dict(claims["verdict"]) == dict(frozen.set_index("id")["verdict"])
    # Bandits of the studies are others; those of figures are not.
    made, paper = (
        pd.read_csv(results / f"{folder}claims/comparisons.csv").query("id in ('C07', 'C29')")
        for folder in ("scenarios/frozen_seed_8/", "")
    )
    assert made["case"].tolist() == paper["case"].tolist()
    of_law = [table[table["id"] == "C07"]["predicted"] for table in (made, paper)]
    assert not set(of_law[0]) & set(of_law[1])
