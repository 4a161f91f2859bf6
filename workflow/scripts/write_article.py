"""Write the article and the poster, and all that they say of results."""

import json

from penalized_bandits.workflow.job import job
from penalized_bandits.pages.article import Sources, gather, typeset
from penalized_bandits.storage.files import whole_file, write_text

files, output = snakemake.input, snakemake.output

with job(snakemake) as running:
    sources = Sources(
        claims=files.claims,
        sensitivity=files.sensitivity,
        ratings=files.ratings,
        figures=[*files.figures, files.constants],
        extended=files.extended,
        comparison=files.comparison,
        sharp=files.sharp,
        confirmation=files.confirmation,
        seeds=files.seeds,
        citation=files.citation,
        texts=list(files.texts),
    )
    values = gather(sources)
    write_text(output.values, json.dumps(values, indent=1, ensure_ascii=False) + "\n")
    for name in ("article", "poster"):
        with whole_file(output[name]) as file:
            file.write_bytes(typeset(values, sources, name))
    running.log.info("%d claims", len(values["claims"]))
