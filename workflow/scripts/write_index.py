"""Write the reproduction page: figures and verdicts in one file."""

from pathlib import Path

from penalized_replication.workflow.job import job, sections_of
from penalized_bandits.common.files import write_text
from penalized_replication.figures.theory_crossover import save_preview
from penalized_replication.notebooks import NOTEBOOKS
from penalized_replication.pages.index import build_page
from penalized_replication.pages.material import Material, docs_from

files, params = snakemake.input, snakemake.params

with job(snakemake) as log:
    names = ("claims", "verdicts", "counts", "ratings", "results", "published")
    material = Material(
        snakemake.output.page,
        **{name: files[name] for name in names},
        code=params.code.removeprefix("code "),
        notebooks={NOTEBOOKS[Path(page).stem].title: page for page in files.notebooks},
        # Made in the same run, and no input: the page shows nothing of it.
        playground=Path(snakemake.output.page).with_name("playground.html").as_posix(),
        docs=docs_from(snakemake.output.page, params.docs),
    )
    origin = {name: params[name] for name in ("seed", "interpretations", "changes", "papers")}
    page = build_page(material, origin | {"sections": sections_of(params)}, params.address)
    write_text(material.page, page)
    for target in snakemake.output.preview:
        save_preview(material.folder, Path(target))
    log.info("%d kB", len(page.encode()) // 1000)
