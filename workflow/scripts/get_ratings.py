"""Get the ratings, check them and count them."""

from pathlib import Path

from penalized_bandits.workflow.job import job
from penalized_bandits.config import parse_config
from penalized_bandits.datasets.counts_csv import write_counts_csv
from penalized_bandits.datasets.ratings_source import rating_counts_for
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.origins import digest_of

params, output = snakemake.params, snakemake.output

with job(snakemake) as running:
    wanted = parse_config(snakemake.config).movielens
    counts, source = rating_counts_for(wanted, params.m0, Path(params.archives), running.log)
    write_counts_csv(counts, Path(output.counts))
    write_text(output.provenance, source.model_dump_json(indent=2) + "\n")
    running.ratings = {
        "dataset": source.dataset,
        "source": source.source_used,
        "md5": source.md5,
        "counts_sha256": digest_of(output.counts),
    }
