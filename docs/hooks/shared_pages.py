"""Take pages into the site that live elsewhere in the repository, and mend their links.

Links are written as they lead in the repository, so that every page can be read there.
Here a link to a file that is a page of the site becomes a link to that page; one to any
other file of the repository keeps its text alone; and one that leads nowhere is left for
MkDocs to complain of.

A line ``<!-- include: config/README.md#readings -->`` stands for a section of another file.
"""

import posixpath
import re
from pathlib import Path

from markdown.extensions.toc import slugify
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]

SHARED = {
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

IMAGES = "docs/images"

_FENCED = re.compile(r"(?ms)^( *(?:```|~~~).*?^ *(?:```|~~~) *$)")
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")
_INCLUDE = re.compile(r"(?m)^<!-- include: ([^#\s]+)#(\S+) -->$")
_HEADING = re.compile(r"(?m)^(#+) +(.*?) *$")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the shared pages and the images."""
    images = sorted((ROOT / IMAGES).glob("*.png"))
    shared = {place: ROOT / path for place, path in SHARED.items()}
    shared |= {f"images/{path.name}": path for path in images}
    for place, path in shared.items():
        files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Mend the links of a page and put in the sections that it includes."""
    del config
    assert page.file.abs_src_path is not None  # noqa: S101  (every page here is a file)
    places = {Path(f.abs_src_path): f.src_uri for f in files if f.abs_src_path}
    here = posixpath.dirname(page.file.src_uri)

    def included(match: re.Match[str]) -> str:
        source = ROOT / match[1]
        text = _section(source.read_text(encoding="utf-8"), match[2])
        if text is None:
            raise PluginError(f"{page.file.src_uri}: {match[1]} has no section #{match[2]}")
        return _mended(text, source, here, places)

    text = _mended(markdown, Path(page.file.abs_src_path), here, places)
    return _INCLUDE.sub(included, text)


def _section(text: str, anchor: str) -> str | None:
    """Return what stands under a heading, up to the next one of its level or above."""
    headings = list(_HEADING.finditer(text))
    for number, heading in enumerate(headings):
        if slugify(heading[2], "-") == anchor:
            after = (h.start() for h in headings[number + 1 :] if len(h[1]) <= len(heading[1]))
            return text[heading.end() : next(after, len(text))].strip()
    return None


def _mended(text: str, source: Path, here: str, places: dict[Path, str]) -> str:
    """Turn the links of a text from ``source`` into links of a page in the folder ``here``."""

    def link(match: re.Match[str]) -> str:
        image, label, target, anchor = match[1], match[2], match[3], match[4] or ""
        if re.match(r"[a-z]+:", target):
            return match[0]
        path = (source.parent / target).resolve()
        if path in places:
            return f"{image}[{label}]({posixpath.relpath(places[path], here or '.')}{anchor})"
        if path.is_relative_to(ROOT) and path.exists() and not image:
            return label
        return match[0]

    parts = _FENCED.split(text)
    return "".join(part if n % 2 else _LINK.sub(link, part) for n, part in enumerate(parts))
