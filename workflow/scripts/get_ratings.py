"""Get the ratings, check them and count them."""

from pathlib import Path

from penalized_bandits.config import parse_config
from penalized_bandits.datasets.counts_csv import write_counts_csv
from penalized_bandits.datasets.provenance import write_provenance
from penalized_bandits.datasets.ratings_source import rating_counts_for
from penalized_bandits.logs import job_log

params, output = snakemake.params, snakemake.output

with job_log(snakemake.log[0]) as log:
    wanted = parse_config(snakemake.config).movielens
    counts, origin = rating_counts_for(wanted, params.m0, Path(params.archives), log)
    write_counts_csv(counts, Path(output.counts))
    write_provenance(origin, Path(output.provenance))
