"""Put what is beyond the paper where readers look: docs/extended.md and its pictures.

Not a rule, because it changes files under version control; run it by hand after the target
``extended``, and after ``confirm``, whose verdicts it puts beside the others.

    uv run python workflow/scripts/publish_extended.py
"""

import json
import re
import shutil
from pathlib import Path

from penalized_bandits.claims.beyond.confirmation import write_confirmed
from penalized_bandits.claims.beyond.ledger import page
from penalized_bandits.figures import EXTENDED_FIGURES
from penalized_bandits.storage.files import write_text

PROJECT = Path(__file__).resolve().parents[2]
RESULTS = PROJECT / "results/extended"
FIGURES = PROJECT / "results/figures"
CONFIRMATION = PROJECT / "results/confirmation/claims.json"


def main() -> None:
    """Write the comparison, the figures and the claims to docs/extended.md."""
    lines = [
        "# Beyond the paper",
        "",
        "Made by the target `extended` ([what it does](pages/how-to/compare-policies.md)) and "
        "`workflow/scripts/publish_extended.py`.",
        "",
    ]
    comparison = (RESULTS / "comparison.md").read_text(encoding="utf-8")
    if CONFIRMATION.is_file():
        write_confirmed(json.loads(CONFIRMATION.read_bytes()))
    claims = page(json.loads((RESULTS / "claims.json").read_bytes()))
    lines.append(re.sub(r"(?m)^#", "##", comparison))
    for name in EXTENDED_FIGURES:
        shutil.copyfile(FIGURES / f"{name}.png", PROJECT / f"docs/images/{name}.png")
        caption = (FIGURES / f"{name}.md").read_text(encoding="utf-8").strip()
        lines += [f"![{EXTENDED_FIGURES[name].title}](images/{name}.png)", "", caption, ""]
    lines.append(re.sub(r"(?m)^#", "##", claims).rstrip())
    write_text(PROJECT / "docs/extended.md", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
