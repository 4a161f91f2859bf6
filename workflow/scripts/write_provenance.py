"""Write what the run was made with, and the checksums of what comes out the same anywhere."""

import json
import platform
from importlib.metadata import version
from pathlib import Path

from penalized_replication.workflow.job import job, sections_of
from penalized_bandits.common.files import write_text
from penalized_replication.storage.files import checksums_of, read_json

PACKAGES = ("penalized-bandits", "numba", "numpy", "pandas", "scipy", "snakemake")

params = snakemake.params
with job(snakemake) as log:
    found = {
        "seed": params.seed,
        "code": params.code.removeprefix("code "),
        "versions": {"python": platform.python_version()} | {p: version(p) for p in PACKAGES},
        "ratings": read_json(snakemake.input.ratings),
        "config": {"seed": params.seed, **params.general, **sections_of(params)},
    }
    provenance = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    write_text(snakemake.output.provenance, provenance)
    # Not as the job has them: with a storage these are copies.
    folder = Path(snakemake.output.checksums).parents[1]
    write_text(snakemake.output.checksums, checksums_of(snakemake.input.same, folder))
    log.info("%d checksums", len(snakemake.input.same))
