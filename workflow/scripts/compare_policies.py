"""Compare all policies beyond the paper, and decide our own claims."""

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.claims.ledger import claims_table, to_json
from penalized_bandits.extensions.comparison import Laws, by_case, comparison
from penalized_bandits.extensions.evidence import ExtendedEvidence
from penalized_bandits.extensions.ledger import check_all, comparison_page, laws_by_policy, page
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log
from penalized_bandits.origins import write_origin
from penalized_bandits.summaries import write_csv

params, output = snakemake.params, snakemake.output

with job_log(snakemake.log[0]) as log:
    replicates = {name: list(snakemake.input[name]) for name in params.sections}
    laws = Laws(params.sections, params.seed, params.readings, snakemake.input.ratings[0])
    evidence = ExtendedEvidence(params.sections, replicates, params.parts, laws)
    cases = by_case(evidence, laws)
    rows = check_all(evidence)
    table = comparison(cases, laws_by_policy(evidence))
    write_csv(cases, output.cases)
    write_csv(table, output.table)
    write_text(output.markdown, comparison_page(table))
    write_csv(claims_table(rows), output.claims_csv)
    write_text(output.claims_json, to_json(rows))
    write_text(output.claims_markdown, page(rows))
    inputs = [path for paths in replicates.values() for path in paths]
    files = (
        [output.table, output.markdown],
        [output.cases],
        [output.claims_csv, output.claims_json, output.claims_markdown],
    )
    for origin, made in zip(output.origins, files, strict=True):
        write_origin(origin, params.origin, made, inputs)
    for row in rows:
        log.info("%s: %s", row["id"], row["verdict"])
