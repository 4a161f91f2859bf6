"""Metadata of the project: versions, citation, environment, tallies of verdicts."""

import os
import re
import subprocess
import tomllib
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from packaging.markers import Marker
from packaging.specifiers import SpecifierSet
from packaging.tags import compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

import citation_files
import conda_environment
import publish
from claims_page import TITLES, claims_page
from config_helpers import ROOT
from penalized_bandits.common.numbers import percent
from penalized_replication.claims.results import by_id, read_results

PROJECT, LIBRARY, REPLICATION = (
    tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))
    for folder in (".", "src/library", "src/replication")
)
LOCK: dict[str, Any] = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
RESULTS = read_results(ROOT / "docs/published/claims.json")
START, VERDICTS = (
    (ROOT / f"docs/pages/{page}.md").read_text("utf-8") for page in ("index", "background/verdicts")
)


def locked_version(name: str) -> str:
    (version,) = {package["version"] for package in LOCK["package"] if package["name"] == name}
    return version


def test_environment_of_conda_is_up_to_date() -> None:
    remedy = "uv run python tools/conda_environment.py"
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert text == conda_environment.environment(), remedy
    assert f"numba={locked_version('numba')}" in yaml.safe_load(text)["dependencies"]


PLATFORMS = {
    ("linux", "x86_64"): [f"manylinux_2_{minor}_x86_64" for minor in range(36, 4, -1)],
    ("darwin", "arm64"): [*mac_platforms((14, 0), "arm64")],
}
OF_PYTHON_ALONE = {"connection-pool"}
"""Packages that have no wheel and need no compiler."""


@cache
def needed() -> list[dict[str, Any]]:
    """Return what ``uv run snakemake`` installs, for any Python."""
    options = (
        "--package penalized-bandits-replication --no-emit-workspace --format pylock.toml --frozen"
    )
    export = [os.environ.get("UV", "uv"), "export", *options.split()]
    return tomllib.loads(subprocess.check_output(export, cwd=ROOT, encoding="utf-8"))["packages"]


def without_a_wheel(minor: int, system: str, machine: str) -> set[str]:
    """Return the packages without a wheel for Python 3.<minor>."""
    version, platforms = f"3.{minor}", PLATFORMS[system, machine]
    here = {"python_version": version, "python_full_version": f"{version}.4"}
    here |= {"sys_platform": system, "platform_machine": machine}
    tags = {*cpython_tags((3, minor), platforms=platforms)}
    tags |= {*compatible_tags((3, minor), f"cp3{minor}", platforms)}
    found = set[str]()
    for package in needed():
        if "marker" not in package or Marker(package["marker"]).evaluate(here):
            files = [wheel["url"].rpartition("/")[2] for wheel in package.get("wheels", [])]
            if not any(tags & parse_wheel_filename(file)[3] for file in files):
                found.add(package["name"])
    return found


@pytest.mark.parametrize("system", PLATFORMS, ids="-".join)
@pytest.mark.parametrize("minor", [11, 12, 13, 14])
def test_main_command_needs_no_compiler(minor: int, system: tuple[str, str]) -> None:
    allowed = PROJECT["tool"]["uv"]["dependency-groups"]["workflow"]["requires-python"]
    # If immutables has a wheel for 3.14 too, raise the bound of the workflow's Python.
    refused = set() if f"3.{minor}" in SpecifierSet(allowed) else {"immutables"}
    assert without_a_wheel(minor, *system) - OF_PYTHON_ALONE == refused


@pytest.mark.parametrize("name", ["CITATION.cff", ".zenodo.json", "codemeta.json"])
def test_version_and_citation_are_said_the_same(name: str) -> None:
    remedy = "uv run python tools/citation_files.py"
    assert (ROOT / name).read_text(encoding="utf-8") == citation_files.files()[name], remedy


def test_packages_have_one_version_and_licence() -> None:
    version = LIBRARY["project"]["version"]
    assert REPLICATION["project"]["version"] == version
    assert locked_version("penalized-bandits") == version
    folders = (".", *conda_environment.SOURCES)
    assert len({(ROOT / folder / "LICENSE").read_bytes() for folder in folders}) == 1


def test_citation() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["license"] == LIBRARY["project"]["license"]
    (paper,) = (r for r in citation["references"] if "Bandits" in r["title"])
    assert f"https://doi.org/{paper['doi']}" == LIBRARY["project"]["urls"]["Paper"]
    assert [a["family-names"] for a in paper["authors"]] == ["Fang", "Li", "Samorodnitsky"]


