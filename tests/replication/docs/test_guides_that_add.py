"""Guides that add: a policy, a reward law, a statistic, an extension."""

import re
import sys
from pathlib import Path

import pytest

from docs_pages import ROOT, TABLES, blocks, files_of, snakemake_commands, write_files
from programs import printed_by, ran
from workflow_helpers import LIBRARY, PACKAGE, Project, environment

PAGE, ID = "how-to/add-a-policy.md", "threshold_greedy"
FILE = f"{LIBRARY}/policies/ours/{ID}.py"
LISTS = f"""
import build
from penalized_replication.figures.style import look_of
from penalized_replication.playground.scripts import translations
from penalized_bandits.policies import POLICIES
from penalized_bandits.theory.exploration import exploration_of

assert [*POLICIES][-1] == "{ID}"
assert len({{str(look_of(policy)) for policy in POLICIES}}) == len(POLICIES)
assert '"bound":"radius"' in translations()[0]["{ID}"]
assert exploration_of("{ID}").width(50.0, 1e4) == exploration_of([*POLICIES][0]).width(50.0, 1e4)
assert "::: penalized_bandits.policies.ours.{ID}" in build.policy_files()
assert "`{ID}`" in build.policy_cards()
"""


def test_every_list_has_the_new_policy(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    write_files(PAGE, project.folder)
    own = 'POLICY = replace(POLICY, card=replace(POLICY.card, bound="radius"))'
    project.append(FILE, f"from dataclasses import replace\n{own}\n")
    environ = environment(project.folder, project.kernels)
    environ["PYTHONPATH"] += f":{ROOT / 'docs'}"
    printed_by(LISTS, env=environ)


# --- A reward law ------------------------------------------------------------------

LAW_PAGE, DRAWS = "how-to/add-a-reward-law.md", f"{LIBRARY}/engine/_draws.py"


@pytest.mark.sample
def test_the_contract_takes_a_new_law_and_misses_a_branch(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    write_files(LAW_PAGE, project.folder)
    tests = "tests/library/engine/test_laws.py", "tests/replication/playground/test_same_pulls.py"
    command = (sys.executable, "-m", "pytest", "-n0", "-m", "", "-k", "laplace or 12", *tests)
    draws = project.folder / DRAWS
    for status, said in ((0, "passed"), (1, "Laplace rewards cannot be drawn")):
        done = ran(*command, cwd=ROOT, env=environment(project.folder, project.kernels))
        assert (done.returncode, said in done.stdout) == (status, True), done.stdout
        text = draws.read_text(encoding="utf-8").replace("family == laws.LAPLACE", "False")
        draws.write_text(text, encoding="utf-8")


@pytest.mark.sample
def test_a_statistic_simulates_nothing(smoke_run: Project, tmp_path: Path) -> None:
    """The smoke run has settings with ratings."""
    project = smoke_run.copy(tmp_path / "project")
    write_files(TABLES, project.folder)
    text = project.run(options=["--dry-run"]).text
    jobs = re.findall(r"(?m)^Job \d+: (.*)$", text)
    assert "Summarise setting_3" in jobs
    assert not [job for job in jobs if job.startswith(("Simulate", "Get the ratings"))]
    assert len(jobs) <= 26


# --- An extension: a setting, a figure and a claim ----------------------------------

EXTENSION_PAGE, STUDY = "how-to/own-extension.md", "study"


def test_files_that_guides_change() -> None:
    assert {path for path in files_of(PAGE) if path.startswith("src/")} == {FILE}
    files = {f"{LIBRARY}/__init__.py", f"{LIBRARY}/bandit/rewards.py", DRAWS}
    assert files_of(LAW_PAGE) == {*files, f"{PACKAGE}/playground/engine/simulation.js"}
    # An extension changes nothing in the repository.
    assert {path.partition("/")[0] for path in files_of(EXTENSION_PAGE)} == {STUDY}


@pytest.mark.sample
def test_the_figure_is_drawn_and_the_claim_decided(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    write_files(EXTENSION_PAGE, project.folder)
    config = project.folder / STUDY / "mine.yaml"
    small = config.read_text("utf-8").replace("200", "8").replace("[1000, 10000]", "[100, 300]")
    config.write_text(small, encoding="utf-8")
    commands = [call for block in blocks(EXTENSION_PAGE) for call in snakemake_commands(block)]
    (command,) = (arguments for arguments in commands if "claims" in arguments)
    decided = project.snakemake(command)
    assert decided.status == 0, decided.text

    results = f"{STUDY}/results"
    figures = {f"{results}/figures/regret_by_arms.{kind}" for kind in ("pdf", "svg", "png", "md")}
    assert figures <= project.files(results)
    caption = (project.folder / results / "figures/regret_by_arms.md").read_text(encoding="utf-8")
    assert "means of 8 replicates" in caption
    claims = (project.folder / results / "claims/claims.md").read_text(encoding="utf-8")
    assert "</a>B01 |" in claims
    simulated = {Path(path).parent.name for path in project.files(f"{results}/replicates")}
    assert simulated == {"seventh"}
