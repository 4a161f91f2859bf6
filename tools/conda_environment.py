"""Write environment.yml from the pyproject.toml of the packages and uv.lock.

uv run python tools/conda_environment.py
"""

import re
import tomllib
from itertools import chain
from pathlib import Path

from packaging.markers import Marker

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("src/library", "src/replication", "research")
PYTHON = "3.11"
CONDA_NAMES = {"matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}
"""Names that differ: conda's package is the library without its optional parts."""
BY_PIP = {"pypandoc-binary", "typst"}
"""Not on conda-forge."""

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
    """Return environment.yml: the locked versions of all packages of the workflow."""
    *packages, lock = (
        tomllib.loads((ROOT / name).read_text(encoding="utf-8"))
        for name in (*(f"{folder}/pyproject.toml" for folder in SOURCES), "uv.lock")
    )
    projects = [package["project"] for package in packages]
    extras = (each for own in projects for each in own["optional-dependencies"].values())
    required = chain(*(own["dependencies"] for own in projects), *extras)
    names = {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in required}
    names -= {own["name"] for own in projects}
    of_python = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.4"}
    versions = {
        package["name"]: package["version"]
        for package in lock["package"]
        if any(Marker(m).evaluate(of_python) for m in package.get("resolution-markers", []))
        or not package.get("resolution-markers")
    }
    conda = sorted(f"{CONDA_NAMES.get(n, n)}={versions[n]}" for n in names - BY_PIP)
    pip = [
        *(f"{name}=={versions[name]}" for name in sorted(BY_PIP)),
        *(f"-e ./{folder}" for folder in SOURCES),
    ]
    lines = [*(f"  - {spec}\n" for spec in conda), "  - pip:\n", *(f"      - {p}\n" for p in pip)]
    return HEAD + "".join(lines)


if __name__ == "__main__":
    (ROOT / "environment.yml").write_text(environment(), encoding="utf-8")
