"""Write environment.yml from pyproject.toml and uv.lock.

uv run python tools/conda_environment.py
"""

import re
import tomllib
from itertools import chain
from pathlib import Path

from packaging.markers import Marker

ROOT = Path(__file__).resolve().parents[1]
PYTHON = "3.11"
CONDA_NAMES = {
    "matplotlib": "matplotlib-base",
    "playwright": "playwright-python",
    "snakemake": "snakemake-minimal",
}
"""Names that differ: conda's package is the library without its optional parts."""
BY_PIP = {"axe-playwright-python", "math-core", "typst", "zensical"}
"""Not on conda-forge."""
WITH_UV = {"pandas-stubs", "penalized-bandits", "pyright", "types-pyyaml", "types-requests"}
"""Of use only to those who work with uv, and the package itself."""

HEAD = f"""\
# For conda users: the versions of uv.lock, written by tools/conda_environment.py.
#   conda env create -f environment.yml && conda activate penalized-bandits
name: penalized-bandits
channels:
  - conda-forge
  - bioconda
  - nodefaults
dependencies:
  - python={PYTHON}
  - pip
"""


def environment() -> str:
    """Return environment.yml: every requirement of the project with its locked version."""
    project, lock = (
        tomllib.loads((ROOT / name).read_text(encoding="utf-8"))
        for name in ("pyproject.toml", "uv.lock")
    )
    own = project["project"]
    groups = (own["optional-dependencies"], project["dependency-groups"])
    required = chain(own["dependencies"], *(chain(*group.values()) for group in groups))
    names = {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in required} - WITH_UV
    of_python = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.4"}
    versions = {
        package["name"]: package["version"]
        for package in lock["package"]
        if any(Marker(m).evaluate(of_python) for m in package.get("resolution-markers", []))
        or not package.get("resolution-markers")
    }
    conda = sorted(f"{CONDA_NAMES.get(n, n)}={versions[n]}" for n in names - BY_PIP)
    pip = [*(f"{name}=={versions[name]}" for name in sorted(BY_PIP)), "-e ."]
    lines = [*(f"  - {spec}\n" for spec in conda), "  - pip:\n", *(f"      - {p}\n" for p in pip)]
    return HEAD + "".join(lines)


if __name__ == "__main__":
    (ROOT / "environment.yml").write_text(environment(), encoding="utf-8")
