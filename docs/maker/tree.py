"""The site as a tree of plain Markdown, which any builder can take.

Pages of the site alone are in ``docs/pages``; others are read in the repository too, or are
written by scripts, and are taken from where they are.  Links are written as they lead in the
repository, so that every page can be read there.  Here a link to a file that is in the site leads
to its place there; one to any other file of the repository keeps its text alone; and one that
leads nowhere is left for the builder to complain of.

A line ``<!-- include: config/README.md#readings -->`` stands for a section of another file, and
``<!-- help -->`` and the like for what ``generated.py`` makes.
"""

import posixpath
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from maker.generated import MARKERS
from maker.markup import claim_anchors, formulas, outside_code, section
from penalized_bandits.common.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs/pages"
RESULTS = ROOT / "results"

SHARED = {
    "artifact.md": "docs/artifact.md",
    "changelog.md": "CHANGELOG.md",
    "claims.md": "docs/claims.md",
    "design.md": "docs/design.md",
    "extended.md": "docs/extended.md",
    "performance.md": "docs/performance.md",
    "sharp.md": "docs/sharp.md",
    "verdicts_by_seed.md": "docs/verdicts_by_seed.md",
    "reference/config.md": "config/README.md",
    "reference/results.md": "results/README.md",
}
"""Pages of the site that live elsewhere, by their place in the site."""

OF_RESULTS = ("index.html", "playground.html", "article.pdf")
"""Pages of a run that a site can hold; what they link to is copied once the site is built."""
RUN = "run"
"""Folder of the site that they are in."""

BOOSTS = {
    **dict.fromkeys(("reference/", "command-line.", "changelog."), 0.01),
    **dict.fromkeys(("claims.", "extended.", "sharp.", "performance.", "artifact."), 0.1),
    **dict.fromkeys(("glossary.", "background/problem."), 100),
    **dict.fromkeys(("background/", "faq.", "tutorial."), 10),
}
"""How much a page counts in the search, by how its place begins: what explains a word comes
before what lists it."""

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")
_INCLUDE = re.compile(r"(?m)^<!-- include: ([^#\s]+)#(\S+) -->$")
_DOCUMENT = re.compile(r"""(?<=href=["'])[^"'#?:]+\.md(?=["'#])""")
_LEADS_TO = re.compile(r"""(?:href|src)=["']([^"'#?:]+)["'#?]""")


def files_of(results: Path | None) -> dict[str, Path]:
    """Return the files of the site, by their place in it; those of a run where it is given."""
    found = {path.relative_to(PAGES).as_posix(): path for path in PAGES.rglob("*.*")}
    found |= {place: ROOT / path for place, path in SHARED.items()}
    found |= {f"images/{path.name}": path for path in (ROOT / "docs/images").glob("*.png")}
    if results is not None:
        there = [place for place in OF_RESULTS if (results / place).is_file()]
        found |= {f"{RUN}/{place}": results / place for place in there}
    return dict(sorted(found.items()))


def write_tree(target: Path, results: Path | None = None) -> None:
    """Write every file of the site; one that is as it was is left alone.

    Raises UserError with the page and what is wrong with it.
    """
    files = files_of(results)
    places = {path.resolve(): place for place, path in files.items()}
    if results is not None:
        # Pages name results as they lie in the repository.
        run = (p for p in files if p.startswith(f"{RUN}/"))
        places |= {RESULTS / place.removeprefix(f"{RUN}/"): place for place in run}
    for place, path in files.items():
        content = path.read_bytes()
        if place.endswith(".md"):
            try:
                content = page(content.decode("utf-8"), place, path, places).encode("utf-8")
            except UserError as error:
                raise UserError(f"{path.relative_to(ROOT)}: {error}") from error
        written = target / place
        if not written.is_file() or written.read_bytes() != content:
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_bytes(content)
    _clear(target, files)


def led(text: str, place: str) -> str:
    """Lead a run's page, by its place among the results, to documents as the site has them."""
    places = {path.resolve(): where for where, path in files_of(None).items()}

    def to_page(match: re.Match[str]) -> str:
        where = places.get((RESULTS / place).parent.joinpath(match[0]).resolve())
        if where is None:
            return match[0]
        folder = re.sub(r"(index)?\.md$", "", where)
        return posixpath.relpath(
            posixpath.join(folder, "index.html"), posixpath.dirname(f"{RUN}/{place}")
        )

    return _DOCUMENT.sub(to_page, text)


def copy_run(results: Path, site: Path) -> None:
    """Copy the pages of a run and all that they lead to, as they are, into a built site."""
    waiting = [place for place in OF_RESULTS if (results / place).is_file()]
    found: set[str] = set()
    while waiting:
        place = waiting.pop()
        if place in found or not (results / place).is_file():
            continue
        found.add(place)
        copy = site / RUN / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(results / place, copy)
        if place.endswith(".html"):
            here, text = posixpath.dirname(place), led(copy.read_text(encoding="utf-8"), place)
            copy.write_text(text, encoding="utf-8")
            linked = (posixpath.normpath(f"{here}/{unquote(to)}") for to in _LEADS_TO.findall(text))
            waiting += [to.lstrip("/") for to in linked if not to.startswith("..")]


def _clear(target: Path, wanted: Iterable[str]) -> None:
    """Delete what an earlier tree had and this one has not."""
    kept = set(wanted)
    for path in target.rglob("*"):
        if path.is_file() and path.relative_to(target).as_posix() not in kept:
            path.unlink()


def page(text: str, place: str, source: Path, places: dict[Path, str]) -> str:
    """Return a page as the site has it."""
    here = posixpath.dirname(place)

    def included(match: re.Match[str]) -> str:
        other = ROOT / match[1]
        found = section(other.read_text(encoding="utf-8"), match[2])
        if found is None:
            raise UserError(f"{match[1]} has no section #{match[2]}")
        return mended(found, other, here, places)

    text = _INCLUDE.sub(included, mended(text, source, here, places))
    for marker, make in MARKERS.items():
        if marker in text:
            text = text.replace(marker, make())
    boost = next((b for begin, b in BOOSTS.items() if place.startswith(begin)), None)
    front = f"---\nsearch:\n  boost: {boost}\n---\n\n" if boost else ""
    return front + formulas(claim_anchors(text))


def mended(text: str, source: Path, here: str, places: dict[Path, str]) -> str:
    """Turn the links of a text from ``source`` into links of a page in the folder ``here``."""

    def link(match: re.Match[str]) -> str:
        # A picture may be a link.
        label = _LINK.sub(link, match[2])
        image, target, anchor = match[1], match[3], match[4] or ""
        if re.match(r"[a-z]+:", target):
            return match[0]
        path = (source.parent / target).resolve()
        if path in places:
            return f"{image}[{label}]({posixpath.relpath(places[path], here or '.')}{anchor})"
        if path.is_relative_to(RESULTS) or (path.is_relative_to(ROOT) and path.exists()):
            return match[0] if image else label
        return match[0]

    return outside_code(text, lambda part: _LINK.sub(link, part))
