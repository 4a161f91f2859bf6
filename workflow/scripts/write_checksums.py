"""Write the checksums of all that comes out the same anywhere, all files checked."""

from penalized_bandits.workflow.job import job
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.verify import check_all, checksums_of

with job(snakemake) as running:
    checked = check_all(snakemake.params.expected)
    write_text(snakemake.output[0], checksums_of(snakemake.input.same))
    running.log.info("%d files are what was written, and of this config and code", checked)
