"""What a config is said to take is what its jobs do take, as far as that can be counted."""

import csv
import json
import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from config_helpers import ROOT
from docs_pages import read
from miniature import config_with
from penalized_bandits.claims import switches
from penalized_bandits.claims.evidence import first_replicates
from penalized_bandits.config import BaseConfig, load_config
from penalized_bandits.engine.simulate import MANY_ARMS
from penalized_bandits.experiments.base import Context
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.simulate import pulls_of
from penalized_bandits.policies import PAPER_POLICY, POLICIES, Policy, Round
from penalized_bandits.storage import replicates
from penalized_bandits.workflow import costs
from penalized_bandits.workflow.plan import BUNDLED_COUNTS, START_UP, USUAL, Plan
from workflow_helpers import (
    Outcome,
    Project,
    environment,
    forked,
)

FIRST = "The simulations"


def plan_of(*configs: str) -> Plan:
    return Plan(config_of(*configs), str(BUNDLED_COUNTS))


def config_of(*configs: str) -> BaseConfig:
    return load_config(*(ROOT / "config" / f"{name}.yaml" for name in ("config", *configs)))


# Costs of a pull


def test_measured_costs_come_back() -> None:
    with costs.COSTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    timed = {row["policy"] for row in rows}
    with costs.RATIOS.open(encoding="utf-8", newline="") as file:
        compared = list(csv.DictReader(file))
    assert timed | {row["policy"] for row in compared} == set(POLICIES)
    for row in compared:
        n_arms, times = int(row["arms"]), float(row["times"])
        reference = costs.nanoseconds(PAPER_POLICY, "beta", n_arms, 10_000)
        found = costs.nanoseconds(row["policy"], "beta", n_arms, 10_000)
        assert (row["policy"] in timed) or found == pytest.approx(times * reference)
    for row in rows:
        found = costs.nanoseconds(
            row["policy"], row["rewards"], int(row["arms"]), int(row["horizon"])
        )
        assert found == pytest.approx(float(row["ns_per_pull"]))
        assert found > 0


def test_plain_python_costs_what_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(seen: Round) -> int:
        return int(seen.means.argmax())

    slow = Policy("slow", "Slow", "here", choose=first)
    monkeypatch.setitem(costs.POLICIES, "slow", slow)
    assert costs.nanoseconds("slow", "gaussian", 5, 10_000) > 1000 * costs.nanoseconds(
        PAPER_POLICY, "gaussian", 5, 10_000
    )
    monkeypatch.setitem(costs.POLICIES, "quick", replace(slow, id="quick", compiles=True))
    assert costs.nanoseconds("quick", "gaussian", 5, 10_000) < 1000


def test_costs_between_measured_ones() -> None:
    few, many = (costs.nanoseconds("lfg", "gaussian", k, 10_000) for k in (20, 100))
    assert few < costs.nanoseconds("lfg", "gaussian", 50, 10_000) < many
    # What was not timed costs what is like it; what nobody knows costs as much as anything.
    assert costs.nanoseconds("lfg", "categorical", 20, 10_000) == few
    assert costs.nanoseconds("mine", "gaussian", 20, 10_000) >= few
    # Beyond the largest size costs go on as before.
    assert costs.nanoseconds("lfg", "gaussian", 5_000, 10_000) > costs.nanoseconds(
        "lfg", "gaussian", 1_000, 10_000
    )


def test_few_replicates_cost_more_each() -> None:
    assert costs.cost_of_few(costs.LANES_TIMED, 20) == 1
    assert costs.cost_of_few(10, 20) > costs.cost_of_few(50, 20) > 1 > costs.cost_of_few(1000, 20)
    assert costs.cost_of_few(1, 20) == costs.cost_of_few(costs.FEWEST, 20)
    assert costs.MANY_ARMS_FROM == MANY_ARMS
    assert costs.cost_of_few(1, MANY_ARMS) == 1


def test_the_package_has_the_saved_table() -> None:
    saved = ROOT / "benchmarks/results/costs.csv"
    assert costs.COSTS.read_bytes() == saved.read_bytes()


