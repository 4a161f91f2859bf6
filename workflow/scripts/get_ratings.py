"""Get the ratings, check them and count them."""

from pathlib import Path

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.config import parse_config
from penalized_bandits.datasets.counts_csv import write_counts_csv
from penalized_bandits.datasets.provenance import write_provenance
from penalized_bandits.datasets.ratings_source import rating_counts_for
from penalized_bandits.logs import job_log
from penalized_bandits.origins import sha256_of, write_origin

params, output = snakemake.params, snakemake.output

with job_log(snakemake.log[0]) as log:
    wanted = parse_config(snakemake.config).movielens
    counts, origin = rating_counts_for(wanted, params.m0, Path(params.archives), log)
    write_counts_csv(counts, Path(output.counts))
    write_provenance(origin, Path(output.provenance))
    ratings = {
        "dataset": origin.dataset,
        "source": origin.source_used,
        "md5": origin.md5,
        "counts_sha256": sha256_of(output.counts),
    }
    for target, file in zip(output.origins, (output.counts, output.provenance), strict=True):
        write_origin(target, params.origin, [file], ratings=ratings)
