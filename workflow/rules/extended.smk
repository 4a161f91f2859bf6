# Extended results, on sections of their own (config/extended.yaml, sharp.yaml, confirm.yaml).
EXPLORED = {"claims": EXTENDED_CLAIMS, "experiments": CONFIG.extensions}
SHARP = {"claims": SHARP_CLAIMS, "experiments": CONFIG.sharp_studies}


rule compare_policies:
    input:
        unpack(lambda w: {e: FILES.replicates(e) for e in CONFIG.extensions}),
        ratings="results/extended/rating_counts.csv",
    output:
        table="results/extended/comparison.csv",
        markdown="results/extended/comparison.md",
        cases="results/extended/comparison_by_case.csv",
        claims_csv="results/extended/claims.csv",
        claims_json="results/extended/claims.json",
        claims_markdown="results/extended/claims.md",
    log:
        "results/logs/compare_policies.log",
    params:
        **stands_on("compare_policies", **EXPLORED),
        config=given(lambda w: settings(CONFIG, CONFIG.extensions)),
    message:
        "Compare all policies"
    script:
        "../scripts/compare_policies.py"


rule check_sharp:
    input:
        unpack(lambda w: {e: FILES.replicates(e) for e in CONFIG.sharp_studies}),
        ratings="results/sharp/rating_counts.csv",
    output:
        csv="results/sharp/claims.csv",
        json="results/sharp/claims.json",
        markdown="results/sharp/claims.md",
    log:
        "results/logs/check_sharp.log",
    params:
        **stands_on("check_sharp", **SHARP),
        config=given(lambda w: settings(CONFIG, CONFIG.sharp_studies)),
    message:
        "Decide the claims on the sharp constants"
    script:
        "../scripts/check_sharp.py"


rule confirm_claim:
    input:
        replicates=lambda w: new_bandits(
            CONFIG.seeds, EXTENDED_CLAIMS[w.extended_claim].experiments
        ),
        ratings="results/confirmation/rating_counts.csv",
    output:
        "results/confirmation/{extended_claim}.json",
    log:
        "results/logs/confirmation/{extended_claim}.log",
    params:
        **stands_on("confirm_claim", **EXPLORED),
        config=given(lambda w: settings(CONFIG, CONFIG.extensions)),
        seeds=CONFIG.seeds,
    message:
        "Confirm {wildcards.extended_claim}"
    script:
        "../scripts/confirm_claim.py"


rule write_confirmation:
    input:
        expand("results/confirmation/{claim}.json", claim=entries_on(CONFIG.extensions)),
    output:
        csv="results/confirmation/claims.csv",
        json="results/confirmation/claims.json",
        markdown="results/confirmation/claims.md",
    log:
        "results/logs/confirmation/claims.log",
    params:
        **stands_on("write_confirmation"),
    message:
        "Write the ledger of the confirmation"
    script:
        "../scripts/write_confirmation.py"
