# The article shows what a run has; of the targets beyond the default that it did not make, what is
# published in docs.
from penalized_replication.pages.material import DRAWN, FIRST, PROVED, TEXTS


rule article:
    """The article, results/article.pdf."""
    input:
        **{name: verdicts_of(name) for name in ("readings", "seeds", "design")},
        claims="results/claims/claims.json",
        ratings="results/movielens/provenance.json",
        figures=[f"results/figures/{figure}.svg" for figure in DRAWN],
        first=f"results/figures/{FIRST}_column.svg",
        captions=[f"results/figures/{figure}.md" for figure in DRAWN],
        sharp_figures=of_sharp("svg", "png"),
        sharp_captions=of_sharp("md", "md"),
        sharp=published_or(f"{SHARP}/claims/claims.json", "published/sharp.json"),
        extended=published_or(f"{BEYOND}/claims/claims.json", "published/extended.json"),
        comparison=published_or(f"{BEYOND}/comparison.csv", "published/comparison.csv"),
        citation=lambda w: of_workflow("CITATION.cff"),
        proofs=lambda w: [of_workflow(f"docs/pages/theory/{x}.md") for x in PROVED],
        texts=lambda w: [of_workflow(f"workflow/article/{text}") for text in TEXTS],
    output:
        values="results/article.json",
        article="results/article.pdf",
    log:
        "results/logs/write_article.log",
    params:
        **stands_on("write_article", claims=CLAIMS, experiments=EXPERIMENTS),
    message:
        "Write the article"
    script:
        "../scripts/write_article.py"
