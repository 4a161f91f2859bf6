"""Compare all policies, and decide our own claims."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.extended.comparison import by_case, comparison
from penalized_bandits.claims.extended.ledger import check_all, comparison_page, page
from penalized_bandits.claims.ledger.tables import claims_table
from penalized_bandits.claims.results import to_json
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv

files, output, sections = snakemake.input, snakemake.output, snakemake.params.sections

with job(snakemake) as log:
    evidence = Evidence(sections, {name: list(files[name]) for name in sections})
    cases = by_case(evidence)
    results = check_all(evidence)
    table = comparison(cases)
    write_csv(cases, output.cases)
    write_csv(table, output.table)
    write_text(output.markdown, comparison_page(table))
    write_csv(claims_table(results), output.claims_csv)
    write_text(output.claims_json, to_json(results))
    write_text(output.claims_markdown, page(results))
    for result in results:
        log.info("%s: %s", result.id, result.verdict)
