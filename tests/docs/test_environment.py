"""Two lists of versions, one environment; and what the project says of itself."""

import re
import tomllib
from typing import Any

import pytest
import yaml
from packaging.markers import Marker
from rattler import MatchSpec, PackageRecord
from rattler.package import BuildString

import citation_files
from config_helpers import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK: dict[str, Any] = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
CONDA: dict[str, Any] = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))

# Names that differ: conda's package is the library without its optional parts.
CONDA_NAMES = {
    "matplotlib": "matplotlib-base",
    "playwright": "playwright-python",
    "snakemake": "snakemake-minimal",
}
PYPI_NAMES = {conda: pypi for pypi, conda in CONDA_NAMES.items()}
# Not on conda-forge, or of use only to those who type-check with uv.
NOT_IN_CONDA = {"pyright", "pandas-stubs", "types-pyyaml", "types-requests"}

# Installed by pip in the environment of conda too.
BY_PIP = {"math-core", "typst", "zensical"}

SPECS = [spec for spec in CONDA["dependencies"] if isinstance(spec, str)]


def requirement_name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9_.-]+", requirement)
    assert match is not None
    return match[0].lower()


def conda_name(spec: str) -> str:
    name = MatchSpec(spec).name
    assert name is not None
    return str(getattr(name, "normalized", name))


def record(name: str, version: str) -> PackageRecord:
    return PackageRecord(name, version, BuildString("0"), 0, "noarch")


def locked_version(name: str, python: str) -> str:
    """Return the version that uv installs for a Python: the lock may hold several."""
    found = [
        package["version"]
        for package in LOCK["package"]
        if package["name"] == name
        and any(
            Marker(marker).evaluate({"python_full_version": python, "python_version": python[:4]})
            for marker in package.get("resolution-markers", ["python_version > '3'"])
        )
    ]
    assert len(found) == 1, f"{name}: {found}"
    return found[0]


def conda_python() -> str:
    """Return the Python of environment.yml."""
    pinned = MatchSpec(PINNED["python"])
    minors = (f"3.{minor}" for minor in range(8, 20))
    (minor,) = (m for m in minors if pinned.matches(record("python", f"{m}.4")))
    return f"{minor}.4"


EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
RUNTIME = [
    requirement_name(r)
    for requirements in (PROJECT["project"]["dependencies"], *EXTRAS.values())
    for r in requirements
]
OWN, *OF_DEVELOPERS = PROJECT["dependency-groups"]["dev"]
FOR_TESTS = [requirement_name(r) for r in OF_DEVELOPERS]
FOR_SLURM = [requirement_name(r) for r in PROJECT["dependency-groups"]["slurm"]]
PINNED = {PYPI_NAMES.get(conda_name(spec), conda_name(spec)): spec for spec in SPECS}


@pytest.mark.parametrize(
    "name",
    [n for n in RUNTIME + FOR_SLURM + FOR_TESTS if n not in NOT_IN_CONDA | BY_PIP],
)
def test_conda_has_the_locked_version(name: str) -> None:
    assert name in PINNED, f"environment.yml lacks {name}"
    version, spec = locked_version(name, conda_python()), MatchSpec(PINNED[name])
    conda = CONDA_NAMES.get(name, name)
    assert spec.matches(record(conda, version)), f"{PINNED[name]} is not {version}"
    # One version and no other: a spec without a version would match anything.
    release = re.match(r"[\d.]+\d", version)
    assert release is not None
    head, _, last = release[0].rpartition(".")
    assert not spec.matches(record(conda, f"{head}.{int(last) + 1}")), PINNED[name]


def test_nothing_else_is_pinned() -> None:
    assert set(PINNED) - {"python", "pip"} <= set(RUNTIME) | set(FOR_SLURM) | set(FOR_TESTS)
    assert len(PINNED) == len(SPECS)


def test_uv_installs_all_extras() -> None:
    name, _, extras = OWN.rstrip("]").partition("[")
    assert (name, extras.split(",")) == (PROJECT["project"]["name"], list(EXTRAS))


def test_exceptions_are_needed() -> None:
    assert set(FOR_TESTS) >= NOT_IN_CONDA
    assert set(RUNTIME) >= BY_PIP
    assert not (NOT_IN_CONDA | BY_PIP) & set(PINNED)
    assert set(CONDA_NAMES) <= set(PINNED)


def test_python() -> None:
    required = MatchSpec(f"python {PROJECT['project']['requires-python']}")
    assert required.matches(record("python", conda_python()))
    assert LOCK["requires-python"].replace(" ", "") == PROJECT["project"][
        "requires-python"
    ].replace(" ", "")


def test_conda_installs_the_package_itself() -> None:
    (pip,) = (entry for entry in CONDA["dependencies"] if isinstance(entry, dict))
    versions = {name: locked_version(name, conda_python()) for name in sorted(BY_PIP)}
    assert pip == {"pip": [*(f"{name}=={version}" for name, version in versions.items()), "-e ."]}
    assert "pip" in PINNED
    assert CONDA["channels"][0] == "conda-forge"
    assert CONDA["name"] == PROJECT["project"]["name"]


@pytest.mark.parametrize("name", ["CITATION.cff", ".zenodo.json", "codemeta.json"])
def test_version_and_citation_are_said_the_same(name: str) -> None:
    remedy = "uv run python tests/helpers/citation_files.py"
    assert (ROOT / name).read_text(encoding="utf-8") == citation_files.files()[name], remedy


def test_lock_has_the_version() -> None:
    version = PROJECT["project"]["version"]
    assert locked_version(PROJECT["project"]["name"], conda_python()) == version


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
    assert [c for c in commands if c.startswith("uv run")] == [
        "uv run snakemake --cores all",
        "uv run pytest",
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


def test_bytecode_is_compiled_at_sync() -> None:
    # Otherwise each of the workflow's many short jobs compiles its imports again.
    assert PROJECT["tool"]["uv"]["compile-bytecode"] is True


def test_ruff_before_a_commit_is_that_of_the_lock() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (rev,) = (repo["rev"] for repo in hooks["repos"] if "ruff" in repo["repo"])
    assert rev == f"v{locked_version('ruff', conda_python())}"


@pytest.mark.parametrize(("kind", "keyword"), [("conda", "conda"), ("apptainer", "container")])
def test_catalogue_says_what_rules_have(kind: str, keyword: str) -> None:
    said = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))
    rules = [p.read_text(encoding="utf-8") for p in (ROOT / "workflow/rules").glob("*.smk")]
    has = any(re.search(rf"(?m)^ +{keyword}:", text) for text in rules)
    assert said["usage"]["software-stack-deployment"][kind] is has


def test_licence() -> None:
    assert PROJECT["project"]["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
