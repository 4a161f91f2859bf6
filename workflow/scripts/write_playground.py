"""Write the playground: simulator, theory and bandits in one page for a browser."""

from penalized_replication.workflow.job import job
from penalized_bandits.common.files import write_text
from penalized_replication.config.model import parse_config
from penalized_replication.playground import PRESENTED
from penalized_replication.playground.page import build_playground

params = snakemake.params

with job(snakemake) as log:
    given = {name: params[name] for name in ("seed", "readings", *PRESENTED) if params[name]}
    page = build_playground(parse_config(given))
    write_text(snakemake.output[0], page)
    log.info("%d kB", len(page.encode()) // 1000)
