"""Build the documentation with the pages of this run in it, as one folder for a static host."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from penalized_bandits.workflow.job import job
from penalized_bandits.common.errors import UserError

results = Path(snakemake.output[0]).parent

with job(snakemake) as running, TemporaryDirectory(dir=results, prefix=".site") as folder:
    command = [sys.executable, snakemake.input.build, "--results", results, "--folder", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise UserError(
            "the documentation could not be built (pip install 'penalized-bandits[docs]' has what "
            f"it takes): {done.stdout}{done.stderr}"
        )
    site = Path(folder, "site").rename(snakemake.output[0])
    running.log.info("%d files", sum(path.is_file() for path in site.rglob("*")))
