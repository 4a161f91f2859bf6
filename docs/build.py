"""Build the documentation site by zensical: write its pages as plain Markdown, then build them.

    uv run --extra docs python docs/build.py             # into build/site
    uv run --extra docs python docs/build.py --serve     # and show it at http://127.0.0.1:8000
    uv run --extra docs python docs/build.py --results   # with the pages of the last run

Pages of the site alone are in ``docs/pages``; others (``SHARED``) are read in the repository too.
Links are written as they lead in the repository: here a link to a page leads to its place in the
site, and a link to any other file of the repository keeps its text alone.
"""

import argparse
import csv
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from math_core import LatexToMathML

from maker import equations
from penalized_bandits.policies import FILES, POLICIES
from penalized_replication.figures import EVERY_FIGURE

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs/pages"
PROOFS = ("exact-limits", "least-constant", "gap-free", "floors", "stairs", "drift", "intervals")
RESEARCH = (*PROOFS, "extended", "sharp", "ceilings", "changing")
SHARED = {
    "claims.md": "docs/claims.md",
    "design.md": "docs/design.md",
    "performance.md": "docs/performance.md",
    "correspondence.md": "docs/correspondence.md",
    "reference/config.md": "config/README.md",
    "reference/results.md": "results/README.md",
    "research/index.md": "research/README.md",
    **{f"research/{name}.md": f"research/docs/{name}.md" for name in RESEARCH},
}
"""Pages of the site that live elsewhere, by their place in the site."""
IMAGES = {"images": "docs/images", "research/images": "research/docs/images"}
RUN_PAGES = [ROOT / "results" / name for name in ("index.html", "playground.html")]

_BLOCK = re.compile(r"(?ms)(^ *```.*?^ *```$)")
_CODE = re.compile(r"(?ms)(^ *```.*?^ *```$|`[^`\n]+`)")
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")
_FORMULA = re.compile(r"(?s)(?<![\\$])(\$\$?)((?:(?!\n\s*\n)[^$\\]|\\.)+?)\1([.,;:)]*)")
_INDEX = re.compile(r"(?<!\w)(?<!/(?=[a-z]))([^\W\d_])_([a-z0-9])(?![^\W²])")
"""A letter with an index, as in N_k(T) or Δ_k²."""
_CLAIM = re.compile(r"(?m)^(##+ ([A-Z]\w*\d\w*) \(.*)$")
_MATHML = LatexToMathML(fancy_error=False)


def policy_cards() -> str:
    """Return a card for each policy of the package, from its file."""
    return "\n\n".join(
        f"### {p.label} {{ #{p.id} }}\n\n`{p.id}`: {p.card.formula}\n\n"
        f"- **Source:** {p.card.reference}\n- **Proved:** {p.card.guarantees}\n"
        f"- **Limitations:** {p.card.limitations}"
        for p in POLICIES.values()
    )


def policy_files() -> str:
    """Return the directive for the docstring of each file of policies."""
    lines = "    options:\n      members: false\n      show_root_heading: true"
    files = dict.fromkeys(FILES[policy] for policy in POLICIES)
    modules = [
        f"penalized_bandits.policies.{f.removesuffix('.py').replace('/', '.')}" for f in files
    ]
    return "\n\n".join(f"::: {module}\n{lines}" for module in modules)


def figure_list() -> str:
    """Return a row for each figure: its target, what it shows, and the claims on it."""
    head = "| target | shows | claims |\n| --- | --- | --- |\n"
    rows = ((f"`{f.id}`", f.heading, ", ".join(f.claims)) for f in EVERY_FIGURE.values())
    return head + "\n".join(f"| {' | '.join(row)} |" for row in rows)


def key_tables() -> str:
    """Return the tables of keys that several sections of the config share, and of the others."""
    sys.path.append(str(ROOT / "tools"))
    import config_schema

    made = config_schema.tables(config_schema.schemas()["schema.json"])
    return f"{made['shared']}\n{made['single']}"


