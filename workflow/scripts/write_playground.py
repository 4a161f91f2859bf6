"""Write the playground: simulator, theory and bandits in one page for a browser."""

from penalized_replication.workflow.job import job
from penalized_bandits.common.files import write_text
from penalized_replication.config.model import parse_config
from penalized_replication.playground.page import build_playground

with job(snakemake) as log:
    given = {name: value for name, value in snakemake.params.items() if value and name != "code"}
    page = build_playground(parse_config(given))
    write_text(snakemake.output[0], page)
    log.info("%d kB", len(page.encode()) // 1000)
