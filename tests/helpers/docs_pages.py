"""Blocks of code and tables of the documentation's pages.

A comment before a block changes what tests do with it:

- ``<!-- test: run -->``: run the commands (others are checked by a dry run);
- ``<!-- test: rows of FILE -->``: look for the rows of the table in the file.
"""

import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

# Not that of other helpers, which need the replication: the library's tests read pages too.
ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs/pages"
TABLES = "../../results/README.md"
"""The page on files and columns, as the site's pages are named: from their folder."""
_BLOCK = re.compile(
    r"(?ms)(?:^<!-- test: (?P<note>[^\n]*?) -->\n\n?)?"
    r"(?:^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]*)\")?\n(?P<text>.*?)^```$"
    r"|(?P<rows>(?:^\|[^\n]*\n)+))"
)


@dataclass(frozen=True)
class Block:
    language: str
    """Of the code; ``table`` for a table."""
    text: str
    title: str
    """The file that it is, or is part of."""
    note: str
    """Empty without one."""


def read(page: str) -> str:
    return (PAGES / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    return [
        Block(m["language"] or "table", m["text"] or m["rows"], m["title"] or "", m["note"] or "")
        for m in _BLOCK.finditer(read(page))
    ]


def snakemake_commands(block: Block) -> list[list[str]]:
    if block.language != "bash":
        return []
    lines = block.text.replace("\\\n", " ").splitlines()
    calls = [shlex.split(line, comments=True) for line in lines]
    return [words[3:] for words in calls if words[:3] == ["uv", "run", "snakemake"]]


def copy_files(page: str, project: Path) -> None:
    """Copy the files of a page, which are in the folder of its name; apply its patches."""
    folder, patches = (PAGES / page).with_suffix(""), shutil.ignore_patterns("*.patch")
    if folder.is_dir():
        shutil.copytree(folder, project, ignore=patches, dirs_exist_ok=True)
    for patch in folder.glob("*.patch"):
        subprocess.run(["git", "apply", patch], cwd=project, check=True)


def write_files(page: str, project: Path) -> None:
    copy_files(page, project)
    for block in blocks(page):
        write_file(block, project)


def files_of(page: str) -> set[str]:
    """Return the files that a page has its reader write or change."""
    folder = (PAGES / page).with_suffix("")
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    for patch in folder.glob("*.patch"):
        changed = re.findall(r"(?m)^\+\+\+ b/(.+)$", patch.read_text(encoding="utf-8"))
        files = files - {patch.name} | {*changed}
    return files | {block.title for block in blocks(page) if _is_file(block)}


def _is_file(block: Block) -> bool:
    # A text with a title is compared with the file.
    return bool(block.title) and block.language != "text"


def write_file(block: Block, project: Path) -> None:
    """Write or change the file of a block."""
    if not _is_file(block):
        return
    path, text = project / block.title, block.text
    if block.language == "diff":
        text = reduce(_changed, text.split("@@\n"), path.read_text(encoding="utf-8"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _changed(text: str, difference: str) -> str:
    """Apply a part of a difference, whose lines begin with a blank, or a plus if they are new."""
    lines = difference.splitlines(keepends=True)
    assert {line[0] for line in lines} == {" ", "+"}, difference
    old = "".join(line[1:] for line in lines if line.startswith(" "))
    new = "".join(line[1:] for line in lines)
    assert text.count(old) == 1, f"{text.count(old)} places for {difference}"
    return text.replace(old, new)
