"""Decide the claims on the sharp constants."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims import SHARP_CLAIMS
from penalized_bandits.claims.deciding import decide, measure
from penalized_bandits.claims.extended.evidence import ExtendedEvidence, Laws
from penalized_bandits.claims.ledger.tables import claims_table, claims_tables, tally
from penalized_bandits.claims.ledger.tell import tell
from penalized_bandits.claims.results import to_json
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv

files, output, config = snakemake.input, snakemake.output, snakemake.params.config

with job(snakemake) as log:
    sections = config["sections"]
    laws = Laws(**config, counts=files.ratings)
    evidence = ExtendedEvidence(sections, {name: list(files[name]) for name in sections}, laws)
    results = [tell(decide(measure(name, evidence))) for name in SHARP_CLAIMS]
    write_csv(claims_table(results), output.csv)
    write_text(output.json, to_json(results))
    lines = ["# The sharp constants", "", f"{tally(results)}.", "", *claims_tables(results)]
    write_text(output.markdown, "\n".join(lines))
    for result in results:
        log.info("%s: %s", result.id, result.verdict)