def column_tables() -> str:
    """Return a table of the columns of each table of results."""
    with (ROOT / "docs/columns.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    tables = {row["table"]: "" for row in rows}
    for row in rows:
        tables[row["table"]] += f"| `{row['column']}` | {row['meaning']} |\n"
    head = "| column | meaning |\n| --- | --- |\n"
    return "\n".join(f"### {table.capitalize()}\n\n{head}{text}" for table, text in tables.items())


MARKERS = {
    "<!-- columns -->": column_tables,
    "<!-- keys of sections -->": key_tables,
    "<!-- figures -->": figure_list,
    "<!-- policies -->": policy_cards,
    "<!-- policy files -->": policy_files,
    "<!-- equations -->": equations.tables,
}
"""What makes the text that a marker in a page is replaced by."""


def page(text: str, place: str, source: Path, places: dict[Path, str], results: bool) -> str:
    """Return a page as the site has it.

    ``places`` are those of all files in the site; with ``results`` the pages of the last run are
    among them.
    """

    def link(match: re.Match[str]) -> str:
        image, target, anchor = match[1], match[3], match[4] or ""
        label = _LINK.sub(link, match[2])  # a picture may be a link
        path = (source.parent / target).resolve()
        if path in places:
            to = posixpath.relpath(places[path], posixpath.dirname(place) or ".")
            if image and path.with_name(f"{path.stem}_column.svg") in places:
                narrow = f"{to.removesuffix(path.suffix)}_column.svg"
                return f"![{label}]({to}){{ .wide }} ![{label}]({narrow}){{ .narrow loading=lazy }}"
            return f"{image}[{label}]({to}{anchor})"
        if results and path in RUN_PAGES:
            to = posixpath.relpath(f"results/{path.name}", place.removesuffix(".md"))
            return f'<a href="{to}{anchor}">{label}</a>'
        ours = path.is_relative_to(ROOT / "results") or (path.exists() and ROOT in path.parents)
        return label if ours and ":" not in target else match[0]

    for marker, make in MARKERS.items():
        if marker in text:
            text = text.replace(marker, make())
    # The anchor that a claim's heading has by itself holds the verdict, and would change with it.
    text = _CLAIM.sub(lambda match: f"{match[1]} {{ #{match[2].lower()} }}", text)
    text = outside(_BLOCK, text, lambda part: _LINK.sub(link, part))
    text = outside(_CODE, text, lambda part: _FORMULA.sub(_mathml, part))
    return outside(_CODE, text, lambda part: _INDEX.sub(r"\1<sub>\2</sub>", part))


def outside(code: re.Pattern[str], text: str, change: Callable[[str], str]) -> str:
    """Return a text changed wherever it is not code."""
    parts = code.split(text)
    return "".join(part if n % 2 else change(part) for n, part in enumerate(parts))


def _mathml(match: re.Match[str]) -> str:
    """Return one formula in one line, a full stop or comma after it within."""
    # A formula may stand in a quotation, whose lines begin with >.
    tex = re.sub(r"(?m)^ *> ?", "", match[2]).strip()
    display = match[1] == "$$"
    numbered = rf"\begin{{equation}}{tex}\end{{equation}}" if r"\tag{" in tex else tex
    found = _MATHML.convert_with_local_state(numbered, displaystyle=display)
    # Signs that mean something in Markdown.
    found = re.sub(r"[*_|\\\[\]^~`](?=[^<>]*<)", lambda sign: f"&#{ord(sign[0])};", found)
    found = re.sub(r"\s*\n\s*", " ", found)
    return f'<span class="arithmatex{" display" * display}">{found}{match[3]}</span>'


def copy_run(site: Path) -> None:
    """Copy the pages of the last run and every file that they link to, their links led to HTML."""
    for made in RUN_PAGES:
        text = made.read_text(encoding="utf-8")
        preview = ["preview.png"] * ('/preview.png"' in text)
        for target in dict.fromkeys([*preview, *re.findall(r'href="([^"#:]+)"', text)]):
            path = (made.parent / target).resolve()
            if path in RUN_PAGES:
                continue
            if path.suffix != ".md" or path.is_relative_to(ROOT / "results"):
                copy = (site / "results" / target).resolve()
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
            else:
                shared = {ROOT / source: place for place, source in SHARED.items()}
                place = shared.get(path) or path.relative_to(PAGES).as_posix()
                to = f"../{place.removesuffix('.md').removesuffix('index')}"
                text = text.replace(f'href="{target}"', f'href="{to.rstrip("/")}/index.html"')
        (site / "results" / made.name).write_text(text, encoding="utf-8")


def write(folder: Path, results: bool) -> Path:
    """Write every page of the site below a folder, and zensical's config; return the config."""
    files = {path.relative_to(PAGES).as_posix(): path for path in PAGES.rglob("*.*")}
    files |= {place: ROOT / path for place, path in SHARED.items()}
    for place, images in IMAGES.items():
        files |= {f"{place}/{path.name}": path for path in (ROOT / images).glob("*.[ps][nv]g")}
    places = {path.resolve(): place for place, path in files.items()}
    shutil.rmtree(folder / "pages", ignore_errors=True)
    for place, path in files.items():
        written = folder / "pages" / place
        written.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            text = page(path.read_text(encoding="utf-8"), place, path, places, results)
            written.write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(path, written)
    config = folder / "mkdocs.yml"
    text = (ROOT / "docs/mkdocs.yml").read_text(encoding="utf-8")
    config.write_text(text.replace("$project", str(ROOT)), encoding="utf-8")
    return config


def main() -> int:
    """Build or serve the site, as the command line says."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--serve", action="store_true", help="show it on this machine")
    parser.add_argument("--results", action="store_true", help="with the pages of the last run")
    parser.add_argument("--folder", type=Path, default=ROOT / "build", help="place of site/")
    given = parser.parse_args()
    command = ["serve"] if given.serve else ["build", "--strict"]
    missing = [path for path in RUN_PAGES if given.results and not path.is_file()]
    if missing:
        parser.error(f"{missing[0]} is missing: run 'uv run snakemake --cores all' first")
    config = write(given.folder.resolve(), given.results)
    zensical = [sys.executable, "-m", "zensical", *command, "-f", str(config)]
    status = subprocess.run(zensical, check=False).returncode  # noqa: S603  (these words alone)
    if given.results and not status:
        copy_run(given.folder.resolve() / "site")
    return status


if __name__ == "__main__":
    sys.exit(main())
