"""Write the ledger: a table, its parts, the same as JSON, and a page for reading."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.ledger import claims_table, parts_table, told
from penalized_bandits.claims.ledger.reading import to_markdown
from penalized_bandits.claims.measured import to_json
from penalized_bandits.config import parse_config
from penalized_bandits.storage.files import read_json, write_text
from penalized_bandits.storage.summaries import write_csv
from penalized_bandits.workflow.captions import name_of

files, output = snakemake.input, snakemake.output

with job(snakemake) as log:
    config = name_of(parse_config(snakemake.config), files.config)
    rows = [{**told(row), "config": config} for row in read_json(files.verdicts)]
    write_csv(claims_table(rows).assign(config=config), output.csv)
    write_csv(parts_table(rows), output.parts)
    write_text(output.json, to_json(rows))
    write_text(output.markdown, to_markdown(rows))
    log.info("%d claims", len(rows))
