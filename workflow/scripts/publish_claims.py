"""Put the ledger of a finished run where readers look: docs/claims.md.

Not a rule, because it changes a file under version control; run it by hand after a
main job, and bring the README's numbers up to it.

    uv run python workflow/scripts/publish_claims.py
"""

from pathlib import Path

from penalized_bandits.claims.ledger import to_markdown
from penalized_bandits.claims.sensitivity import dependent
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.origins import read_json
from penalized_bandits.storage.summaries import read_table

PROJECT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Write the whole ledger, and which verdicts hang on a reading."""
    rows = read_json(PROJECT / "results/claims/claims.json")
    changes = dependent(read_table(PROJECT / "results/claims/sensitivity.csv"))
    lines = ["", "## Verdicts that change when a reading is flipped", ""]
    lines += [f"- {name}: {'; '.join(found)}" for name, found in changes.items()]
    lines += ["", "All others do not.", ""]
    write_text(PROJECT / "docs/claims.md", to_markdown(rows) + "\n".join(lines))


if __name__ == "__main__":
    main()
