"""The config as a JSON schema: keys and bounds of the model, descriptions of config/README.md.

For editors, and for Snakemake's catalogue, which follows no references.  After a change of either:

    uv run python tests/helpers/config_schema.py
"""

import json
import re
from pathlib import Path
from typing import Any

from penalized_bandits.config.model import wider_config
from penalized_bandits.experiments.beyond import EXTENSIONS, SHARP
from penalized_bandits.experiments.catalogue import EXPERIMENTS

ROOT = Path(__file__).parents[2]
FILE = ROOT / "workflow/schemas/config.schema.yaml"
TITLE = "The config, from its model and config/README.md by tests/helpers/config_schema.py."
SECTIONS = {
    **{(name,): one.title for name, one in EXPERIMENTS.items()},
    **{("extended", name): one.title for name, one in EXTENSIONS.items()},
    **{("sharp", name): one.title for name, one in SHARP.items()},
}
KEPT = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "minItems", "minProperties")
KEPT += ("maxLength", "enum", "items", "default", "required")


def explained() -> dict[str, str]:
    """Return what the tables of config/README.md say of keys; ``*`` in a key is any name."""
    text = (ROOT / "config/README.md").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for cell, meaning in re.findall(r"(?m)^\| (`[^|]*`) \| (.*?) \|(?: .* \|)?$", text):
        names = re.findall(r"`([^`]+)`", cell)
        for name in names:
            # In one row `a.b`, `.c` stands for a.b and a.c.
            key = names[0].rpartition(".")[0] + name if name.startswith(".") else name
            assert key not in found, f"config/README.md explains {key} twice"
            found[key] = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", meaning)
    return found


def fits(key: str, path: tuple[str, ...]) -> bool:
    """Return whether a key of the tables stands for a path; ``*`` at its end is all below."""
    parts = key.split(".")
    long_enough = len(parts) <= len(path) if parts[-1] == "*" else len(parts) == len(path)
    return long_enough and all(p in ("*", name) for p, name in zip(parts, path, strict=False))


class Schema:
    """The schema without references, and the rows of the tables that are of no key."""

    def __init__(self) -> None:
        self._rows = explained()
        self.unused = set(self._rows)
        model = wider_config(extended=True, sharp=True).model_json_schema()
        self._parts = model["$defs"]
        self.tree = self._part(model, ())
        # The model requires these sections where it has them.
        self.tree["required"] = [k for k in self.tree["required"] if k not in ("extended", "sharp")]

    def _said(self, path: tuple[str, ...], own: str) -> str:
        """Return the description of a key: its row, what the model says, or the row above."""
        rows = sorted((k for k in self._rows if fits(k, path)), key=lambda k: k.count("*"))
        exact = [key for key in rows if key[-1] != "*"][:1]
        self.unused -= {*exact, *(key for key in rows if key[-1] == "*")}
        said = self._rows[exact[0]] if exact else SECTIONS.get(path, own).replace("``", "`")
        said = said or next((self._rows[key] for key in rows), "")
        assert said, f"config/README.md has no row for {'.'.join(path)}"
        return said

    def _part(self, node: dict[str, Any], path: tuple[str, ...], own: str = "") -> dict[str, Any]:
        """Return what is said of a key and all below it; ``own`` is said by what it stands in."""
        if "$ref" in node:
            node = self._parts[node["$ref"].removeprefix("#/$defs/")] | node
        if "anyOf" in node:
            one, null = node["anyOf"]
            assert null == {"type": "null"}, path
            part = self._part(one, path)
            return part | {"type": [part["type"], "null"]}
        found: dict[str, Any] = {"type": node["type"], "description": TITLE}
        found |= {key: node[key] for key in KEPT if key in node}
        own = node.get("description", own)
        by_name = node.get("additionalProperties")
        if isinstance(by_name, dict):
            found["additionalProperties"] = self._part(by_name, (*path, "*"), "An entry.")
            own = found["additionalProperties"]["description"]
        elif by_name is False:
            found["additionalProperties"] = False
        if path:
            found["description"] = own if path[-1] == "*" else self._said(path, own)
        if "properties" in node:
            found.pop("default", None)  # those of its keys
            keys = node["properties"].items()
            found["properties"] = {key: self._part(one, (*path, key)) for key, one in keys}
        return found


def written(value: Any, indent: str = "\n") -> str:
    """Return a part of the schema as YAML: a line for each key of the config."""
    if not isinstance(value, dict):
        # YAML takes 1e-06 for text.
        return re.sub(r"^(\d+)e", r"\1.0e", json.dumps(value, ensure_ascii=False))
    pairs = [f"{k}: {written(one, indent)}" for k, one in value.items() if k != "properties"]
    if "properties" in value:
        inside = indent + "  "
        keys = (f"{inside}{k}: {written(one, inside)}" for k, one in value["properties"].items())
        pairs.append(f"properties: {{{','.join(keys)}}}")
    return f"{{{', '.join(pairs)}}}"


def text() -> str:
    """Return what the file must hold."""
    schema = Schema()
    assert not schema.unused, f"config/README.md has rows for no key: {sorted(schema.unused)}"
    return f"{written(schema.tree)}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
