# The reproduction page: everything that was made, in one file that needs nothing else.


rule write_index:
    """Write the reproduction page: figures, verdicts and charts in one file (HTML)."""
    input:
        code=local(provenance.page_code()),
        sources=local(provenance.result_code(CONFIG)),
        config=lambda w: of_workflow("config/config.yaml"),
        claims="results/claims/claims.json",
        sensitivity="results/claims/sensitivity.csv",
        counts="results/movielens/rating_counts.csv",
        ratings="results/movielens/provenance.json",
        figures=[figure_files(figure) for figure in ALL_FIGURES],
        tables=[list(figure_tables(figure).values()) for figure in ALL_FIGURES],
        replicates=[replicate_files(experiment) for experiment in EXPERIMENTS],
        evidence=[f"results/theory/{study}.csv" for study in STUDIES],
        ledger=[
            "results/claims/claims.csv",
            "results/claims/claims.md",
            "results/claims/parts.csv",
        ],
        notebooks=[f"results/notebooks/{n.id}.html" for n in page_notebooks()],
    output:
        page="results/index.html",
        origin="results/index.origin.json",
    log:
        "results/logs/write_index.log",
    resources:
        mem_mb=usual_mb,
        runtime=usual_minutes,
    params:
        limits=VALUES["sensitivity"],
        notebooks=lambda w, input: {
            n.title: page for n, page in zip(page_notebooks(), input.notebooks)
        },
        # Snakemake's own report, where the same run makes it before this page.
        report=None,
        origin=page_origin(),
    script:
        "../scripts/write_index.py"


rule pages:
    """The reproduction page, results/index.html, and all that it shows and links to."""
    input:
        "results/index.html",
