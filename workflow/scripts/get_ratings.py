"""Get the ratings, check them and count them."""

import json
from pathlib import Path

from penalized_bandits.workflow.job import job
from penalized_bandits.config import parse_config
from penalized_bandits.datasets.counts_csv import write_counts_csv
from penalized_bandits.datasets.ratings_source import rating_counts_for
from penalized_bandits.storage.files import write_text
from penalized_bandits.workflow.runs import ratings_origin

output = snakemake.output

with job(snakemake) as log:
    config = parse_config(snakemake.config)
    folder = Path(output.counts).parent
    archive = folder.with_name("movielens") / "archive"
    origin = ratings_origin(config, folder.name)
    counts, source = rating_counts_for(config.movielens, origin["m0"], archive, log)
    source["config"] = origin
    write_counts_csv(counts, Path(output.counts))
    write_text(output.provenance, json.dumps(source, indent=2, ensure_ascii=False) + "\n")
