"""Write the article, and all that it says of results."""

import json

from penalized_replication.workflow.job import job
from penalized_bandits.common.files import whole_file, write_text
from penalized_research.article import gather, typeset

files, output = snakemake.input, snakemake.output

with job(snakemake) as log:
    figures = [f for f in (*files.figures, *files.sharp_figures) if not f.endswith(".md")]
    sources = {**dict(files.items()), "figures": figures}
    values = gather(sources)
    write_text(output.values, json.dumps(values, indent=1, ensure_ascii=False) + "\n")
    with whole_file(output.article) as file:
        file.write_bytes(typeset(values, sources))
    log.info("%d claims", len(values["claims"]))
