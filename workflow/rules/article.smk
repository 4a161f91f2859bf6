# The article shows what the default target makes; of the other targets what docs has published.
from penalized_replication.pages.material import DRAWN, FIRST, PROVED, TEXTS

TABLES = ("readings", "seeds", "design", "comparison")


rule article:
    """The article, results/article.pdf."""
    input:
        **{table: of_workflow(f"docs/published/{table}.csv") for table in TABLES},
        claims="results/claims/claims.json",
        ratings="results/movielens/provenance.json",
        figures=expand("results/figures/{figure}.{suffix}", figure=DRAWN, suffix=["svg", "md"]),
        first=f"results/figures/{FIRST}_column.svg",
        extended=of_workflow("docs/published/extended.json"),
        sharp=of_workflow("docs/published/sharp.json"),
        sharp_figures=of_workflow(*expand("docs/images/{f}.{s}", f=SHARP_FIGURES, s=["png", "md"])),
        citation=of_workflow("CITATION.cff"),
        proofs=of_workflow(*[f"docs/pages/theory/{page}.md" for page in PROVED]),
        texts=of_workflow(*[f"workflow/article/{text}" for text in TEXTS]),
        code=code("write_article", claims=lambda w: CLAIMS, experiments=lambda w: EXPERIMENTS),
    output:
        values="results/article.json",
        article="results/article.pdf",
    log:
        "results/logs/write_article.log",
    params:
        code=hash_of("write_article"),
    message:
        "Write the article"
    script:
        "../scripts/write_article.py"
