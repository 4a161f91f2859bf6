"""The table of equations, theorems and sections of the paper: where the code names them.

Parts of the paper are found in the docstrings of the package, which say "eq. (11)", "Theorem 4.2"
or "Settings 3 and 5", and in what claims say of their place.
"""

import ast
import csv
import re
from functools import cache
from pathlib import Path

from penalized_replication.claims import CLAIMS

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [ROOT / "src/library", ROOT / "src/replication"]

KINDS = {
    "equation": ("Equations", r"[Ee]qs?\.", r"\((\d+)\)"),
    "theorem": ("Theorems", r"Theorems?", r"(4\.\d)"),
    "lemma": ("Lemmas", r"Lemmas?", r"(4\.\d)"),
    "observation": ("Observations before Theorem 4.5", r"Observations?", r"(\d)"),
    "algorithm": ("Algorithms", r"Algorithms?", r"(\d)"),
    "section": ("Sections and their remarks", r"[Ss]ections?", r"(\d)(?!\.\d)"),
    "setting": ("Settings", r"Settings?", r"(\d)"),
    "figure": ("Figures", r"Figures?", r"(\d)"),
}
"""Title of the table; the word before the numbers, and a number, as regular expressions."""

Reference = tuple[str, str]
"""A kind and a number, such as ``("theorem", "4.2")``."""


def numbers() -> list[Reference]:
    """Return the parts of the paper that the code must name, by kind and number."""
    with (ROOT / "docs/equations.csv").open(encoding="utf-8", newline="") as file:
        return [(row["kind"], row["number"]) for row in csv.DictReader(file)]


def references(text: str) -> set[Reference]:
    """Return the parts of the paper that a text names; "4.6 to 4.8" is three of them."""
    found: set[Reference] = set()
    for kind, (_, word, number) in KINDS.items():
        several = rf"{word}\s+({number}(?:(?:,\s+|\s+and\s+|\s+or\s+|\s+to\s+){number})*)"
        for match in re.finditer(several, text):
            last = ""
            for part in re.finditer(rf"(to\s+)?{number}", match[1]):
                first = int(last[-1]) + 1 if part[1] else int(part[2][-1])
                found |= {(kind, part[2][:-1] + str(n)) for n in range(first, int(part[2][-1]) + 1)}
                last = part[2]
    return found


@cache
def places() -> dict[Reference, dict[str, list[str]]]:
    """Return the files that name each part of the paper, with the names of their docstrings."""
    found: dict[Reference, dict[str, list[str]]] = {}
    for folder, path in ((f, path) for f in FOLDERS for path in sorted(f.rglob("*.py"))):
        file = path.relative_to(folder).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Module() | ast.ClassDef() | ast.FunctionDef():
                    text, name = ast.get_docstring(node) or "", getattr(node, "name", "")
                case ast.Expr(ast.Constant(str(text))):  # of a constant or a field
                    name = ""
                case _:
                    continue
            for reference in references(text):
                found.setdefault(reference, {}).setdefault(file, []).extend([name] * bool(name))
    return found


@cache
def claims() -> dict[Reference, list[str]]:
    """Return the claims about each part of the paper."""
    found: dict[Reference, list[str]] = {}
    for identifier, entry in CLAIMS.items():
        for reference in references(entry.where):
            found.setdefault(reference, []).append(identifier)
    return found


def tables() -> str:
    """Return a table for each kind, with a row for each number."""
    head = "| | named in | claims |\n|---|---|---|"
    lines = []
    for kind, (title, _, _) in KINDS.items():
        rows = [row(kind, number) for kind_, number in numbers() if kind_ == kind]
        lines += [f"## {title}\n", head, *rows, ""]
    return "\n".join(lines)


def row(kind: str, number: str) -> str:
    """Return the row of one part of the paper."""
    named = []
    for file, names in places().get((kind, number), {}).items():
        module = re.sub(r"(/__init__)?\.py$", "", file).replace("/", ".")
        links = (
            f'<autoref identifier="{module}.{name}" optional><code>{name}</code></autoref>'
            for name in dict.fromkeys(names)
        )
        named.append(" ".join([f"`{file}`", *links]))
    title = f"({number})" if kind == "equation" else f"{kind.capitalize()} {number}"
    links = ", ".join(f"[{c}](../claims.md#{c.lower()})" for c in claims().get((kind, number), []))
    return f"| **{title}** | {'<br>'.join(named)} | {links} |"
