"""The benchmarks run, in miniature, and the documentation shows what they saved."""

import csv
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from config_helpers import ROOT


@pytest.fixture(scope="module")
def benchmarks() -> Iterator[Any]:
    """Import a module of the benchmarks, which are no installed package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)
        yield lambda name: import_module(f"benchmarks.{name}")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("peers", "threads", "arms", "lanes", "loops"), marks=pytest.mark.sample),
        # Every policy is compiled for every reward family.
        pytest.param(("policies",), marks=pytest.mark.slow),
    ],
)
def test_tables_are_made_and_saved(benchmarks: Any, tmp_path: Path, names: tuple[str, ...]) -> None:
    affinity = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    benchmarks("__main__").run(names, benchmarks("effort").SMOKE, tmp_path)
    for name in names:
        assert rows_of(tmp_path / f"{name}.csv"), name
        assert (tmp_path / f"{name}.md").read_text(encoding="utf-8").startswith("| ")
    if "policies" in names:
        families = benchmarks("instances").FAMILIES
        timed = {*benchmarks("policies_table").TIMED, "draw only"}
        policies = import_module("penalized_bandits.policies").POLICIES
        made = {(row["policy"], row["rewards"]) for row in rows_of(tmp_path / "policies.csv")}
        expected = {(name, family) for name in timed for family in families}
        assert made == expected | {(name, "gaussian") for name in policies}
    assert (tmp_path / "machine.md").is_file()
    if affinity is not None:
        assert os.sched_getaffinity(0) == affinity


@pytest.mark.sample
def test_new_processes_say_what_they_cost(benchmarks: Any) -> None:
    found = benchmarks("children").fresh(
        {
            "policy": "hard_threshold_ucb",
            "n_arms": 3,
            "family": "gaussian",
            "horizon": 20,
            "replicates": 8,
        }
    )
    assert 0 < found["second_s"] < found["import_s"] + found["first_s"]
    assert 0 < found["import_mb"] <= found["peak_mb"]


@pytest.mark.sample
@pytest.mark.parametrize("family", ["gaussian", "bernoulli"])
def test_the_naive_loop_makes_the_engines_pulls(benchmarks: Any, family: str) -> None:
    simulate = import_module("penalized_bandits").simulate
    instance = benchmarks("instances").linear_instance(7, family)
    ours = simulate("hard_threshold_ucb", instance, 2_000, replicates=6, seed=3)
    theirs = benchmarks("rivals.naive_numba").play(instance, 2_000, 6, seed=3)
    np.testing.assert_array_equal(ours.pulls[:, -1], theirs)


@pytest.mark.sample
@pytest.mark.parametrize("family", ["gaussian", "bernoulli"])
def test_loops_in_python_play_ucb1(benchmarks: Any, family: str) -> None:
    """Their rewards are others, so only the means can be compared."""
    simulate = import_module("penalized_bandits").simulate
    instance = benchmarks("instances").linear_instance(5, family)
    expected = simulate("ucb1", instance, 500, replicates=400).pulls[:, -1].mean(axis=0)
    plain = benchmarks("rivals.plain_python").play
    found = {
        "numpy": benchmarks("rivals.numpy_replicates").play(instance, 500, 400, 1).mean(axis=0),
        "python": np.mean([plain(instance, 500, seed) for seed in range(60)], axis=0),
    }
    for name, pulls in found.items():
        assert pulls.sum() == pytest.approx(500), name
        np.testing.assert_allclose(pulls, expected, atol=25, err_msg=name)


@pytest.mark.sample
def test_a_missing_peer_is_a_row(
    benchmarks: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("smpybandits", "mabwiser"):
        monkeypatch.setattr(benchmarks(f"rivals.{name}"), "is_installed", lambda: False)
    benchmarks("__main__").run(["peers"], benchmarks("effort").SMOKE, tmp_path)
    rows = rows_of(tmp_path / "peers.csv")
    missing = {row["what"] for row in rows if row["ns_per_pull"] == "not installed"}
    assert missing == {"SMPyBandits 0.9.7, UCB", "mabwiser 2.7.4, UCB1"}


def test_goals_are_met_or_missed(benchmarks: Any) -> None:
    goal = benchmarks("tables").Goal
    assert goal("times faster", 3.0, 3.0, "3").met
    assert not goal("times faster", 3.0, 2.9, "2.9").met
    assert goal("seconds", 3.0, 2.9, "2.9", at_least=False).met
    assert "missed" in goal("seconds", 3.0, 3.1, "3.1", at_least=False).row()["measured"]


def test_goals_of_other_processors_stay(benchmarks: Any, tmp_path: Path) -> None:
    tables = benchmarks("tables")
    for processor, measured in (("old", 2.9), ("new", 3.1)):
        goals = [tables.Goal("times faster", 3.0, measured, str(measured))]
        tables.save(tables.Table("arms", "", "", goals=goals), tmp_path, processor)
    heading, _, row, _, counts = tables.goals_table(tmp_path, ["arms", "peers"]).splitlines()
    assert [cell.strip() for cell in heading.split("|")[1:-1]] == ["goal", "new", "old"]
    assert [cell.strip() for cell in row.split("|")[2:-1]] == ["3.1", "2.9 **missed**"]
    assert counts.endswith("1 of 1 on new, 0 of 1 on old.")


def test_documentation_shows_the_saved_tables(benchmarks: Any) -> None:
    module = benchmarks("__main__")
    text = module.DOCUMENT.read_text(encoding="utf-8")
    assert benchmarks("docs").filled(text, module.RESULTS) == text
    for name in module.TABLES:
        assert f"<!-- benchmark {name} -->" in text


def test_a_table_of_an_earlier_engine_says_so(benchmarks: Any, tmp_path: Path) -> None:
    docs, digest = benchmarks("docs"), benchmarks("machine").engine_digest()
    text = "<!-- benchmark arms -->\n<!-- end -->"
    for saved, older in (
        (f"a table\n5 seconds. Engine {digest}, compiled for", False),
        ("a table\n5 seconds. Engine\n00000000, compiled for", True),
        ("a table\n5 seconds.", True),
    ):
        (tmp_path / "arms.md").write_text(saved, encoding="utf-8")
        assert ("earlier engine" in docs.filled(text, tmp_path)) == older


@pytest.mark.sample
def test_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--write-docs"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "not for the documentation" in done.stderr


def test_imports_of_jobs(benchmarks: Any) -> None:
    said = """
