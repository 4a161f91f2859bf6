"""Decide the claims on the sharp constants."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence, Laws
from penalized_bandits.claims.ledger import check, claims_table, to_json
from penalized_bandits.claims.reading import claims_pages, tally
from penalized_bandits.claims.sharp import SHARP_CLAIMS
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv

params, output = snakemake.params, snakemake.output

with job(snakemake) as running:
    replicates = {name: list(snakemake.input[name]) for name in params.sections}
    laws = Laws(params.sections, params.seed, params.readings, snakemake.input.ratings[0])
    evidence = ExtendedEvidence(params.sections, replicates, laws)
    rows = [check(name, evidence) for name in SHARP_CLAIMS]
    write_csv(claims_table(rows), output.csv)
    write_text(output.json, to_json(rows))
    lines = ["# The sharp constants", "", f"{tally(rows)}.", "", *claims_pages(rows)]
    write_text(output.markdown, "\n".join(lines))
    for row in rows:
        running.log.info("%s: %s", row["id"], row["verdict"])