# What there is to do


@pytest.mark.parametrize("experiment", EXPERIMENTS)
@pytest.mark.parametrize("name", ["config", "quick"])
def test_pulls_are_those_that_are_made(name: str, experiment: str) -> None:
    config = config_of(name)
    section = config.section(experiment)
    context = Context(
        config.seed, config.readings, 0, section.replicates, rating_counts=str(BUNDLED_COUNTS)
    )
    works = plan_of(name).works(experiment)
    assert list(works) == list(config.jobs(experiment))
    for job, groups in config.jobs(experiment).items():
        made = pulls_of(EXPERIMENTS[experiment], section, groups, context)
        assert works[job].pulls == made > 0


def test_rows_by_hand() -> None:
    # Three values of tau, five policies, four horizons, whatever number of runs these take.
    work = plan_of("large").works("setting_1")["K1000"]
    assert work.arms == (1000,) * (3 * 5 * 4)
    assert work.rows == 10_000 * 1000 * 60
    assert work.widest == 4 * 1000
    assert work.parts == 50
    # LFG is tuned to each horizon; the others play the longest one alone.
    assert work.pulls == 10_000 * 3 * (4 * 1_000_000 + 1_111_000)


def test_splitting_leaves_the_work_and_shortens_the_jobs() -> None:
    whole = plan_of().works("setting_1")["K5"]
    config = config_of()
    split = Plan(
        config.model_copy(
            update={"simulation": config.simulation.model_copy(update={"chunks": 10})}
        )
    ).works("setting_1")["K5"]
    assert (whole.parts, split.parts) == (1, 10)
    assert whole.pulls == split.pulls
    assert split.job_seconds < whole.job_seconds


def test_nothing_is_known_of_movies_without_ratings() -> None:
    plan = Plan(config_of())
    assert plan.works("setting_3") == {}
    assert plan.simulation("setting_3", "m0_2500").mb == USUAL.mb
    assert "nothing is known of setting_3, movie_crossover" in plan.describe()


def test_what_jobs_ask_for_grows_with_what_they_do() -> None:
    small, large = plan_of(), plan_of("large")
    for ask in ("summary", "claims"):
        for experiment in ("setting_1", "setting_5"):
            few, many = (
                getattr(p, ask)([experiment] if ask == "claims" else experiment)
                for p in (small, large)
            )
            assert USUAL.mb <= few.mb < many.mb, (ask, experiment)
            assert USUAL.minutes < few.minutes < many.minutes
    few, many = (p.simulation("setting_5", "K20") for p in (small, large))
    assert USUAL.minutes < few.minutes < many.minutes
    # Summaries hold a table at a time, claims all of them.
    assert large.summary("setting_5").mb < 8_000 < large.claims(["setting_5"]).mb
    touched = switches.touched("means")
    assert small.flips(touched).minutes < large.flips(touched).minutes
    few, many = (p.readings(EXPERIMENTS) for p in (small, large))
    assert few.mb <= many.mb < large.claims(["setting_5"]).mb


def test_default_jobs_fit_into_little() -> None:
    plan = plan_of()
    for experiment in EXPERIMENTS:
        for work in plan.works(experiment).values():
            assert work.needs.mb <= 1_250, experiment
            assert work.needs.minutes <= 30, experiment


# What a dry run says


HALVES: dict[str, Any] = {"simulation": {"chunks": 2}, "setting_5": {"replicates": 1_000_000}}


@pytest.fixture(scope="module", name="said")
def said_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    project = fresh.copy(tmp_path_factory.mktemp("plan") / "project")
    project.configure(HALVES, "halves.yaml")
    requests = {
        "halves": project.dry(config="halves.yaml"),
        "quiet": project.request("setting_5", config="halves.yaml", options=["-n", "-q", "all"]),
        "small": project.dry("setting_1"),
        "list": project.request(config=None, options=["--list-rules"]),
    }
    return forked(requests, project.kernels)


