"""Put the ledger of a finished run where readers look: README.md and docs/claims.md.

Not a rule, because it changes files under version control; run it by hand after a
main job.

    uv run python workflow/scripts/publish_claims.py
"""

from pathlib import Path

from penalized_bandits.claims.ledger import summary_table, to_markdown
from penalized_bandits.claims.sensitivity import dependent
from penalized_bandits.files import write_text
from penalized_bandits.origins import read_json
from penalized_bandits.summaries import read_table

PROJECT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- claims: begin -->", "<!-- claims: end -->"


def between(text: str, lines: list[str]) -> str:
    """Replace what stands between the markers of a text."""
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise ValueError(f"README.md must hold {BEGIN} and {END} once each")
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    return "\n".join([head + BEGIN, *lines, END + tail])


def main() -> None:
    """Write the summary table into README.md and the whole ledger to docs/claims.md."""
    rows = read_json(PROJECT / "results/claims/claims.json")
    table = read_table(PROJECT / "results/claims/sensitivity.csv")
    changes = dependent(table)
    lines = summary_table(rows)
    if changes:
        lines += ["", "Verdicts that change when a reading is flipped (all others do not):", ""]
        lines += [f"- {name}: {'; '.join(found)}" for name, found in changes.items()]
    readme = PROJECT / "README.md"
    write_text(readme, between(readme.read_text(encoding="utf-8"), lines))
    write_text(PROJECT / "docs/claims.md", to_markdown(rows))


if __name__ == "__main__":
    main()
