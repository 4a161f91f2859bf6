"""Put what is beyond the paper where readers look: docs/extended.md and its pictures.

Not a rule, because it changes files under version control; run it by hand after the target
``extended``.

    uv run python workflow/scripts/publish_extended.py
"""

import re
import shutil
from pathlib import Path

from penalized_bandits.figures import EXTENDED_FIGURES
from penalized_bandits.storage.files import write_text

PROJECT = Path(__file__).resolve().parents[2]
RESULTS = PROJECT / "results/extended"


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
    claims = (RESULTS / "claims.md").read_text(encoding="utf-8")
    lines.append(re.sub(r"(?m)^#", "##", comparison))
    for name in EXTENDED_FIGURES:
        shutil.copyfile(RESULTS / f"figures/{name}.png", PROJECT / f"docs/images/{name}.png")
        caption = (RESULTS / f"figures/{name}.md").read_text(encoding="utf-8").strip()
        lines += [f"![{EXTENDED_FIGURES[name].title}](images/{name}.png)", "", caption, ""]
    lines.append(re.sub(r"(?m)^#", "##", claims).rstrip())
    write_text(PROJECT / "docs/extended.md", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
