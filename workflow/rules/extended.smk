# Beyond the paper: all policies compared, and what we claim of them.  It stands on the section
# `extended` of the config (config/extended.yaml).


rule compare_policies:
    """Compare all policies: regret, distance to the frontier, law, bound: one row each."""
    input:
        unpack(lambda w: {e: FILES.replicates(e) for e in CONFIG.extensions}),
        ratings=["results/extended/rating_counts.csv"],
    output:
        table="results/extended/comparison.csv",
        markdown="results/extended/comparison.md",
        cases="results/extended/comparison_by_case.csv",
        claims_csv="results/extended/claims.csv",
        claims_json="results/extended/claims.json",
        claims_markdown="results/extended/claims.md",
        origins=[
            "results/extended/comparison.origin.json",
            "results/extended/comparison_by_case.origin.json",
            "results/extended/claims.origin.json",
        ],
    log:
        "results/logs/compare_policies.log",
    resources:
        **asks(lambda w: PLAN.claims(CONFIG.extensions)),
    params:
        seed=CONFIG.seed,
        readings=lambda w: {e: MADE.readings(e) for e in CONFIG.extensions},
        sections=lambda w: {e: MADE.section(e) for e in CONFIG.extensions},
        made_with=lambda w: MADE.comparison(),
    script:
        "../scripts/compare_policies.py"
