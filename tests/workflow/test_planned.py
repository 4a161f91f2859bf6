"""Jobs that find other code, another config or other ratings than planned: they fail."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config_helpers import ROOT
from penalized_bandits.common.errors import RunError
from penalized_bandits.workflow import planned

CHANGED = "changed while the run was at work: run the same command again"
RUN = """
import subprocess, sys
from pathlib import Path
from penalized_bandits.workflow import planned

planned.plan({}, Path("scripts"))
job = [sys.executable, "-c", "from penalized_bandits.workflow.planned import check; check()"]
edited = Path(planned.__file__).parents[1] / sys.argv[1]
edited.write_text(edited.read_text(encoding="utf-8") + "# An edit.\\n", encoding="utf-8")
sys.exit(subprocess.run(job).returncode)
"""


@pytest.fixture(autouse=True)
def no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    # Set and deleted, so that it is deleted after the test as well.
    monkeypatch.setenv(planned.VARIABLE, "{}")
    monkeypatch.delenv(planned.VARIABLE)


@pytest.mark.parametrize(("file", "imported"), [("common/errors.py", 1), ("figures/base.py", 0)])
def test_an_edit_of_code_that_the_job_imports(tmp_path: Path, file: str, imported: int) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src")
    done = subprocess.run(
        [sys.executable, "-c", RUN, file],
        env={"PYTHONPATH": str(tmp_path / "src")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == imported
    assert (f"penalized_bandits/common {CHANGED}" in done.stderr) == bool(imported)


def test_an_edit_of_the_ratings(tmp_path: Path) -> None:
    ratings, other = tmp_path / "ratings.csv", tmp_path / "other.csv"
    ratings.write_text("movie,rating\n1,5\n", encoding="utf-8")
    planned.plan({}, tmp_path, [str(ratings)])
    planned.check([str(ratings), str(other)])
    ratings.write_text("movie,rating\n1,4\n", encoding="utf-8")
    planned.check([str(other)])
    with pytest.raises(RunError, match=rf"^{ratings} {CHANGED}$"):
        planned.check([str(ratings)])


def test_another_config_in_a_job_that_reads_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned.plan({"seed": 1}, tmp_path)
    # The same process may plan another run.
    planned.plan({"seed": 2}, tmp_path)
    monkeypatch.setattr(planned.os, "getpid", lambda: 0)
    planned.plan({"seed": 2}, tmp_path)
    with pytest.raises(RunError, match=f"^config {CHANGED}$"):
        planned.plan({"seed": 1}, tmp_path)
