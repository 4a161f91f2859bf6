"""Get the ratings, check them and count them."""

import json
from pathlib import Path

from penalized_replication.workflow.job import job
from penalized_bandits.common.files import write_text
from penalized_replication.datasets.movielens import rating_counts_for
from penalized_replication.datasets.section import MovieLens
from penalized_replication.storage.tables import write_csv

output, params = snakemake.output, snakemake.params

with job(snakemake) as log:
    archive = Path(output.counts).with_name("archive")
    wanted = MovieLens(**params.movielens)
    counts, source = rating_counts_for(wanted, params.least, archive, log)
    # No path of this machine.
    section = wanted.model_dump(exclude_none=True, exclude={"archive": True, "table": {"path"}})
    source["config"] = {"movielens": section, **params.files, "least": params.least}
    write_csv(counts.table, output.counts)
    write_text(output.provenance, json.dumps(source, indent=2, ensure_ascii=False) + "\n")
