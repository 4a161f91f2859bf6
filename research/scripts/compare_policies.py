"""Compare all policies."""

from penalized_replication.workflow.job import job, sections_of
from penalized_bandits.common.files import write_text
from penalized_replication.claims.base import Evidence
from penalized_replication.storage.tables import write_csv
from penalized_research.comparison import by_case, comparison, comparison_page

files, output = snakemake.input, snakemake.output

with job(snakemake) as log:
    sections = sections_of(snakemake.params)
    cases = by_case(Evidence(sections, {name: list(files[name]) for name in sections}))
    table = comparison(cases)
    write_csv(cases, output.cases)
    write_csv(table, output.table)
    write_text(output.markdown, comparison_page(table))
    log.info("%d policies", len(table))
