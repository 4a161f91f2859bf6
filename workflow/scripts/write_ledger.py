"""Put all claims together: a table, the same as JSON, and pages for reading."""

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.claims.ledger import (
    claims_table,
    parts_table,
    read_rows,
    to_json,
    to_markdown,
)
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log
from penalized_bandits.origins import write_origin
from penalized_bandits.summaries import write_csv

output = snakemake.output

with job_log(snakemake.log[0]) as log:
    config = snakemake.params.config
    rows = [{**row, "config": config} for row in read_rows(snakemake.input.topics)]
    write_csv(claims_table(rows).assign(config=config), output.csv)
    write_csv(parts_table(rows), output.parts)
    write_text(output.json, to_json(rows))
    write_text(output.markdown, to_markdown(rows))
    origin, inputs = snakemake.params.origin, snakemake.input.topics
    forms = [output.csv, output.json, output.markdown]
    write_origin(output.origin, origin, forms, inputs)
    write_origin(output.parts_origin, origin, [output.parts], inputs)
    log.info("%d claims", len(rows))
