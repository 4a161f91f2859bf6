"""Decide claims again with each reading flipped."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims import experiments_of, switches
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import to_json
from penalized_bandits.claims.sensitivity import Repeats, check_reading, share_of
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.origins import read_json, write_origin
from penalized_bandits.workflow.progress import Progress

params, files, output = snakemake.params, snakemake.input, snakemake.output
readings = switches.readings()

with job(snakemake) as running:
    name = "/".join([snakemake.rule, *snakemake.wildcards])
    progress = Progress(len(readings), running.log, name, "readings")
    usual = {name: list(files[f"default_{name}"]) for name in params.sections}
    few = Evidence(params.sections, usual, params.replicates)
    shares = {
        name: share_of(params.replicates[name], section["replicates"])
        for name, section in params.sections.items()
    }
    ledgers = {t: read_json(file) for t, file in zip(params.topics, files.ledger, strict=True)}
    default, rows = Repeats(few), {topic: [] for topic in params.topics}
    for reading in readings:
        names = switches.touched(reading, params.sections)
        changed = few.with_flipped(dict(zip(names, files[f"flipped_{reading}"], strict=True)))
        for topic, ledger in ledgers.items():
            rows[topic] += check_reading(reading, ledger, default, changed, shares)
        progress(1)
    for topic, table, target, made_with in zip(
        params.topics, output.rows, output.origins, params.made_of, strict=True
    ):
        write_text(table, to_json(rows[topic]))
        behind = [path for name in experiments_of(topic) for path in usual[name]]
        write_origin(target, made_with, [table], behind)
        running.log.info("%s: %d verdicts with a reading flipped", topic, len(rows[topic]))
