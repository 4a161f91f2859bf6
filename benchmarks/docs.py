"""Put saved tables into the documentation, between markers.

``<!-- benchmark NAME -->`` opens a table and ``<!-- end -->`` closes it; what stands between
them is replaced by ``results/NAME.md``.  A table that was made with another engine says so:
no number passes for one of the code that it stands beside.
"""

import re
from pathlib import Path

from benchmarks.machine import engine_digest
from penalized_bandits.storage.files import write_text

_BLOCK = re.compile(r"(<!-- benchmark (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_ENGINE = re.compile(r"\bEngine\s+([0-9a-f]{8}),")
_WITHOUT_ENGINE = ("machine", "goals")
OLDER = """**Made with an earlier engine**, so other numbers are to be expected;
`python -m benchmarks --only {name} --write-docs` makes the table anew."""


def is_older(saved: str) -> bool:
    """Say whether a table was made with an engine that is no more."""
    engine = _ENGINE.search(saved)
    return engine is None or engine[1] != engine_digest()


def filled(text: str, results: Path) -> str:
    """Return a document with every table as it was saved.

    Raises FileNotFoundError if the document names a table that was never saved.
    """

    def table(match: re.Match[str]) -> str:
        saved = (results / f"{match[2]}.md").read_text(encoding="utf-8")
        older = match[2] not in _WITHOUT_ENGINE and is_older(saved)
        note = f"\n\n{OLDER.format(name=match[2])}" if older else ""
        return f"{match[1]}\n{saved.strip()}{note}\n\n{match[3]}"

    return _BLOCK.sub(table, text)


def write(document: Path, results: Path) -> None:
    """Fill a document in place."""
    write_text(document, filled(document.read_text(encoding="utf-8"), results))
