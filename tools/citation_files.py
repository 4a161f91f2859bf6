"""The files that repeat CITATION.cff, whose version is that of src/library/pyproject.toml.

After a change of either:

    uv run python tools/citation_files.py
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]


def files() -> dict[str, str]:
    """Return the right content of the files, by name."""
    project = tomllib.loads((ROOT / "src/library/pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^version: .*", f"version: {project['version']}", text)
    cited: dict[str, Any] = yaml.safe_load(text)
    same = {key: cited[key] for key in ("version", "keywords")}
    names = [author["name"] for author in cited["authors"]]
    dois = [reference["doi"] for reference in cited["references"]]
    zenodo = {
        "title": cited["title"],
        "upload_type": "software",
        "description": cited["abstract"],
        "creators": [{"name": name} for name in names],
        "license": {"id": cited["license"]},
        **same,
        "related_identifiers": [{"identifier": doi, "relation": "cites"} for doi in dois],
    }
    codemeta = {
        "@context": "https://doi.org/10.5063/schema/codemeta-2.0",
        "@type": "SoftwareSourceCode",
        "name": cited["title"],
        "description": cited["abstract"],
        "author": [{"@type": "Organization", "name": name} for name in names],
        "license": f"https://spdx.org/licenses/{cited['license']}",
        **same,
        "programmingLanguage": "Python",
        "runtimePlatform": f"Python {project['requires-python']}",
        "referencePublication": [f"https://doi.org/{doi}" for doi in dois],
    }
    made = {".zenodo.json": zenodo, "codemeta.json": codemeta}
    return {"CITATION.cff": text} | {
        name: json.dumps(values, indent=2, ensure_ascii=False) + "\n"
        for name, values in made.items()
    }


if __name__ == "__main__":
    for name, text in files().items():
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
