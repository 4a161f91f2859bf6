"""Put all claims together: a table, the same as JSON, and pages for reading."""

from penalized_bandits.claims.ledger import (
    claims_table,
    parts_table,
    read_rows,
    to_json,
    to_markdown,
)
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log
from penalized_bandits.summaries import write_csv

output = snakemake.output

with job_log(snakemake.log[0]) as log:
    rows = read_rows(snakemake.input.topics)
    write_csv(claims_table(rows), output.csv)
    write_csv(parts_table(rows), output.parts)
    write_text(output.json, to_json(rows))
    write_text(output.markdown, to_markdown(rows))
    log.info("%d claims", len(rows))
