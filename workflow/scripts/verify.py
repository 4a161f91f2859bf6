"""Check every file of the results: whether it is what was written, and of this config."""

import sys

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.checksums import check_all, check_list
from penalized_bandits.logs import job_log

inputs = snakemake.input

with job_log(snakemake.log[0]) as log:
    checked = check_all(snakemake.params.expected)
    check_list(inputs.checksums, inputs.same)
    done = f"{checked} files are what was written, and of this config and code"
    log.info("%s", done)
    sys.stderr.write(f"{done}\n")
