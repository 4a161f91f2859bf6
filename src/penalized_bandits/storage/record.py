"""The record of a run: what went in, what came out and what made it, as one JSON-LD file.

It is a Workflow Run RO-Crate (https://w3id.org/ro/wfrun/workflow/0.5), which registries of
workflows and archives read.  All it says of files is taken from their origins.  Who ran the
workflow (``agent``) and who publishes the results (``publisher``) it does not know.
"""

import json
import mimetypes
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import metadata, requires, version
from pathlib import Path
from typing import Any

from penalized_bandits.storage.origins import SUFFIX, digest_of, origin_path, read_json, read_origin

NAME = "ro-crate-metadata.json"
PACKAGE = "penalized-bandits"
_PROFILES = [
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
]
_CONTEXT = [
    "https://w3id.org/ro/crate/1.1/context",
    "https://w3id.org/ro/terms/workflow-run/context",
]
_LICENCE = "https://spdx.org/licenses/MIT"
_PYTHON = "https://www.python.org/"
_SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"

Entity = dict[str, Any]


def record(
    results: Path, files: Iterable[Path], workflow: Path, config: Path, values: Mapping[str, Any]
) -> str:
    """Return the record of a run as JSON.

    - ``results``: the folder of the run, with ``movielens/provenance.json``.
    - ``files``: what the run made, each with an origin.
    - ``workflow``, ``config``: the workflow's main file and all values of the config (JSON), both
      below ``results``.
    - ``values``: parameters by name, such as the seed.

    Raises OriginError if a file has no origin, or one that is damaged.
    """
    ratings = read_json(results / "movielens/provenance.json")
    outputs = [_output(path, results) for path in sorted(files)]
    inputs = [_file(config, results, "All values of the config"), _ratings(ratings)]
    parameters = [_parameter(name, value) for name, value in values.items()]
    formal = [_formal(name, "Text") for name in values]
    kind = "File" if inputs[1]["@type"] == "File" else "PropertyValue"
    formal += [_formal("config", "File"), _formal("ratings", kind)]
    for entity, name in zip(inputs, ("config", "ratings"), strict=True):
        entity["exampleOfWork"] = _to(f"#input-{name}")
    software = list(_software())
    main = _file(workflow, results, "The workflow") | {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "programmingLanguage": _to(_SNAKEMAKE),
        "softwareRequirements": _all(software),
        "input": _all(formal),
        "version": version(PACKAGE),
        "license": _to(_LICENCE),
    }
    run = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": "The run",
        "description": "Snakemake made every file of the result from the ratings and the config.",
        "instrument": _to(main["@id"]),
        "startTime": ratings["retrieved_at"],
        "actionStatus": "http://schema.org/CompletedActionStatus",
        "object": _all([*inputs, *parameters]),
        "result": _all(outputs),
    }
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": "Results of penalized-bandits",
        "description": "A replication of Fang, Li and Samorodnitsky, On Penalization in Stochastic "
        "Multi-armed Bandits: tables, figures and verdicts of one run.",
        # The day on which the run read its ratings, which it does first.
        "datePublished": ratings["retrieved_at"][:10],
        "license": _to(_LICENCE),
        "author": _to("#authors"),
        "conformsTo": [_to(profile) for profile in _PROFILES],
        "mainEntity": _to(main["@id"]),
        # Ratings that were not downloaded are no file that can be got.
        "hasPart": _all([main, *(e for e in inputs if e["@type"] == "File"), *outputs]),
        "mentions": _to("#run"),
    }
    descriptor = {
        "@id": NAME,
        "@type": "CreativeWork",
        "about": _to("./"),
        "conformsTo": [_to("https://w3id.org/ro/crate/1.1"), _to(_PROFILES[-1])],
    }
    about = [
        {"@id": "#authors", "@type": "Organization", "name": metadata(PACKAGE)["Author"]},
        _creative(_LICENCE, "MIT"),
        *(_creative(p, "A profile of RO-Crate") for p in _PROFILES),
    ]
    graph = [descriptor, root, main, run, *inputs, *parameters, *formal, *software, _language()]
    content = {"@context": _CONTEXT, "@graph": [*graph, *about, *outputs]}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _to(identifier: str) -> Entity:
    return {"@id": identifier}


def _all(entities: Iterable[Entity]) -> list[Entity]:
    return [_to(entity["@id"]) for entity in entities]


def _creative(identifier: str, name: str) -> Entity:
    return {"@id": identifier, "@type": "CreativeWork", "name": name}


def _file(path: Path, results: Path, name: str) -> Entity:
    found = {"@id": path.relative_to(results).as_posix(), "@type": "File", "name": name}
    kind = mimetypes.guess_type(path.name)[0] or "text/plain"
    return found | {"encodingFormat": kind, "sha256": digest_of(path)}


def _output(path: Path, results: Path) -> Entity:
    """Return a file of the run, its checksum the one that was taken as it was written."""
    own = path.with_name(path.name + SUFFIX)
    origin = read_origin(own if own.is_file() else origin_path(path))
    return {
        "@id": path.relative_to(results).as_posix(),
        "@type": "File",
        "name": path.name,
        "encodingFormat": _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0],
        "sha256": origin["files"][path.name],
        "version": origin["package"],
    }


_KINDS = {
    ".ipynb": "application/x-ipynb+json",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
}


def _ratings(provenance: Mapping[str, Any]) -> Entity:
    """Return where the ratings came from; what was made of them is among the outputs."""
    used, title = provenance["source_used"], provenance["title"]
    bundled = used == "bundled"
    name = f"{title}, counts bundled with the package" if bundled else f"{title} ({used})"
    downloaded = {"@id": provenance["url"], "@type": "File"}
    # A value of the run's parameter: there is no file of these ratings that can be got.
    others = {"@id": "#ratings", "@type": ["CreativeWork", "PropertyValue"], "value": used}
    return {
        **(downloaded if used == "download" else others),
        "name": name,
        "citation": provenance["citation"],
        "description": provenance["licence"],
        **({"md5": provenance["md5"]} if provenance["md5"] else {}),
    }


def _formal(name: str, kind: str) -> Entity:
    profile = _to("https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE")
    about = {"name": name, "additionalType": kind, "conformsTo": profile, "valueRequired": True}
    return {"@id": f"#input-{name}", "@type": "FormalParameter", **about}


def _parameter(name: str, value: object) -> Entity:
    about = {"name": name, "value": str(value), "exampleOfWork": _to(f"#input-{name}")}
    return {"@id": f"#value-{name}", "@type": "PropertyValue", **about}


def _language() -> Entity:
    about = {
        "name": "Snakemake",
        "version": version("snakemake"),
        "url": "https://snakemake.github.io",
    }
    return {"@id": _SNAKEMAKE, "@type": "ComputerLanguage", **about}


def _software() -> Iterable[Entity]:
    """Yield the Python that runs, this package and what it needs, with their versions."""
    needed = {need.split(";")[0].strip(" ") for need in requires(PACKAGE) or [] if _of_run(need)}
    names = sorted({PACKAGE, *(need.split(">")[0].split("=")[0] for need in needed)})
    versions = {"python": platform.python_version(), **{name: version(name) for name in names}}
    for name, number in versions.items():
        page = _PYTHON if name == "python" else f"https://pypi.org/project/{name}/"
        about = {"name": name, "url": page, "softwareVersion": number}
        yield {"@id": page, "@type": "SoftwareApplication", **about}


def _of_run(need: str) -> bool:
    return "extra ==" not in need or "workflow" in need.split("extra ==")[1]
