"""Write the reproduction page: figures, verdicts and charts in one file."""

from penalized_bandits.workflow.job import job
from penalized_bandits.pages.index import build_page
from penalized_bandits.pages.material import Material
from penalized_bandits.storage.files import write_text

files, params = snakemake.input, snakemake.params

with job(snakemake) as running:
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
        code=params.code,
        limits=params.limits,
        ledger=list(files.ledger),
        evidence=list(files.evidence),
        notebooks=params.notebooks,
        report=params.report,
        article=params.article,
        playground=params.playground,
        docs=params.docs,
    )
    page = build_page(material)
    write_text(material.page, page)
    running.log.info("%d kB", len(page.encode()) // 1000)
