"""Decide the claims on the sharp constants."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence, Laws
from penalized_bandits.claims.ledger import check, claims_table
from penalized_bandits.claims.ledger.reading import claims_tables, tally
from penalized_bandits.claims.measured import to_json
from penalized_bandits.claims.sharp import SHARP_CLAIMS
from penalized_bandits.config import parse_config
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv
from penalized_bandits.workflow.runs import readings_of, sections_of

files, output = snakemake.input, snakemake.output

with job(snakemake) as log:
    config = parse_config(snakemake.config)
    sections = sections_of(config, config.sharp_studies)
    laws = Laws(sections, config.seed, readings_of(config, sections), files.ratings)
    evidence = ExtendedEvidence(sections, {name: list(files[name]) for name in sections}, laws)
    rows = [check(name, evidence) for name in SHARP_CLAIMS]
    write_csv(claims_table(rows), output.csv)
    write_text(output.json, to_json(rows))
    lines = ["# The sharp constants", "", f"{tally(rows)}.", "", *claims_tables(rows)]
    write_text(output.markdown, "\n".join(lines))
    for row in rows:
        log.info("%s: %s", row["id"], row["verdict"])
