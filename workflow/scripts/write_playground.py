"""Write the playground: simulator, theory and bandits in one page for a browser."""

from pathlib import Path

from penalized_bandits.workflow.job import job
from penalized_bandits.common.files import write_text
from penalized_bandits.config.files import read
from penalized_bandits.config.scenarios import FOLDER, Scenarios
from penalized_bandits.playground.page import build_playground
from penalized_bandits.playground.scripts import engine_source

files = snakemake.input

with job(snakemake) as log:
    scenarios = Scenarios(read(Path(files.config)), Path(files.scenarios))
    config = scenarios.config()
    sharp = scenarios.config(f"{FOLDER}sharp/") if "sharp" in scenarios.names else config
    page = build_playground(config, sharp, engine_source())
    write_text(snakemake.output[0], page)
    log.info("%d kB", len(page.encode()) // 1000)
