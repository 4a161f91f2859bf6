"""The pages of the documentation, cut into what a reader would type, write or compare.

A comment before a block says what the tests do with it, if not the usual:

- ``<!-- test: run -->``: the commands are run (others are checked by a dry run);
- ``<!-- test: on the smoke run, because ... -->``: the code is run on the results of the
  smoke run, and its output is not compared;
- ``<!-- test: skip, because ... -->``: nothing is done;
- ``<!-- test: rows of FILE -->``: the rows of the table stand in the file;
- ``<!-- test: after PAGE -->``: what that page has written must be there first.
"""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from config_helpers import ROOT

PAGES = ROOT / "docs/pages"
GUIDES = [
    path.relative_to(PAGES).as_posix()
    for path in [PAGES / "tutorial.md", *sorted((PAGES / "how-to").glob("*.md"))]
]
"""Pages whose code is run."""

_NOTE = r"<!-- test: ([^\n]*?) -->"
_BLOCK = re.compile(
    rf"(?ms)(?P<notes>(?:^{_NOTE}\n\n?)*)"
    r"(?:^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]*)\")?\n(?P<text>.*?)^```$"
    r"|(?P<rows>(?:^\|[^\n]*\n)+))"
)
_AT_THE_END = " (at the end)"


@dataclass(frozen=True)
class Block:
    """A block of code, or a table, of a page."""

    language: str
    """Of the code; ``table`` for a table."""
    text: str
    title: str
    """The file that it is, or is part of."""
    notes: tuple[str, ...]

    def noted(self, what: str) -> str | None:
        """Return the rest of the note that begins in this way, if there is one."""
        found = [note.removeprefix(what) for note in self.notes if note.startswith(what)]
        return found[0].lstrip(" ,") if found else None


def read(page: str) -> str:
    """Return the text of a page."""
    return (PAGES / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page, in order."""
    return [
        Block(
            match["language"] or "table",
            match["text"] or match["rows"],
            match["title"] or "",
            tuple(re.findall(_NOTE, match["notes"])),
        )
        for match in _BLOCK.finditer(read(page))
    ]


def snakemake_commands(block: Block) -> list[list[str]]:
    """Return the arguments of each call of Snakemake in a block of shell commands."""
    if block.language != "bash" or block.noted("skip") is not None:
        return []
    lines = block.text.replace("\\\n", " ").splitlines()
    calls = [shlex.split(line, comments=True) for line in lines]
    return [words[3:] for words in calls if words[:3] == ["uv", "run", "snakemake"]]


def write_files(page: str, project: Path) -> None:
    """Do to a copy of the project what a page tells its reader to write."""
    found = blocks(page)
    for block in found:
        if (before := block.noted("after")) is not None:
            write_files(before, project)
    for block in found:
        write_file(block, project)


def files_of(page: str) -> set[str]:
    """Return the files that a page tells its reader to write or change."""
    found = {block.title.removesuffix(_AT_THE_END) for block in blocks(page) if _is_file(block)}
    return found.union(*(files_of(b) for block in blocks(page) if (b := block.noted("after"))))


def _is_file(block: Block) -> bool:
    return bool(block.title) and block.language in ("yaml", "python", "diff", "csv")


def write_file(block: Block, project: Path) -> None:
    """Write or change the file that a block is, or is part of."""
    if not _is_file(block):
        return
    path = project / block.title.removesuffix(_AT_THE_END)
    if block.language == "diff":
        path.write_text(_changed(path.read_text(encoding="utf-8"), block.text), encoding="utf-8")
    elif block.title.endswith(_AT_THE_END):
        old = path.read_text(encoding="utf-8")
        path.write_text(f"{old}\n{block.text}", encoding="utf-8")
    else:
        path.write_text(block.text, encoding="utf-8")


def _changed(text: str, difference: str) -> str:
    """Apply a difference whose lines begin with a blank, or with a plus if they are new."""
    lines = difference.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line.startswith(" "))
    new = "".join(line[1:] for line in lines)
    assert {line[0] for line in lines} == {" ", "+"}, difference
    assert text.count(old) == 1, f"{text.count(old)} places for {difference}"
    return text.replace(old, new)
