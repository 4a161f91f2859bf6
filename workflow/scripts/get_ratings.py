"""Get the ratings, check them and count them."""

from pathlib import Path

from penalized_bandits.datasets.workflow import counts_for
from snakemake.script import snakemake

from penalized_bandits.config import MovieLens
from penalized_bandits.datasets.counts_csv import write_counts_csv
from penalized_bandits.logs import job_log

with job_log(snakemake.log[0]) as log:
    counts, provenance = counts_for(
        MovieLens(**snakemake.params.movielens),
        snakemake.params.m0,
        Path(snakemake.params.archives),
        log,
    )
    write_counts_csv(counts, Path(snakemake.output.counts))
    provenance.write(Path(snakemake.output.provenance))