def test_findings_of_the_readme_and_claims_in_markdown_are_those_of_the_claims_table() -> None:
    readme = publish.README.read_text(encoding="utf-8")
    for part in (publish.verdict_list, publish.points, publish.crossing_figure):
        assert part(RESULTS) in readme, "uv run python tools/publish.py pages"
    numbers = r"[\d,]{4,} to [\d,]{4,}|[\d.]+ and [\d.]+ times"
    for number in re.findall(numbers, publish.points(RESULTS)):
        assert number in START.replace("\n", " ")


def test_claims_table_in_markdown_is_that_published_as_data() -> None:
    text = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
    assert text == claims_page(RESULTS), "uv run python tools/publish.py pages"
    assert [*TITLES] == [result.id for result in RESULTS]
    for part in (publish.path, publish.why_low_power):
        assert publish.grouped((result.id, part(result)) for result in RESULTS) in VERDICTS
    assert publish.frozen_table() in VERDICTS


def test_numbers_of_the_readme_are_those_of_the_claims_table() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("\n", " ")
    changed = sum(bool(result.changed) for result in RESULTS)
    # From the first published verdict to that under today's rule, in the words of either time.
    middle: list[str] = ["partly", "undecided", "holds in part", "no verdict"]
    rank = dict.fromkeys(middle, 1) | {"not reproduced": 0, "fails": 0}
    asked = [result for result in RESULTS if result.asked_by == "the paper"]
    paths = [result.path.removeprefix("not run → ").split(" → ") for result in asked]
    steps = [rank.get(path[-1], 2) - rank.get(path[0], 2) for path in paths]
    moved, better = sum(map(bool, steps)), sum(step > 0 for step in steps)
    assert f"{moved} verdicts moved, {better} in the paper's favour" in readme
    assert f"{changed} of the {len(RESULTS)} rules were [changed after results]" in readme
    assert f"{changed} of the {len(RESULTS)} rules changed after results" in START
    # Of five means two are the ends, and each other one is in the lower half in half of the draws.
    means = np.sort(np.random.default_rng(1).random((100_000, 5)))
    none = means[:, 3] <= means[:, [0, 4]].mean(axis=1)
    assert none.mean() == pytest.approx(1 / 8, abs=0.005)
    assert "one of eight draws of five arms" in readme


def test_designs_in_which_published_lfg_is_ahead() -> None:
    designs = pd.read_csv(ROOT / "docs/published/design.csv")
    ahead, restated = (designs[designs["id"] == claim] for claim in ("C28L", "C28"))
    long = [ahead[ahead["scenario"].str.contains(f"T{t}0000_")] for t in (2, 8)]
    published = by_id(RESULTS)["C28L"]
    assert [*(pd.concat(long)["fail"] > 0), published.statuses["fails"] > 0] == [True] * 6
    for path in ("README.md", "docs/pages/index.md", "docs/correspondence.md"):
        assert "in all six designs with T ≥ 20,000" in (ROOT / path).read_text("utf-8"), path
    worst = "{} of the range at T = 20,000 and {} at T = 80,000"
    assert worst.format(*(percent(-table["effect"].min()) for table in long)) in START
    least = restated[restated["fail"] == 1]["effect"]
    ends = f"{percent(-least.min())} and {percent(-least.max())}"
    assert "In two of eight other [designs]" in (page := VERDICTS.replace("\n", " "))
    assert f"one comparison of C28 fails, by {ends} of" in page
    assert (len(restated), len(least), restated["fail"].max()) == (8, 2, 1)


def test_ratings_on_twentieths() -> None:
    *few, most = [str(steps + 1) for steps in range(1, 50) if 20 % steps == 0]
    for path in ("docs/pages/background/problem.md", "research/article/new.typ"):
        said = f"ratings of {', '.join(few)} or {most} equally spaced values"
        assert said in (ROOT / path).read_text("utf-8"), path


def test_ruff_before_a_commit_is_that_of_the_lock() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (rev,) = (repo["rev"] for repo in hooks["repos"] if "ruff" in repo["repo"])
    assert rev == f"v{locked_version('ruff')}"


@pytest.mark.parametrize(("kind", "keyword"), [("conda", "conda"), ("apptainer", "container")])
def test_catalogue_says_what_rules_have(kind: str, keyword: str) -> None:
    entry = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))
    rules = [p.read_text(encoding="utf-8") for p in (ROOT / "workflow/rules").glob("*.smk")]
    has = any(re.search(rf"(?m)^ +{keyword}:", text) for text in rules)
    assert entry["usage"]["software-stack-deployment"][kind] is has
