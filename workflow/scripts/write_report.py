"""Write Snakemake's report of the run that asks for it.

Only Snakemake can, so a second one reads what the first has noted of its finished jobs.
It gets the first one's config, whole, and changes nothing but the report.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from penalized_bandits.workflow.job import job
from penalized_bandits.common.errors import UserError
from penalized_bandits.storage.files import whole_file

params = snakemake.params

with job(snakemake) as running, tempfile.TemporaryDirectory() as folder:
    config = Path(folder) / "config.json"
    config.write_text(json.dumps(params.config), encoding="utf-8")
    with whole_file(Path(snakemake.output[0])) as temporary:
        # Snakemake tells the kind of report by the name.
        target = Path(folder) / "report.html"
        command = [sys.executable, "-m", "snakemake", "--snakefile", params.snakefile]
        command += ["--cores", "1", "--nolock", "--configfile", str(config)]
        command += ["--report", str(target)]
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, check=False
        )
        running.log.info("%s", done.stderr.strip())
        if done.returncode:
            raise UserError(f"Snakemake could not write the report: see {snakemake.log[0]}")
        Path(temporary).write_bytes(target.read_bytes())
    running.log.info("%.1f MB", Path(snakemake.output[0]).stat().st_size / 1e6)
