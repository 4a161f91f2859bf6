"""Write the reproduction page: figures and verdicts in one file."""

from dataclasses import fields
from pathlib import Path

from penalized_replication.workflow.job import job
from penalized_bandits.common.files import write_text
from penalized_replication.config.params import sections_of
from penalized_replication.figures import ALL_FIGURES, tables_of
from penalized_replication.figures.theory_crossover import save_preview
from penalized_replication.notebooks import NOTEBOOKS
from penalized_replication.pages.index import build_page
from penalized_replication.pages.material import FIRST, Material, docs_from
from penalized_replication.pages.origin import origin_of

files, params = snakemake.input, snakemake.params

with job(snakemake) as log:
    # The rule's inputs have the names that the page knows them by.
    given = {
        "page": snakemake.output.page,
        **dict(files.items()),
        "code": params.code.removeprefix("code "),
    }
    given["notebooks"] = {NOTEBOOKS[Path(page).stem].title: page for page in files.notebooks}
    # Made in the same run, and no input: the page shows nothing of it.
    given["playground"] = Path(snakemake.output.page).with_name("playground.html").as_posix()
    given["docs"] = docs_from(snakemake.output.page, params.docs)
    material = Material(**{f.name: given[f.name] for f in fields(Material) if f.name in given})
    sections = sections_of(params)
    origin = origin_of(params.seed, params.readings, sections, params.changes, params.papers)
    page = build_page(material, origin, sections, params.address)
    write_text(material.page, page)
    for target in snakemake.output.preview:
        paths = tables_of(ALL_FIGURES[FIRST]).items()
        tables = {n: t for n, path in paths for t in files.results if t.endswith(path)}
        save_preview(tables, Path(target))
    log.info("%d kB", len(page.encode()) // 1000)
