"""Compare all policies beyond the paper, and decide our own claims."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.beyond.comparison import by_case, comparison
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence, Laws
from penalized_bandits.claims.beyond.ledger import check_all, comparison_page, laws_by_policy, page
from penalized_bandits.claims.ledger import claims_table, to_json
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv

params, output = snakemake.params, snakemake.output

with job(snakemake) as running:
    replicates = {name: list(snakemake.input[name]) for name in params.sections}
    laws = Laws(params.sections, params.seed, params.readings, snakemake.input.ratings[0])
    evidence = ExtendedEvidence(params.sections, replicates, laws)
    cases = by_case(evidence)
    rows = check_all(evidence)
    table = comparison(cases, laws_by_policy(evidence))
    write_csv(cases, output.cases)
    write_csv(table, output.table)
    write_text(output.markdown, comparison_page(table))
    confirmed = [row["confirmed"] for row in rows]
    write_csv(claims_table(rows).assign(confirmed=confirmed), output.claims_csv)
    write_text(output.claims_json, to_json(rows))
    write_text(output.claims_markdown, page(rows))
    for row in rows:
        running.log.info("%s: %s", row["id"], row["verdict"])
