# The article shows what a run has; of the targets beyond the default that it did not make, what is
# published in docs.
from penalized_replication.pages.material import DRAWN, TEXTS
from penalized_replication.pages.proofs import PROVED


rule write_article:
    input:
        claims="results/claims/claims.json",
        readings=verdicts_of("readings"),
        ratings="results/movielens/provenance.json",
        figures=[f"results/figures/{figure}.svg" for figure in DRAWN],
        captions=[f"results/figures/{figure}.md" for figure in DRAWN],
        sharp_figures=of_sharp("svg", "png"),
        sharp_captions=of_sharp("md", "md"),
        sharp=published_or("scenarios/sharp/claims/claims.json", "published/sharp.json"),
        extended=published_or(
            "scenarios/extended/claims/claims.json", "published/extended.json"
        ),
        comparison=published_or(
            "scenarios/extended/comparison.csv", "published/comparison.csv"
        ),
        seeds=verdicts_of("seeds"),
        design=verdicts_of("design"),
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


rule article:
    """The article, results/article.pdf."""
    input:
        "results/article.pdf",
