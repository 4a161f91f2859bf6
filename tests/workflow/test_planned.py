"""Jobs that find other code, another config or other ratings than planned: they fail."""

from pathlib import Path

import pytest

from config_helpers import PAPER
from penalized_replication.common.errors import RunError
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.workflow import planned
from penalized_replication.workflow.code import Code

CHANGED = "changed while the run was at work: run the same command again"


@pytest.fixture(autouse=True)
def no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    # Set and deleted, so that it is deleted after the test as well.
    monkeypatch.setenv(planned.VARIABLE, "{}")
    monkeypatch.delenv(planned.VARIABLE)


def test_an_edit_of_code_that_the_job_stands_on(tmp_path: Path) -> None:
    script, other = tmp_path / "scripts/simulate.py", tmp_path / "scripts/other.py"
    script.parent.mkdir()
    for file in (script, other):
        file.write_text("import penalized_bandits\n", encoding="utf-8")
    params = ["a key", Code(Scenarios(PAPER), script.parent).of("simulate", policies=["moss"])]
    planned.check(params, script.parent, [])
    other.write_text("# An edit.\n", encoding="utf-8")
    planned.check(params, script.parent, [])
    script.write_text("# An edit.\n", encoding="utf-8")
    with pytest.raises(RunError, match=f"^scripts/simulate.py {CHANGED}$"):
        planned.check(params, script.parent, [])
    # A job of a cluster makes its params anew: what was planned is in the environment.
    moss = next(param for param in params[1] if "policies/moss.py" in param)
    planned.plan({}, code=[f"{moss}0"])
    with pytest.raises(RunError, match=f"^policies/moss.py, scripts/simulate.py {CHANGED}$"):
        planned.check(params, script.parent, [])


def test_an_edit_of_the_ratings(tmp_path: Path) -> None:
    ratings, other = tmp_path / "ratings.csv", tmp_path / "other.csv"
    ratings.write_text("movie,rating\n1,5\n", encoding="utf-8")
    planned.plan({}, [str(ratings)])
    planned.check([], tmp_path, [str(ratings), str(other)])
    ratings.write_text("movie,rating\n1,4\n", encoding="utf-8")
    planned.check([], tmp_path, [str(other)])
    with pytest.raises(RunError, match=rf"^{ratings} {CHANGED}$"):
        planned.check([], tmp_path, [str(ratings)])


def test_another_config_in_a_job_that_reads_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    planned.plan({"seed": 1})
    # The same process may plan another run.
    planned.plan({"seed": 2})
    monkeypatch.setattr(planned.os, "getpid", lambda: 0)
    planned.plan({"seed": 2})
    with pytest.raises(RunError, match=f"^config {CHANGED}$"):
        planned.plan({"seed": 1})
