# What is read as a whole: the reproduction page, the playground, Snakemake's report, the checksums.

# Pages of the documentation to which the reproduction page links, where they are.
DOCS = {
    "Documentation": "docs/pages/index.md",
    "How verdicts are reached": "docs/pages/background/verdicts.md",
    "Theory, with proofs": "docs/pages/theory/index.md",
    "All policies compared": "docs/extended.md",
    "Sharp constants up to T = 10⁸": "docs/sharp.md",
    "Glossary": "docs/pages/glossary.md",
}


rule write_index:
    """Write the reproduction page: figures, verdicts and charts in one file (HTML)."""
    input:
        config=lambda w: of_workflow("config/config.yaml"),
        claims="results/claims/claims.json",
        sensitivity="results/claims/sensitivity.csv",
        counts="results/movielens/rating_counts.csv",
        ratings="results/movielens/provenance.json",
        figures=[figure_files(figure) for figure in ALL_FIGURES],
        tables=[list(figure_tables(figure).values()) for figure in ALL_FIGURES],
        replicates=FILES.replicates(*EXPERIMENTS),
        evidence=[f"results/summaries/{study}.csv" for study in STUDIES],
        ledger=[
            "results/claims/claims.csv",
            "results/claims/claims.md",
            "results/claims/parts.csv",
        ],
        linked=[f"results/notebooks/{n}.html" for n in FILES.notebooks()],
    output:
        page="results/index.html",
        origin="results/index.origin.json",
    log:
        "results/logs/write_index.log",
    resources:
        **asks(),
    params:
        limits=VALUES["sensitivity"],
        code=lambda w: MADE.code(),
        notebooks=lambda w, input: {
            NOTEBOOKS[n].title: page
            for n, page in zip(FILES.notebooks(), input.linked)
        },
        # Linked, and no input: the page shows nothing of it.
        playground="results/playground.html",
        # Not of the default target: linked if it is there.
        article=lambda w: (
            "results/article.pdf" if (RESULTS / "article.pdf").is_file() else None
        ),
        docs=lambda w: {
            title: str(of_workflow(path))
            for title, path in DOCS.items()
            if (HOME / path).is_file()
        },
        made_with=lambda w: MADE.page(),
    script:
        "../scripts/write_index.py"


rule pages:
    """The reproduction page, results/index.html, and all that it shows and links to."""
    input:
        "results/index.html",
        "results/playground.html",


rule playground:
    """The playground, results/playground.html: every policy live in a browser."""
    input:
        config=lambda w: of_workflow("config/config.yaml"),
        sharp=lambda w: of_workflow("config/sharp.yaml"),
    output:
        page="results/playground.html",
        origin="results/playground.origin.json",
    log:
        "results/logs/playground.log",
    resources:
        **asks(),
    params:
        bandits=lambda w, input: [digest_of(input.config), digest_of(input.sharp)],
        made_with=lambda w: MADE.playground(),
    script:
        "../scripts/write_playground.py"


rule write_checksums:
    """Write the checksums of all that comes out the same anywhere, all files checked."""
    input:
        same=FILES.same(),
        kept=FILES.kept(),
        origins=origins_of([*FILES.same(), *FILES.kept()]),
    output:
        "results/checksums.txt",
    log:
        "results/logs/write_checksums.log",
    resources:
        **asks(),
    params:
        expected=lambda w: expected_hashes(MADE, RESULTS),
    script:
        "../scripts/write_checksums.py"
