"""Put what the confirmation came to together: a table, the same as JSON, and for reading."""

import json
from pathlib import Path

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.ledger import claims_table
from penalized_bandits.claims.ledger.reading import claims_tables
from penalized_bandits.claims.measured import to_json
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv

output = snakemake.output

with job(snakemake) as log:
    rows = [row for path in snakemake.input for row in json.loads(Path(path).read_bytes())]
    by_seed = [row["by_seed"] for row in rows]
    write_csv(claims_table(rows).assign(by_seed=by_seed), output.csv)
    write_text(output.json, to_json(rows))
    lines = ["# Claims beyond the paper, on new seeds and bandits", "", *claims_tables(rows)]
    write_text(output.markdown, "\n".join(lines))
    log.info("%d claims", len(rows))
