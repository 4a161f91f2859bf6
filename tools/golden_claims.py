"""Write what the smoke run measures of each claim to tests/helpers/golden/measured.jsonl.

    uv run python tools/golden_claims.py

The file has a line for each claim: its parts, series and facts, which the notes on the pages are
made of.  Write it again if a change of the measures, or of the smoke run, is intended.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/helpers"))

from golden_claims import FILE, measured_in  # noqa: E402
from workflow_helpers import new_project  # noqa: E402


def main() -> None:
    """Make the smoke run's measured claims in a temporary folder, and write the file."""
    with TemporaryDirectory() as folder:
        kernels = Path(folder) / "kernels"
        kernels.mkdir()
        project = new_project(Path(folder) / "project", kernels).make("claims")
        rows = measured_in(project.folder)
    lines = (json.dumps(row, ensure_ascii=False) for row in rows.values())
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
