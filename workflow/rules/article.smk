# The article shows what a run has; of the targets beyond the default that it did not make, what is
# published in docs.
from penalized_bandits.figures import SHARP_FIGURES
from penalized_bandits.pages.material import DRAWN, TEXTS


rule write_article:
    input:
        claims="results/claims/claims.json",
        sensitivity="results/claims/sensitivity.csv",
        ratings="results/movielens/provenance.json",
        figures=[f"results/figures/{figure}.svg" for figure in DRAWN],
        captions=[f"results/figures/{figure}.md" for figure in DRAWN],
        sharp_figures=lambda w: [
            published_or(f"results/figures/{figure}.svg", f"docs/images/{figure}.png")(
                w
            )
            for figure in SHARP_FIGURES
        ],
        sharp_captions=lambda w: [
            published_or(f"results/figures/{figure}.md", f"docs/images/{figure}.md")(w)
            for figure in SHARP_FIGURES
        ],
        sharp=published_or("results/sharp/claims.json", "docs/published/sharp.json"),
        extended=published_or(
            "results/extended/claims.json", "docs/published/extended.json"
        ),
        comparison=published_or(
            "results/extended/comparison.csv", "docs/published/comparison.csv"
        ),
        seeds=lambda w: of_workflow("docs/verdicts_by_seed.csv"),
        citation=lambda w: of_workflow("CITATION.cff"),
        texts=lambda w: [of_workflow(f"workflow/article/{text}") for text in TEXTS],
    output:
        values="results/article.json",
        article="results/article.pdf",
    log:
        "results/logs/write_article.log",
    params:
        code=CODE.of("write_article", claims=CLAIMS),
    message:
        "Write the article"
    script:
        "../scripts/write_article.py"


rule article:
    """The article, results/article.pdf."""
    input:
        "results/article.pdf",