import time: self [us] | cumulative | imported package
import time:   2000000 |    2000000 | snakemake
Job 3: rule summarize experiment=setting_1: Summarise.
import time: self [us] | cumulative | imported package
import time:    300000 |     500000 |   numpy
import time:    200000 |     500000 | pandas
Job 4: rule write_index: The page.
Job 5: rule summarize experiment=setting_2: Summarise.
import time:    100000 |     100000 | numpy
"""
    found = benchmarks("startup_table").imports_by_rule(said)
    assert found == {
        "snakemake": (1, 2.0),
        "summarize": (2, pytest.approx(0.6)),
        "write_index": (1, 0.0),
    }


def test_schedule_of_jobs(benchmarks: Any) -> None:
    # A chain of 1 + 4 + 1 s beside jobs of 2 and 3 s; the simulation of 4 s may have threads.
    schedule = benchmarks("schedule")
    first, last = schedule.Job("ratings", 1.0), schedule.Job("page", 1.0, {1})
    long, other = schedule.Job("claims", 4.0, {0}), schedule.Job("figure", 2.0)
    jobs = [first, long, last, other, schedule.Job("notebook", 3.0)]
    assert [schedule.makespan(jobs, cores) for cores in (1, 2, 3)] == [11.0, 6.0, 6.0]
    assert [job.name for job in schedule.critical(jobs)] == ["ratings", "claims", "page"]
    jobs[1] = schedule.Job("simulate_group/setting_5/K5", 4.0, {0})
    # Four threads share 3 of its 4 s, beside which there is no core for another job.
    assert schedule.makespan(jobs, 4) == 1.0 + (1.0 + 3.0 / 4) + 3.0
