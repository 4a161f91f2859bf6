"""Write the checksums of all that comes out the same anywhere, all files checked."""

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.checksums import check_all, checksums_of
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log

with job_log(snakemake.log[0]) as log:
    checked = check_all(snakemake.params.expected)
    write_text(snakemake.output[0], checksums_of(snakemake.input.same))
    log.info("%d files are what was written, and of this config and code", checked)
