"""Put saved tables into the documentation, between markers.

``<!-- benchmark NAME -->`` opens a table and ``<!-- end -->`` closes it; what stands between
them is replaced by ``results/NAME.md``.
"""

import re
from pathlib import Path

from penalized_bandits.storage.files import write_text

_BLOCK = re.compile(r"(<!-- benchmark (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(text: str, results: Path) -> str:
    """Return a document with every table as it was saved.

    Raises FileNotFoundError if the document names a table that was never saved.
    """

    def table(match: re.Match[str]) -> str:
        saved = (results / f"{match[2]}.md").read_text(encoding="utf-8")
        return f"{match[1]}\n{saved.strip()}\n\n{match[3]}"

    return _BLOCK.sub(table, text)


def write(document: Path, results: Path) -> None:
    """Fill a document in place."""
    write_text(document, filled(document.read_text(encoding="utf-8"), results))
