"""Write the ledger of claims: as tables, as JSON, and for reading."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.ledger.tables import claims_table, parts_table, to_markdown
from penalized_bandits.claims.ledger.tell import tell
from penalized_bandits.claims.results import read_results, to_json
from penalized_bandits.config import parse_config
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv
from penalized_bandits.workflow.captions import name_of

files, output = snakemake.input, snakemake.output

with job(snakemake) as log:
    config = name_of(parse_config(snakemake.config), files.config)
    results = [tell(result, config) for result in read_results(files.verdicts)]
    write_csv(claims_table(results), output.csv)
    write_csv(parts_table(results), output.parts)
    write_text(output.json, to_json(results))
    write_text(output.markdown, to_markdown(results))
    log.info("%d claims", len(results))