@pytest.mark.slow
def test_a_dry_run_says_what_it_takes(said: dict[str, Outcome]) -> None:
    assert said["halves"].status == 0, said["halves"].text
    assert Plan(config_with(HALVES), str(BUNDLED_COUNTS)).describe() in said["halves"].text
    assert f"{FIRST}: " in said["small"].text
    for other in ("quiet", "list"):
        assert said[other].status == 0, said[other].text
        assert FIRST not in said[other].text


@pytest.mark.slow
def test_jobs_of_a_dry_run_are_those_of_the_plan(said: dict[str, Outcome]) -> None:
    plan = Plan(config_with(HALVES), str(BUNDLED_COUNTS))
    number = sum(w.parts for e in EXPERIMENTS for w in plan.works(e).values())
    assert re.search(rf"(?m)^simulate_group +{number}$", said["halves"].text)
    asked = plan.simulation("setting_5", "K5")
    assert asked.mb > USUAL.mb
    assert asked.minutes > USUAL.minutes
    block = said["halves"].text.partition("setting_5/K5.2of2.parquet")[2]
    resources = block[block.index("resources:") : block.index("\n", block.index("resources:"))]
    assert f"mem_mb={asked.mb}" in resources
    assert f"runtime={asked.minutes}" in resources


@pytest.mark.parametrize(
    "option",
    [
        pytest.param("--d3dag", marks=pytest.mark.sample),
        *(pytest.param(o, marks=pytest.mark.slow) for o in ("--dag", "--rulegraph", "--summary")),
    ],
)
def test_what_programs_read_stays_clean(fresh: Project, option: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "setting_4", option, "--configfile", "tiny.yaml"],
        cwd=fresh.folder,
        env=environment(fresh.folder, fresh.kernels),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    assert FIRST not in done.stdout
    if option == "--d3dag":
        json.loads(done.stdout)
    else:
        assert done.stdout.startswith(("digraph", "output_file"))


def test_the_guide_shows_what_a_dry_run_says() -> None:
    (shown,) = re.findall(
        r"(?s)<!-- plan: config/large.yaml -->\n\n```text\n(.*?)```", read("how-to/cluster.md")
    )
    assert shown == plan_of("large").describe() + "\n"


# What is held


def test_first_replicates_do_not_hold_the_others() -> None:
    pulls = np.arange(12, dtype=np.int32).reshape(4, 3)
    values = pulls.astype(np.float64)
    # As they are read: views of columns with a row for each arm and replicate.
    columns = [values.ravel().copy() for _ in range(4)]
    deficits, means, penalties, fairness = (column.reshape(4, 3) for column in columns)
    whole = replicates.Outcome(
        *("case", "policy", None, None, 3, 0),
        pulls=pulls,
        max_deficit=deficits,
        means=means,
        fairness=fairness[0],
        penalties=penalties,
    )
    some = first_replicates(whole, 2)
    for name in ("pulls", "max_deficit", "means", "penalties", "fairness"):
        kept = getattr(some, name)
        assert kept.base is None, name
        np.testing.assert_array_equal(kept, getattr(whole, name)[: 2 if kept.ndim == 2 else 3])
    assert first_replicates(whole, 4) is whole


# Threads of a job


@pytest.mark.parametrize("cores", [1, 2, 16, 64, 1000])
def test_no_simulation_outlasts_half_a_cores_share(cores: int) -> None:
    plan = plan_of()
    jobs = [
        (work.job_seconds, plan.threads(experiment, name, cores))
        for experiment in EXPERIMENTS
        for name, work in plan.works(experiment).items()
    ]
    for reading in switches.readings():
        touched = switches.touched(reading)
        seconds = START_UP + sum(work.seconds for work in plan.flipped(touched))
        jobs.append((seconds, plan.flip_threads(touched, cores)))
    share = sum(seconds for seconds, _ in jobs) / cores
    for seconds, threads in jobs:
        assert seconds / threads <= share / 2 or threads == cores
        assert threads == 1 or seconds / (threads - 1) > share / 2


def test_one_thread_where_nothing_is_known() -> None:
    assert plan_of().threads("setting_5", "K20", None) == 1
    assert Plan(config_of(), None).threads("setting_3", "m0_1250", 64) == 1
