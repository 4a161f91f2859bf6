"""Write the record of a run, with the workflow's main file and all values of the config."""

import json
import shutil
from pathlib import Path

from penalized_bandits.workflow.job import job
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.record import record

files, params = snakemake.output, snakemake.params

with job(snakemake) as running:
    shutil.copyfile(snakemake.input.snakefile, files.workflow)
    write_text(files.config, json.dumps(params.config, indent=1, ensure_ascii=False) + "\n")
    made = [Path(path) for path in snakemake.input.made]
    folder = Path(files.record).parent
    written = record(folder, made, Path(files.workflow), Path(files.config), params.values)
    write_text(files.record, written)
    running.log.info("%d files of the run are recorded", len(made))
