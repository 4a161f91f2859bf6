"""Measure the claims of a topic, as they are and with each reading flipped."""

import json

from penalized_bandits.workflow.job import Progress, job
from penalized_bandits.claims import experiments_of, switches
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measured import measure_topic, to_json
from penalized_bandits.claims.sensitivity import Repeats, measure_reading, share_of
from penalized_bandits.config import parse_config
from penalized_bandits.storage.files import write_text
from penalized_bandits.workflow.runs import sections_of

topic, files, output = snakemake.wildcards.topic, snakemake.input, snakemake.output
readings = switches.readings()

with job(snakemake) as log:
    config = parse_config(snakemake.config)
    sections = sections_of(config, experiments_of(topic))
    tables = {name: list(files[name]) for name in sections}
    progress = Progress(1 + len(readings), log, topic, "readings")
    measured = to_json(measure_topic(topic, Evidence(sections, tables)))
    progress(1)
    # Flipped, on fewer replicates.
    few = {name: config.sensitivity.of(name) for name in sections}
    shares = {name: share_of(few[name], sections[name]["replicates"]) for name in sections}
    usual, again = Evidence(sections, tables, few), []
    default = Repeats(usual)
    for reading in readings:
        names = switches.touched(reading, sections)
        changed = usual.with_flipped(dict(zip(names, files[f"flipped_{reading}"], strict=True)))
        again += measure_reading(reading, json.loads(measured), default, changed, shares)
        progress(1)
    write_text(output.measured, measured)
    write_text(output.again, to_json(again))
    log.info("%s: %d claims", topic, len(json.loads(measured)))
