"""Write the playground: simulator, theory and bandits in one page for a browser."""

from pathlib import Path

from penalized_replication.workflow.job import job
from penalized_bandits.common.files import write_text
from penalized_replication.config.files import read
from penalized_replication.config.scenarios import FOLDER, Scenarios
from penalized_replication.playground.page import build_playground

files = snakemake.input

with job(snakemake) as log:
    scenarios = Scenarios(read(Path(files.config)), Path(files.scenarios))
    config = scenarios.config()
    sharp = scenarios.config(f"{FOLDER}sharp/") if "sharp" in scenarios.names else config
    page = build_playground(config, sharp)
    write_text(snakemake.output[0], page)
    log.info("%d kB", len(page.encode()) // 1000)
