"""The schemas of the config and of scenarios, and tables of keys in config/README.md.

All are made from the models, whose docstrings are the meanings.  After a change of these:

    uv run python tools/config_schema.py
    uv run python tools/config_schema.py penalized_research research/config

The second line makes those of an extension, in a folder: schemas of all its keys beside the
paper's, and in its README.md a table for each set of its scenarios.
"""

import ast
import inspect
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from os.path import commonprefix
from pathlib import Path
from typing import Any

import yaml
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from penalized_replication.config.model import with_sections
from penalized_replication.config.scenarios import ONE_FOR_ALL, TOGETHER
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.extensions import HOMES, load

CONFIG = Path(__file__).parents[1] / "config"
Row = tuple[str, str]
"""A key, with * for what differs between those that share the row, and its meaning."""


@cache
def docstrings(module: str) -> dict[tuple[str, str], str]:
    """Return the docstrings of a module's fields; pydantic's way would cost each job 60 ms."""
    found: dict[tuple[str, str], str] = {}
    nodes = ast.walk(ast.parse(inspect.getsource(sys.modules[module])))
    for cls in [node for node in nodes if isinstance(node, ast.ClassDef)]:
        for pair in pairwise(cls.body):
            match pair:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    found[cls.name, name] = " ".join(text.split())
    return found


class _Schema(GenerateJsonSchema):
    """Schema for editors: overlays may leave out any key, and remove a case by null."""

    def dict_schema(self, schema: core_schema.DictSchema) -> dict[str, Any]:
        values = core_schema.nullable_schema(schema.get("values_schema", core_schema.any_schema()))
        return super().dict_schema({**schema, "values_schema": values})

    def model_schema(self, schema: core_schema.ModelSchema) -> dict[str, Any]:
        made = super().model_schema(schema)
        made = {key: made[key] for key in made if key not in ("required", "description")}
        for name, key in made["properties"].items():
            key.pop("title", None)
            for cls in schema["cls"].__mro__[:-1]:
                if text := docstrings(cls.__module__).get((cls.__name__, name)):
                    key["description"] = text
                    break
        return made


def schemas(*extensions: str) -> dict[str, dict[str, Any]]:
    """Return the schemas by the names of their files, with the keys of extensions."""
    load(extensions)
    config = with_sections(*EXPERIMENTS).model_json_schema(schema_generator=_Schema)
    free = [name for name in config["properties"] if name not in ONE_FOR_ALL]
    keys: dict[str, Any] = {name: {"$ref": f"schema.json#/properties/{name}"} for name in free}
    only = {"description": "Experiments of the scenario.", "items": {"enum": [*EXPERIMENTS]}}
    keys["only"] = {**only, "type": "array"}
    overlay = {"additionalProperties": False, "properties": keys, "type": "object"}
    together = {"description": "Whether it is decided as a whole.", "type": "boolean"}
    sets = {
        "additionalProperties": overlay,
        "properties": {TOGETHER: together},
        "type": "object",
    }
    scenarios = {"additionalProperties": sets, "type": "object"}
    return {"schema.json": config, "scenarios.schema.json": scenarios}


def _keys(node: dict[str, Any], defs: dict[str, Any], path: str) -> Iterator[Row]:
    """Yield the keys below a node of the schema that have no keys below them."""
    for name, key in node["properties"].items():
        inner, at = key, f"{path}.{name}".lstrip(".")
        while "properties" not in inner:
            if "$ref" in inner:
                inner = defs[inner["$ref"].rpartition("/")[2]]
            elif "anyOf" in inner:
                inner = inner["anyOf"][0]
            elif "patternProperties" in inner:
                (inner,), at = inner["patternProperties"].values(), f"{at}.*"
            else:
                yield at, key["description"]
                break
        else:
            yield from _keys(inner, defs, at)


def _common(paths: list[str]) -> str:
    """Return the common pattern of keys: ``*.b.c`` for a.b.c and d.b.c."""
    parts = zip(*(path.split(".") for path in paths), strict=True)
    return ".".join(
        p[0] if len({*p}) == 1 else commonprefix(p) + "*"  # noqa: RUF071  (names are no paths)
        for p in parts
    )


def tables(config: dict[str, Any], *extensions: str) -> dict[str, str]:
    """Return the tables of keys by their names in the markers of README.md.

    For an experiment of an extension it is that of the first set of scenarios that has it.
    """
    place = {name: "single" for name, one in EXPERIMENTS.items() if one.package not in HOMES}
    for name in extensions:
        sets = yaml.safe_load((HOMES[name] / "scenarios.yaml").read_text(encoding="utf-8"))
        for which, one in sets.items():
            # ``together: true`` is no overlay.
            overlays = (overlay for overlay in one.values() if isinstance(overlay, dict))
            place = {key: which for each in overlays for key in each if key in EXPERIMENTS} | place
    # Those with one meaning share a row; of those in one form it has one, with * where they differ.
    forms: dict[Row, dict[Any, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path, text in _keys(config, config["$defs"], ""):
        *before, last = path.split(".")
        forms[text, last][len(before), before[1] if "*" in before else ""].append(path)
    # The keys of a part of a section share a row too.
    parts: dict[tuple[str, str], list[tuple[str, ...]]] = defaultdict(list)
    for (text, last), alike in forms.items():
        sections = dict.fromkeys(path.split(".")[0] for paths in alike.values() for path in paths)
        first = place.get(next(iter(sections)), "general")
        table = "shared" if first == "single" and len(sections) > 1 else first
        keys = [_common(paths) for paths in alike.values()]
        label, part = ", ".join(f"`{key}`" for key in keys), keys[0].removesuffix(f".{last}")
        alone = table in ("general", "shared") or part == "*"
        parts[table, label if alone else part].append((label, last, text))
    shown: dict[str, str] = defaultdict(lambda: "| key | meaning |\n|---|---|\n")
    for (table, part), rows in parts.items():
        label, _, text = rows[0]
        if len(rows) > 1:
            label, text = f"`{part}.*`", " ".join(f"`{last}`: {text}" for _, last, text in rows)
        shown[table] += f"| {label} | {text} |\n"
    return shown


def files(folder: Path = CONFIG, *extensions: str) -> dict[str, str]:
    """Return the right content of a folder's files, by name."""
    made = schemas(*extensions)
    found = tables(made["schema.json"], *extensions)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    marked = r"(?m)^(<!-- keys: (\w+) -->\n)(?:\|.*\n)*"
    readme = re.sub(marked, lambda match: match[1] + found[match[2]], readme)
    return {"README.md": readme} | {
        name: json.dumps(values, indent=1, ensure_ascii=False) + "\n"
        for name, values in made.items()
    }


if __name__ == "__main__":
    *packages, place = sys.argv[1:] or [str(CONFIG)]
    for name, text in files(Path(place), *packages).items():
        (Path(place) / name).write_text(text, encoding="utf-8", newline="\n")
