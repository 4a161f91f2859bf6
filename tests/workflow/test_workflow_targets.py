"""Every target makes its files and nothing else; rules are explained and pass Snakemake's lint."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from miniature import (
    CHECKSUMS,
    EXPERIMENTS,
    INDEX,
    LEDGER,
    PAGES,
    PLAYGROUND,
    RATINGS,
    READINGS,
    SENSITIVITY,
    STUDIES,
    TOPICS,
    all_of,
    checked_again_of,
    checked_of,
    figure_of,
    flipped_of,
    notebooks_of,
    replicates_of,
    summaries_of,
    target_of,
    theory_figures,
    with_origins,
)
from penalized_bandits.claims import CLAIMS
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.pages.article import DRAWN
from penalized_bandits.storage.replicates import read_metadata, read_replicates
from workflow_helpers import Outcome, Project, forked, jobs_in, made_for, made_in

ON_RATINGS = {"setting_3", "movie_crossover"}
ALL_CLAIMS = replicates_of(*EXPERIMENTS) | checked_of(*TOPICS) | LEDGER | RATINGS
ALL_READINGS = (
    ALL_CLAIMS - LEDGER | flipped_of(*EXPERIMENTS) | checked_again_of(*TOPICS) | SENSITIVITY
)
EVERYTHING = all_of(*EXPERIMENTS) | RATINGS | PAGES | PLAYGROUND | CHECKSUMS
AT_ONCE = EVERYTHING - replicates_of(*EXPERIMENTS) | replicates_of(*EXPERIMENTS, jobs="all")


def of_experiment(name: str) -> set[str]:
    topics = [t for f in ALL_FIGURES.values() if f.setting == name for t in f.topics]
    return (target_of(name) | (RATINGS if name in ON_RATINGS else set())).union(
        *map(of_topic, topics)
    )


def of_topic(topic: str) -> set[str]:
    """Return what the claims of one job stand on, and what it makes."""
    ratings = RATINGS if ON_RATINGS & {*TOPICS[topic]} else set()
    return replicates_of(*TOPICS[topic]) | ratings | checked_of(topic)


def of_figure(figure: str) -> set[str]:
    """Return what a figure makes when asked for alone."""
    wanted = ALL_FIGURES[figure]
    if wanted.setting:
        return of_experiment(wanted.setting).union(*map(of_topic, wanted.topics))
    made = replicates_of(*wanted.studies) | summaries_of(*wanted.studies) | figure_of(figure)
    made |= ALL_READINGS if wanted.claims else set()
    made |= RATINGS if ON_RATINGS & {*wanted.studies} else set()
    return made.union(*map(of_topic, wanted.topics))


def of_claim(claim: str) -> set[str]:
    """Return what the page of a claim makes when asked for alone."""
    return of_topic(CLAIMS[claim].topic) | with_origins({f"results/claims/pages/{claim}.md"})


ARTICLE = (ALL_CLAIMS | ALL_READINGS).union(
    *(of_figure(figure) for figure in DRAWN)
) | with_origins({"results/article.pdf", "results/article.json"})
TARGETS: dict[str, set[str]] = {
    "all": EVERYTHING,
    "pages": all_of(*EXPERIMENTS) | RATINGS | INDEX | PLAYGROUND,
    "notebooks": ALL_CLAIMS | summaries_of("setting_1", "setting_3") | notebooks_of(*NOTEBOOKS),
    "movielens": RATINGS,
    "theory": target_of(*STUDIES).union(*map(of_figure, theory_figures(*STUDIES))),
    "playground": PLAYGROUND,
    "claims": ALL_CLAIMS,
    "article": ARTICLE,
    **{name: of_experiment(name) for name in EXPERIMENTS},
    **{figure: of_figure(figure) for figure in ALL_FIGURES},
}
# The first claim of each job stands for the others.
FIRST = {CLAIMS[claim].topic: claim for claim in reversed(CLAIMS)}
PAGES_OF_CLAIMS = {f"results/claims/pages/{c}.md": of_claim(c) for c in FIRST.values()}
ALONE = ("all", "movielens", "notebooks", "figure_3", "results/claims/pages/C24.md")
"""Targets that are asked for alone as well."""


@pytest.fixture(scope="module")
def dry(fresh: Project) -> dict[str, Outcome]:
    """Return dry runs without any results: of targets, and with the configs shipped."""
    requests = {target: fresh.dry(target) for target in ALONE}
    requests["together"] = fresh.dry(*TARGETS, *PAGES_OF_CLAIMS)
    requests["default"] = fresh.dry(config=None)
    requests["quick"] = fresh.dry(config="config/quick.yaml")
    requests["at once"] = fresh.dry(config="at_once.yaml")
    for option in ("--list-rules", "--list-target-rules", "--lint"):
        requests[option] = fresh.request(options=[option])
    return forked(requests, fresh.kernels)


@pytest.fixture(scope="module")
def made(dry: dict[str, Outcome]) -> dict[str, set[str]]:
    return made_for(dry["together"])


@pytest.mark.parametrize("target", [*TARGETS, *PAGES_OF_CLAIMS])
def test_target_makes_its_files_and_nothing_else(made: dict[str, set[str]], target: str) -> None:
    assert made[target] == (TARGETS | PAGES_OF_CLAIMS)[target]


@pytest.mark.parametrize("target", ALONE)
def test_what_else_is_asked_for_changes_nothing(
    made: dict[str, set[str]], dry: dict[str, Outcome], target: str
) -> None:
    assert made_in(dry[target]) == made[target]


@pytest.mark.parametrize("config", ["default", "quick", "all"])
def test_few_jobs(dry: dict[str, Outcome], config: str) -> None:
    total = re.search(r"(?m)^total +(\d+)$", dry[config].text)
    assert total is not None
    # Every job costs more than a second to start.
    assert len(ALL_FIGURES) < int(total[1]) <= 85


def test_every_rule_has_one_line_of_explanation(dry: dict[str, Outcome]) -> None:
    found = re.findall(r"(?m)^(\w+)(?: \((.*)\))?$", dry["--list-rules"].text)
    listed: dict[str, str] = dict(found)
    flipped = {f"simulate_{reading}" for reading in READINGS}
    stages = {"get_ratings", "simulate_group", "summarize", "summarize_and_trace", "draw_figure"}
    stages |= {"draw_figure_and_column", "write_sensitivity"}
    stages |= {"compare_policies", "check_claims", "write_ledger", "write_claim", "check_readings"}
    stages |= {"run_notebook", "write_index", "write_checksums", "extended"}
    stages |= {"confirm", "confirm_claim", "simulate_new_bandits"}
    stages |= {"write_confirmation", "sharp", "check_sharp", "write_article"}
    assert set(listed) == {*TARGETS} | stages | flipped
    targets = {line.split(" ")[0] for line in dry["--list-target-rules"].text.splitlines()}
    assert targets >= {*TARGETS}
    for rule, text in listed.items():
        assert text.endswith("."), rule
        assert len(text) > 20, rule
    # No two alike, but for rules that are made in a loop: their names tell them apart.
    looped = {*EXPERIMENTS, *ALL_FIGURES, *flipped} - {"sensitivity"}
    alone = [text for rule, text in listed.items() if rule not in looped]
    assert len(set(alone)) == len(alone)


def test_lint_complains_of_no_environment_per_rule_and_nothing_else(
    dry: dict[str, Outcome],
) -> None:
    # One environment serves all rules: see docs/design.md.
    found = set(re.findall(r"(?m)^ +\* (.*)$", dry["--lint"].text))
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
    assert made >= figure_of(*ALL_FIGURES) | summaries_of(*EXPERIMENTS) | RATINGS
    assert made >= LEDGER | SENSITIVITY


def test_everything_is_made_and_every_job_has_a_log(
    miniature: Project, dry: dict[str, Outcome]
) -> None:
    for run in ("all", "at once"):
        jobs = jobs_in(dry[run])
        logs = [log for job in jobs for log in job.log]
        assert len(logs) == len(set(logs)) == len(jobs)
    assert miniature.files() == AT_ONCE | {*logs}
    assert all((miniature.folder / file).stat().st_size for file in miniature.files())
    for log in logs:
        text = (miniature.folder / log).read_text(encoding="utf-8")
        assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ INFO ", text), log
        assert not re.search("WARNING|ERROR", text), log
        if "simulate_" in log:
            # The bound on any job; the miniature's jobs are mostly imports and compilation.
            peak = re.search(r"peak memory (\d+) MiB", text)
            assert peak is not None, log
            assert 50 < int(peak[1]) <= 1024, log


def test_second_run_finds_nothing_to_do(miniature: Project) -> None:
    def times() -> dict[str, int]:
        return {path: (miniature.folder / path).stat().st_mtime_ns for path in miniature.files()}

    before = times()
    again = miniature.run()
    assert again.status == 0
    assert "Nothing to be done" in again.text
    assert times() == before


@pytest.mark.sample
def test_one_figure_on_one_core(miniature: Project, one_figure: Project) -> None:
    made = one_figure.files()
    assert {file for file in made if "/logs/" not in file} == TARGETS["figure_4"]
    logs = {file.split("/")[2] for file in made if "/logs/" in file}
    assert logs == {"simulate_group", "summarize", "check_claims", "draw_figure"}
    # On one core and alone it is what it is on two and with everything.
    here, there = one_figure.folder, miniature.folder
    simulated = replicates_of("setting_4")
    for file in TARGETS["figure_4"] - simulated:
        assert (here / file).read_bytes() == (there / file).read_bytes(), file
    # A table of replicates also says what its job was of.
    (table,) = (file for file in simulated if file.endswith(".parquet"))
    pd.testing.assert_frame_equal(pd.read_parquet(here / table), pd.read_parquet(there / table))


@pytest.mark.sample
def test_the_page_of_a_claim_alone(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    project.make("results/claims/pages/C24.md")
    assert {file for file in project.files() if "/logs/" not in file} == of_claim("C24")
    page = (project.folder / "results/claims/pages/C24.md").read_text(encoding="utf-8")
    assert page.startswith("## C24 (Figure 1): ")
    assert "\n- Rule: " in page
    assert page.endswith("|\n")


@pytest.mark.sample
def test_a_reading_given_in_the_config_is_flipped_back(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    project.configure({"readings": {"setting_4_rewards": "bernoulli"}})
    flipped = "results/sensitivity/setting_4_rewards/setting_4.parquet"
    default = "results/replicates/setting_4/all.1of1.parquet"
    project.make(flipped, default, options=["--forcerun", "simulate_group"])
    # What was the default is now the other, on the first replicates, and the other way.
    for new, old in ((flipped, default), (default, flipped)):
        pairs = zip(
            read_replicates([project.folder / new]),
            read_replicates([miniature.folder / old]),
            strict=True,
        )
        for here, there in pairs:
            np.testing.assert_array_equal(here.pulls[:2], there.pulls[:2])
    origin = read_metadata(project.folder / flipped)
    assert origin["readings"]["setting_4_rewards"] == "gaussian"
