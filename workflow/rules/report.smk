# Snakemake's own report of a run: figures with captions, claims, statistics.


rule write_claims_page:
    """Write the ledger of claims as a page of its own (HTML)."""
    input:
        code=local(provenance.page_code()),
        claims="results/claims/claims.json",
        sensitivity="results/claims/sensitivity.csv",
        evidence=[
            *(f"results/summaries/{setting}.csv" for setting in SETTINGS),
            *(f"results/theory/{study}.csv" for study in STUDIES),
        ],
    output:
        page=report(
            "results/claims/claims.html",
            caption="../report/claims.rst",
            category="Claims",
            labels={"what": "Claims and verdicts"},
        ),
        origin="results/claims/claims.html.origin.json",
    log:
        "results/logs/write_claims_page.log",
    resources:
        mem_mb=usual_mb,
        runtime=usual_minutes,
    params:
        warning=lambda w: ledger_warning(),
        replicates={name: CONFIG.section(name).replicates for name in EXPERIMENTS},
        origin=ledger_origin(
            [*provenance.page_code(), *provenance.summary_code()],
            all_flips(),
            sensitivity=VALUES["sensitivity"],
        ),
    script:
        "../scripts/write_claims_page.py"


rule report:
    """Snakemake's report, results/report.html: the claims, every figure with its caption."""
    input:
        rules.all.input,
        "results/claims/claims.html",
        # Functions, so that braces in a folder's name are not taken for wildcards.
        texts=lambda w: [
            of_workflow(f"workflow/report/{name}.rst")
            for name in ("workflow", "figure", "claims")
        ],
    output:
        "results/report.html",
    log:
        "results/logs/report.log",
    resources:
        mem_mb=usual_mb,
        runtime=usual_minutes,
    params:
        # Those of the run: where this is a module they are not its own.
        snakefile=lambda w: workflow.main_snakefile,
        config=lambda w: workflow.config,
    script:
        "../scripts/write_report.py"
