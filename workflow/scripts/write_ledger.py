"""Put all claims together: a table, the same as JSON, and pages for reading."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.ledger import (
    claims_table,
    parts_table,
    read_rows,
    to_json,
)
from penalized_bandits.claims.reading import to_markdown
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv

output, config = snakemake.output, snakemake.params.config

with job(snakemake) as running:
    rows = [{**row, "config": config} for row in read_rows(snakemake.input.topics)]
    write_csv(claims_table(rows).assign(config=config), output.csv)
    write_csv(parts_table(rows), output.parts)
    write_text(output.json, to_json(rows))
    write_text(output.markdown, to_markdown(rows))
    running.log.info("%d claims", len(rows))
