"""Compare all policies."""

from penalized_replication.workflow.job import job
from penalized_bandits.common.files import write_text
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.joined.policies import by_case, comparison, comparison_page
from penalized_replication.config.params import sections_of
from penalized_replication.storage.tables import write_csv

files, output, sections = snakemake.input, snakemake.output, sections_of(snakemake.params)

with job(snakemake) as log:
    cases = by_case(Evidence(sections, {name: list(files[name]) for name in sections}))
    table = comparison(cases)
    write_csv(cases, output.cases)
    write_csv(table, output.table)
    write_text(output.markdown, comparison_page(table))
    log.info("%d policies", len(table))
