"""Write the reproduction page: figures, verdicts and charts in one file."""

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log
from penalized_bandits.origins import write_origin
from penalized_bandits.pages.index import build_page
from penalized_bandits.pages.material import Material

files, params = snakemake.input, snakemake.params

with job_log(snakemake.log[0]) as log:
    material = Material(
        page=snakemake.output.page,
        claims=files.claims,
        sensitivity=files.sensitivity,
        counts=files.counts,
        ratings=files.ratings,
        config=files.config,
        figures=list(files.figures),
        tables=list(files.tables),
        replicates=list(files.replicates),
        sources=list(files.sources),
        limits=params.limits,
        ledger=list(files.ledger),
        evidence=list(files.evidence),
        notebooks=params.notebooks,
        report=params.report,
    )
    page = build_page(material)
    write_text(material.page, page)
    read = [*files.figures, *files.tables, *files.replicates, *files.evidence, *files.ledger]
    read += [files.claims, files.sensitivity, files.counts]
    write_origin(snakemake.output.origin, params.origin, [material.page], read)
    log.info("%d kB", len(page.encode()) // 1000)
