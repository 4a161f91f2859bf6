"""Write what small runs measure of each claim to tests/helpers/golden/ and research/tests/golden/.

    uv run python tools/golden_claims.py [paper | extended | sharp | ceilings | changing]

Each file has a line for each claim: its comparisons and facts, of which the notes on the pages are
made.
Write them again if a change of the measures, or of the small runs, is intended.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/helpers", "research/tests")]

from golden_claims import RUNS, golden_file, measured_in  # noqa: E402
from tiny_sections import TINY_SETS  # noqa: E402
from workflow_helpers import RESEARCH, new_project  # noqa: E402


def main() -> None:
    """Make the measured claims of each run in a temporary folder, and write the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", nargs="?", choices=RUNS, help="all by default")
    only = parser.parse_args().run
    with TemporaryDirectory() as folder:
        kernels = Path(folder) / "kernels"
        kernels.mkdir()
        project = new_project(Path(folder) / "project", kernels)
        project.set_scenarios(TINY_SETS, f"{RESEARCH}/scenarios.yaml")
        project = replace(project, snakefile="research/Snakefile")
        for run in [only] if only else RUNS:
            project.make("claims" if run == "paper" else run)
            rows = measured_in(project.folder, run)
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows.values())
            golden_file(run).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
