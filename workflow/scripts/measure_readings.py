"""Measure the claims of a topic under each alternative reading."""

from penalized_bandits.workflow.job import Progress, job
from penalized_bandits.claims import alternatives
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.results import read_results, to_json
from penalized_bandits.claims.sensitivity import Repeats, measure_reading
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.replicates import read_replicates

topic, files, params = snakemake.wildcards.topic, snakemake.input, snakemake.params
readings = alternatives.readings()

with job(snakemake) as log:
    sections, few = params.sections, params.few
    usual = Evidence(sections, {name: list(files[f"default_{name}"]) for name in sections}, few)
    shares = {name: min(few[name] / sections[name]["replicates"], 1.0) for name in sections}
    measured, default, results = read_results(files.measured), Repeats(usual), []
    tables = {name: files.get(f"flipped_{name}") for name in sections}
    alternative = {name: list(read_replicates([table])) for name, table in tables.items() if table}
    progress = Progress(len(readings), log, f"measure_readings/{topic}", "readings")
    for reading in readings:
        names = alternatives.affected(reading, sections)
        changed = usual.with_alternative(
            {name: [one for one in alternative[name] if one.reading == reading] for name in names}
        )
        results += measure_reading(reading, measured, default, changed, shares)
        progress(1)
    write_text(snakemake.output[0], to_json(results))
    log.info("%s: %d claims by reading", topic, len(results))
