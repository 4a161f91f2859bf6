"""What the project says of itself is the same everywhere: versions, citation, environment."""

import re
import tomllib
from importlib import import_module
from typing import Any

import pytest
import yaml

import citation_files
from config_helpers import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK: dict[str, Any] = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))


def locked_version(name: str) -> str:
    """Return the one version of a package in the lock."""
    (version,) = {package["version"] for package in LOCK["package"] if package["name"] == name}
    return version


def test_environment_of_conda_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    written = (ROOT / "environment.yml").read_text(encoding="utf-8")
    remedy = "uv run python tools/conda_environment.py"
    assert written == import_module("conda_environment").environment(), remedy
    listed = yaml.safe_load(written)["dependencies"]
    assert f"numba={locked_version('numba')}" in listed


@pytest.mark.parametrize("name", ["CITATION.cff", ".zenodo.json", "codemeta.json"])
def test_version_and_citation_are_said_the_same(name: str) -> None:
    remedy = "uv run python tools/citation_files.py"
    assert (ROOT / name).read_text(encoding="utf-8") == citation_files.files()[name], remedy


def test_lock_has_the_version() -> None:
    version = PROJECT["project"]["version"]
    assert locked_version(PROJECT["project"]["name"]) == version


def test_citation() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["license"] == PROJECT["project"]["license"]
    (paper,) = (r for r in citation["references"] if "Bandits" in r["title"])
    assert f"https://doi.org/{paper['doi']}" == PROJECT["project"]["urls"]["Paper"]
    assert [a["family-names"] for a in paper["authors"]] == ["Fang", "Li", "Samorodnitsky"]
    assert any("MovieLens" in r["title"] for r in citation["references"])


def test_readme_opens_with_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"(?s)```bash\n(.*?)```", text)
    assert block is not None
    assert text[: block.start()].count("\n") < 12
    commands = [line.partition("#")[0].strip() for line in block[1].splitlines()]
    assert commands == [
        "pip install uv && uv run snakemake --cores all",
        "pip install uv && uv run pytest",
    ]


@pytest.mark.parametrize("page", ["README.md", "docs/pages/index.md"])
def test_tallies_are_those_of_the_ledger(page: str) -> None:
    ledger = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = re.search(r"(?s)<!-- tallies -->\n(.*?)<!-- end of tallies -->", text)
    assert shown is not None
    found = re.findall(r"(?m)^- \*\*(.*?)\*\*: (.*)\.$", shown[1])
    for title, tally in found:
        assert f"{title}: {tally}." in ledger or f"\n{tally}.\n" in ledger
    assert [title for title, _ in found] == (
        re.findall(r"(?m)^- ([\w' ]+): \d+ .*\.$", ledger) or ["The paper's claims"]
    )


def test_ruff_before_a_commit_is_that_of_the_lock() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (rev,) = (repo["rev"] for repo in hooks["repos"] if "ruff" in repo["repo"])
    assert rev == f"v{locked_version('ruff')}"


@pytest.mark.parametrize(("kind", "keyword"), [("conda", "conda"), ("apptainer", "container")])
def test_catalogue_says_what_rules_have(kind: str, keyword: str) -> None:
    said = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))
    rules = [p.read_text(encoding="utf-8") for p in (ROOT / "workflow/rules").glob("*.smk")]
    has = any(re.search(rf"(?m)^ +{keyword}:", text) for text in rules)
    assert said["usage"]["software-stack-deployment"][kind] is has
