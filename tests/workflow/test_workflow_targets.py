"""Every target makes its files and nothing else; the tables keep the contract."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from penalized_bandits.claims import CLAIMS
from penalized_bandits.claims.choices import COLUMNS as CHOICE_COLUMNS
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.storage.replicates import read_metadata, read_replicates
from workflow_helpers import (
    CHECKSUMS,
    CHOICES,
    EXPERIMENTS,
    FIGURES,
    INDEX,
    LEDGER,
    PAGES,
    RATINGS,
    READINGS,
    ROOT,
    SENSITIVITY,
    SETTINGS,
    STUDIES,
    TOPICS,
    Outcome,
    Project,
    all_of,
    checked_of,
    every_figure,
    figure_of,
    flipped_of,
    forked,
    fresh_fixture,  # noqa: F401
    jobs_in,
    made_in,
    miniature_fixture,  # noqa: F401
    notebooks_of,
    one_figure_fixture,  # noqa: F401
    replicates_of,
    summaries_of,
    target_of,
    theory_figures,
    with_origins,
)

# What others read: columns may be added, never renamed.
SUMMARY_COLUMNS = [
    "setting", "case", "policy", "scale", "tuning", "horizon", "arm", "metric",
    "mean", "se", "ci_low", "ci_high", "n_replicates",
]  # fmt: skip
COUNT_COLUMNS = ["movie_id", "title", "n_ratings", *(f"count_{n}" for n in range(1, 6))]
CASES = {
    "setting_1": {"K5_tau0.2", "K5_tau0.8"},
    "setting_2": {"case_1", "case_2"},
    "setting_3": {"m0_2500"},
    "setting_4": {f"{row}_{n}" for row in ("noncritical", "critical") for n in (1, 2, 3)},
    "setting_5": {f"K5_tau0.5_{law}" for law in ("gaussian", "beta", "bernoulli")},
}
PAPER = ("hard_threshold_ucb", "lfg", "fair_learn")
POLICIES = {
    "setting_1": {*PAPER, "ucb1", "soft_threshold_ucb"},
    "setting_2": set(PAPER),
    "setting_3": {*PAPER, "lfg_original"},
    "setting_4": {"hard_threshold_ucb"},
    "setting_5": {*PAPER, "lfg_original"},
}
WHOLE_RUN = {"penalized_regret", "expected_reward", "unfairness"}
PER_ARM = {"pulls", "arm_unfairness", "max_deficit"}

CHECKED = checked_of(*TOPICS)
ALL_CLAIMS = replicates_of(*EXPERIMENTS) | CHECKED | LEDGER | RATINGS
ALL_READINGS = ALL_CLAIMS | flipped_of(*EXPERIMENTS) | SENSITIVITY


def _figure_of_theory(figure: str) -> set[str]:
    """Return what a figure of the theory or of the ledger makes when asked for alone."""
    wanted = ALL_FIGURES[figure]
    made = replicates_of(*wanted.studies) | summaries_of(*wanted.studies) | figure_of(figure)
    made |= ALL_READINGS if wanted.claims else set()
    made |= RATINGS if "movie_crossover" in wanted.studies else set()
    return made.union(*(_topic(topic) for topic in wanted.topics))


def _topic(topic: str) -> set[str]:
    """Return what the claims of one job stand on, and what it makes."""
    ratings = RATINGS if {"setting_3", "movie_crossover"} & {*TOPICS[topic]} else set()
    return replicates_of(*TOPICS[topic]) | ratings | checked_of(topic)


def _claim(claim: str) -> set[str]:
    """Return what a claim makes when asked for alone."""
    return _topic(CLAIMS[claim].topic) | with_origins({f"results/claims/pages/{claim}.md"})


# The first claim of each job stands for the others.
SAMPLE = {topic: next(c.id for c in CLAIMS.values() if c.topic == topic) for topic in TOPICS}
EVERYTHING = all_of(*EXPERIMENTS) | RATINGS | PAGES | CHECKSUMS
TARGETS: dict[str, set[str]] = {
    "all": EVERYTHING,
    "pages": all_of(*EXPERIMENTS) | RATINGS | INDEX,
    "report": EVERYTHING | {"results/report.html"},
    "notebooks": ALL_CLAIMS | summaries_of("setting_1", "setting_3") | notebooks_of(*NOTEBOOKS),
    "movielens": RATINGS,
    "theory": target_of(*STUDIES).union(*map(_figure_of_theory, theory_figures(*STUDIES))),
    "claims": ALL_CLAIMS,
    "sensitivity": _figure_of_theory("sensitivity"),
    "choices": RATINGS | CHOICES,
    **{name: target_of(name) for name in EXPERIMENTS},
    **{figure: target_of(figure.replace("figure", "setting")) for figure in FIGURES},
    **{figure: _figure_of_theory(figure) for figure in every_figure() if figure not in FIGURES},
    **{f"results/claims/pages/{claim}.md": _claim(claim) for claim in SAMPLE.values()},
}
for _name in ("setting_3", "figure_3", "movie_crossover"):
    TARGETS[_name] = TARGETS[_name] | RATINGS
# A figure is not drawn from what only its setting shows.
assert TARGETS["figure_4"] == TARGETS["setting_4"]


NAMED = {target for target in TARGETS if "/" not in target}


@pytest.fixture(scope="module")
def dry(fresh: Project) -> dict[str, Outcome]:
    """Return dry runs without any results: of each target, and with the configs shipped."""
    requests = {target: fresh.dry(target) for target in TARGETS}
    requests["default"] = fresh.dry(config=None)
    requests["quick"] = fresh.dry(config="config/quick.yaml")
    requests["rules"] = fresh.request(options=["--list-rules"])
    requests["targets"] = fresh.request(options=["--list-target-rules"])
    requests["lint"] = fresh.request(options=["--lint"])
    return forked(requests, fresh.kernels)


@pytest.mark.parametrize("target", TARGETS)
def test_target_makes_its_files_and_nothing_else(dry: dict[str, Outcome], target: str) -> None:
    assert made_in(dry[target]) == TARGETS[target]


@pytest.mark.parametrize("config", ["default", "quick", "all"])
def test_few_jobs(dry: dict[str, Outcome], config: str) -> None:
    total = re.search(r"(?m)^total +(\d+)$", dry[config].text)
    assert total is not None
    # Every job costs more than a second to start.
    assert len(EXPERIMENTS) + len(every_figure()) < int(total[1]) <= 80


def test_every_rule_has_one_line_of_explanation(dry: dict[str, Outcome]) -> None:
    listed: dict[str, str] = {}
    for line in dry["rules"].text.splitlines():
        if match := re.fullmatch(r"(\w+)(?: \((.*)\))?", line):
            listed[match[1]] = match[2] or ""
    stages = {"get_ratings", "simulate_group", "summarize", "trace_frontier", "draw_figure"}
    stages |= {"compare_policies", "check_claims", "write_ledger", "write_claim", "check_readings"}
    stages |= {"check_choices"}
    stages |= {"run_notebook", "write_index", "write_claims_page", "write_checksums"}
    stages |= {f"simulate_{reading}" for reading in READINGS}
    # They have configs of their own (test_workflow_extended.py).
    stages |= {"extended", "confirm", "confirm_claim", "simulate_new_bandits"}
    stages |= {"write_confirmation"}
    assert set(listed) == NAMED | stages
    for rule, text in listed.items():
        assert text, rule
        assert text.endswith("."), rule
        assert len(text) > 20, rule
    # No two alike, but for rules that are made in a loop: their names tell them apart.
    looped = {*EXPERIMENTS, *every_figure(), *(f"simulate_{reading}" for reading in READINGS)}
    alone = [text for rule, text in listed.items() if rule not in looped - {"sensitivity"}]
    assert len(set(alone)) == len(alone)


def test_target_rules(dry: dict[str, Outcome]) -> None:
    lines = dry["targets"].text.splitlines()
    assert {line.split(" ")[0] for line in lines} >= NAMED


def test_lint_complains_of_no_environment_per_rule_and_nothing_else(
    dry: dict[str, Outcome],
) -> None:
    # One environment serves all rules: see docs/design.md.
    found = set(re.findall(r"(?m)^ +\* (.*)$", dry["lint"].text))
    assert found == {"Specify a conda environment or container for each rule.:"}


def test_the_default_config_asks_for_the_papers_cells(dry: dict[str, Outcome]) -> None:
    made = made_in(dry["default"])
    groups = {"setting_1/K5", "setting_1/K20", "setting_2/case_1", "setting_2/case_2"}
    groups |= {"setting_3/m0_2500", "setting_3/m0_2000", "setting_3/m0_1250", "setting_4/all"}
    groups |= {"setting_5/K5", "setting_5/K20", "crossover/K5", "crossover/K20"}
    groups |= {"crossover/fixed", *(f"log_laws/{number}" for number in range(1, 5))}
    groups |= {"movie_crossover/m0_2500", "movie_crossover/m0_1250"}
    in_groups = ("crossover", "movie_crossover", "log_laws")
    groups |= {f"{study}/all" for study in STUDIES if study not in in_groups}
    assert {f for f in made if "/replicates/" in f and f.endswith(".parquet")} == {
        f"results/replicates/{group}.1of1.parquet" for group in groups
    }
    assert figure_of(*every_figure()) | summaries_of(*EXPERIMENTS) | RATINGS <= made
    assert made >= LEDGER | SENSITIVITY


def test_everything_is_made(miniature: Project, dry: dict[str, Outcome]) -> None:
    files = miniature.files()
    logs = {log for job in jobs_in(dry["all"]) for log in job.log}
    assert files == TARGETS["all"] | logs
    assert all((miniature.folder / file).stat().st_size for file in files)


def test_every_job_has_a_log(miniature: Project, dry: dict[str, Outcome]) -> None:
    jobs = jobs_in(dry["all"])
    assert len(jobs) == len({log for job in jobs for log in job.log})
    for job in jobs:
        assert len(job.log) == 1, job
        text = (miniature.folder / next(iter(job.log))).read_text(encoding="utf-8")
        assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ INFO ", text), job
        assert ("WARNING" in text or "ERROR" in text) is False, job


def test_simulations_log_progress_and_peak_memory(miniature: Project) -> None:
    for log in (miniature.folder / "results/logs/simulate_group").rglob("*.log"):
        text = log.read_text(encoding="utf-8")
        peak = re.search(r"peak memory (\d+) MiB", text)
        assert peak is not None, log
        # The bound on any job; the miniature's jobs are mostly imports and compilation.
        assert 50 < int(peak[1]) <= 1024, log


def test_second_run_finds_nothing_to_do(miniature: Project) -> None:
    before = {path: (miniature.folder / path).stat().st_mtime_ns for path in miniature.files()}
    again = miniature.run()
    assert again.status == 0
    assert "Nothing to be done" in again.text
    after = {path: (miniature.folder / path).stat().st_mtime_ns for path in miniature.files()}
    assert after == before


def test_one_figure_on_one_core(miniature: Project, one_figure: Project) -> None:
    made = one_figure.files()
    assert {file for file in made if "/logs/" not in file} == TARGETS["figure_4"]
    assert {file.split("/")[2] for file in made if "/logs/" in file} == {
        "simulate_group",
        "summarize",
        "check_claims",
        "draw_figure",
    }
    for file in TARGETS["figure_4"]:
        # On one core it is what it is on two.
        assert (one_figure.folder / file).read_bytes() == (miniature.folder / file).read_bytes(), (
            file
        )


def check_summary(table: pd.DataFrame, experiment: str, replicates: int) -> None:
    """Check what all summaries have in common."""
    assert table.columns[: len(SUMMARY_COLUMNS)].to_list() == SUMMARY_COLUMNS
    assert set(table["setting"]) == {experiment}
    assert set(table["n_replicates"]) == {replicates}
    # Settings 3 and 5 define a penalty rate for the hard threshold only.
    assert set(table["metric"]) >= WHOLE_RUN | PER_ARM
    about_arms = table["metric"].isin(PER_ARM)
    assert (table["arm"].notna() == about_arms).all()
    assert table.loc[about_arms, "arm"].min() == 1
    key = SUMMARY_COLUMNS[: SUMMARY_COLUMNS.index("mean")]
    assert not table.duplicated(key).any()
    bars = table[["ci_low", "mean", "ci_high"]].to_numpy()
    assert (bars[:, 0] <= bars[:, 1]).all()
    assert (bars[:, 1] <= bars[:, 2]).all()
    pulls = table[table["metric"] == "pulls"]
    run = ["case", "policy", "scale", "tuning", "horizon"]
    totals = pulls.groupby(run, dropna=False)["mean"].sum().reset_index()
    assert totals["mean"].to_numpy() == pytest.approx(totals["horizon"].to_numpy())


@pytest.mark.parametrize("setting", SETTINGS)
def test_contract_of_summaries(miniature: Project, setting: str) -> None:
    table = pd.read_csv(miniature.folder / f"results/summaries/{setting}.csv")
    check_summary(table, setting, 3)
    assert set(table["case"]) == CASES[setting]
    assert set(table["policy"]) == POLICIES[setting]
    horizons = {100, 300} if setting == "setting_1" else {300}
    assert set(table["horizon"]) == horizons


@pytest.mark.parametrize("study", STUDIES)
def test_contract_of_studies(miniature: Project, study: str) -> None:
    table = pd.read_csv(miniature.folder / f"results/summaries/{study}.csv")
    check_summary(table, study, 2 if study == "deterministic" else 8)
    # Theory is about penalized regret: all policies of a study have it.
    regret = table[table["metric"] == "penalized_regret"]
    assert set(regret["policy"]) == set(table["policy"])
    assert set(regret["case"]) == set(table["case"])


def test_contract_of_the_ledger(miniature: Project) -> None:
    folder = miniature.folder / "results/claims"
    table = pd.read_csv(folder / "claims.csv")
    contract = ["id", "where", "statement", "rule", "estimate", "ci_low", "ci_high", "verdict"]
    assert table.columns[:9].to_list() == [*contract, "evidence"]
    assert table["id"].to_list() == list(CLAIMS)
    verdicts = {"reproduced", "consistent", "partly", "not reproduced", "undecided", "identity"}
    assert set(table["verdict"]) <= verdicts
    assert table[["where", "statement", "rule", "evidence", "quantity"]].notna().all().all()
    counted = table[["hold", "fail", "undecided", "vacuous"]].sum(axis=1)
    assert (counted == table["parts"]).all()
    parts = pd.read_csv(folder / "parts.csv")
    assert parts.groupby("id", sort=False).size().to_dict() == dict(
        zip(table["id"], table["parts"], strict=True)
    )
    text = (folder / "claims.md").read_text(encoding="utf-8")
    rows = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    for row in rows:
        assert f"\n## {row['id']} ({row['where']}): {row['verdict']}\n" in text
    # What is said to be the evidence is there.
    made = miniature.files()
    for row in rows:
        assert any(file.startswith(row["evidence"]) for file in made), row["evidence"]


def test_contract_of_the_sensitivity(miniature: Project) -> None:
    table = pd.read_csv(miniature.folder / "results/claims/sensitivity.csv")
    asked = {
        reading: [c.id for c in CLAIMS.values() if set(c.experiments) & set(touched)]
        for reading, touched in READINGS.items()
    }
    found = {name: rows["id"].to_list() for name, rows in table.groupby("reading", sort=False)}
    assert found == asked
    ledger = pd.read_csv(miniature.folder / "results/claims/claims.csv", index_col="id")
    full = ledger["verdict"].loc[table["id"]]
    assert table["full_verdict"].to_list() == full.to_list()
    assert table["default_verdict"].to_list() == full.to_list()
    assert (table["changed"] == (table["verdict"] != table["default_verdict"])).all()
    values = {"n-1", "once", "fraction", "bernoulli", "original"}
    assert set(table["value"]) == values


def test_contract_of_the_choices(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    outcome = project.run("choices")
    assert outcome.status == 0, outcome.text
    assert {file for file in project.files() if "/logs/" not in file} == RATINGS | CHOICES
    table = pd.read_csv(project.folder / "results/claims/choices.csv")
    assert tuple(table.columns) == CHOICE_COLUMNS
    assert table["id"].to_list() == ["C28", "C28", "C31", "C31"]
    assert table["horizon"].to_list() == [100, 300, 300, 300]
    assert table["tuning_values"].to_list() == [3, 3, 3, 4]


def test_the_page_of_a_claim_alone(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    outcome = project.run("results/claims/pages/C24.md")
    assert outcome.status == 0, outcome.text
    made = {file for file in project.files() if "/logs/" not in file}
    assert made == _claim("C24")
    page = (project.folder / "results/claims/pages/C24.md").read_text(encoding="utf-8")
    assert page.startswith("## C24 (Figure 1): ")
    assert "\n- Rule: " in page
    assert page.endswith("|\n")


def test_a_reading_given_in_the_config_is_flipped_back(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    project.configure({"readings": {"setting_4_rewards": "bernoulli"}})
    flipped = "results/sensitivity/setting_4_rewards/setting_4.parquet"
    default = "results/replicates/setting_4/all.1of1.parquet"
    outcome = project.run(flipped, default, options=["--forcerun", "simulate_group"])
    assert outcome.status == 0, outcome.text
    gaussian = read_replicates([miniature.folder / default])
    bernoulli = read_replicates([miniature.folder / flipped])
    # What was the default is now the other, on the first replicates, and the other way.
    for new, old in zip(read_replicates([project.folder / flipped]), gaussian, strict=True):
        np.testing.assert_array_equal(new.pulls, old.pulls[:2])
    for new, old in zip(read_replicates([project.folder / default]), bernoulli, strict=True):
        np.testing.assert_array_equal(new.pulls[:2], old.pulls)
    origin = read_metadata(project.folder / flipped)
    assert origin["readings"]["setting_4_rewards"] == "gaussian"


def test_scale_and_tuning(miniature: Project) -> None:
    tables = {
        setting: pd.read_csv(miniature.folder / f"results/summaries/{setting}.csv")
        for setting in SETTINGS
    }
    assert set(tables["setting_2"]["scale"]) == {0.0, 0.5, 1.0}
    for setting in ("setting_1", "setting_3", "setting_4", "setting_5"):
        assert tables[setting]["scale"].isna().all()
    for setting in ("setting_3", "setting_5"):
        assert (tables[setting].groupby(["case", "policy"])["tuning"].nunique() == 3).all()
    penalty = tables["setting_4"].groupby("case")["tuning"].unique()
    assert penalty["noncritical_2"].tolist() == [0.41]


@pytest.mark.parametrize("setting", ["setting_3", "setting_5"])
def test_frontiers(miniature: Project, setting: str) -> None:
    table = pd.read_csv(miniature.folder / f"results/summaries/{setting}_frontier.csv")
    assert {"setting", "case", "horizon", "unfairness", "expected_reward"} <= set(table.columns)
    assert set(table["case"]) == CASES[setting]
    for _, curve in table.groupby("case"):
        assert curve["unfairness"].is_monotonic_increasing
        assert curve["expected_reward"].is_monotonic_increasing


def test_contract_of_ratings(miniature: Project) -> None:
    folder = miniature.folder / "results/movielens"
    table = pd.read_csv(folder / "rating_counts.csv")
    assert table.columns[: len(COUNT_COLUMNS)].to_list() == COUNT_COLUMNS
    assert table["n_ratings"].is_monotonic_decreasing
    assert table["n_ratings"].min() > 2500
    assert len(table) == 13
    origin = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    assert origin["source_used"] == "bundled"
    assert origin["retrieved_at"]
    assert "MovieLens" in origin["citation"]


def test_results_readme_names_all_that_is_made(miniature: Project) -> None:
    text = (ROOT / "results/README.md").read_text(encoding="utf-8")
    for column in pd.read_csv(miniature.folder / "results/summaries/setting_1.csv").columns:
        assert f"`{column}`" in text, column
    for setting in SETTINGS:
        table = pd.read_csv(miniature.folder / f"results/summaries/{setting}.csv")
        for metric in table["metric"].unique():
            assert f"| `{metric}` |" in text, metric
    replicates = pd.read_parquet(miniature.folder / "results/replicates/setting_4/all.1of1.parquet")
    for column in replicates.columns:
        assert f"`{column}`" in text, column
    for name in ("claims", "parts", "sensitivity"):
        assert f"{name}.csv" in text
        for column in pd.read_csv(miniature.folder / f"results/claims/{name}.csv").columns:
            assert f"`{column}`" in text, (name, column)
