"""Put the ledger of a finished run where readers look: claims, power, tallies.

Writes ``docs/claims.md`` and ``docs/pages/background/power.md``, and brings the tallies in
the README and on the first page of the documentation, and the pictures that the documentation
shows, up to them.  Not a rule, because it changes files under version control; run it by hand
after a main job, once the rules are committed.

    uv run python workflow/scripts/publish_claims.py
"""

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from penalized_bandits.claims.ledger.reading import groups, power_page, tally, to_markdown
from penalized_bandits.claims.sensitivity import dependent
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.storage.files import read_json, write_text
from penalized_bandits.storage.summaries import read_table

PROJECT = Path(__file__).resolve().parents[2]
TALLIED = ("README.md", "docs/pages/index.md")
TALLIES = re.compile(r"(?s)(?<=<!-- tallies -->\n).*?(?=<!-- end of tallies -->)")


def write_tallies(rows: Sequence[Mapping[str, Any]]) -> None:
    """Bring the tallies of the two tables up to the ledger, wherever they stand."""
    lines = "".join(f"- **{title}**: {tally(of_it)}.\n" for title, of_it in groups(rows))
    for name in TALLIED:
        text = (PROJECT / name).read_text(encoding="utf-8")
        write_text(PROJECT / name, TALLIES.sub(f"\n{lines}\n", text))


def main() -> None:
    """Write the whole ledger, what its rules notice, and which verdicts depend on a reading."""
    rows = read_json(PROJECT / "results/claims/claims.json")
    changes = dependent(read_table(PROJECT / "results/claims/sensitivity.csv"))
    lines = ["", "## Verdicts that change when a reading is flipped", ""]
    lines += [f"- {name}: {'; '.join(found)}" for name, found in changes.items()]
    lines += ["", "All others do not.", ""]
    write_text(PROJECT / "docs/claims.md", to_markdown(rows) + "\n".join(lines))
    page = power_page(rows)
    write_text(PROJECT / "docs/pages/background/power.md", page)
    write_tallies(rows)
    for picture in (PROJECT / "docs/images").glob("*.png"):
        if picture.stem in ALL_FIGURES:
            shutil.copyfile(PROJECT / "results/figures" / picture.name, picture)


if __name__ == "__main__":
    main()
