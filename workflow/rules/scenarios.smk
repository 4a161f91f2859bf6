# What joins the scenarios of a set (config/scenarios.yaml), and the comparison of all policies.
CONFIRMING = ALL.folders(CONFIRM)


rule compare_verdicts:
    input:
        paper="results/claims/claims.json",
        scenarios=lambda w: [
            f"results/{f}claims/claims.json" for f in ALL.folders(w.set)
        ],
    output:
        "results/scenarios/{set}.csv",
    log:
        "results/logs/compare_verdicts/{set}.log",
    params:
        **stands_on("compare_verdicts"),
        scenarios=lambda w: {name: ALL.changes(name) for name in ALL.sets[w.set]},
    message:
        "Set the verdicts of {wildcards.set} beside the paper's"
    script:
        "../scripts/compare_verdicts.py"


rule compare_policies:
    input:
        unpack(lambda w: {e: FILES.replicates(e, folder=w.scenario) for e in COMPARED}),
    output:
        table="results/{scenario}comparison.csv",
        markdown="results/{scenario}comparison.md",
        cases="results/{scenario}comparison_by_case.csv",
    log:
        "results/{scenario}logs/compare_policies.log",
    params:
        **stands_on("compare_policies", experiments=COMPARED),
        sections=given(lambda w: sections(w.scenario, COMPARED)),
    message:
        "Compare all policies"
    script:
        "../scripts/compare_policies.py"


rule confirm_claim:
    input:
        unpack(
            lambda w: {
                f"{e}_{i}": FILES.replicates(e, folder=folder)
                for e in CLAIMS[w.claim].experiments
                for i, folder in enumerate(CONFIRMING)
            }
        ),
        ratings="results/movielens/rating_counts.csv",
    output:
        "results/scenarios/confirm/{claim}.json",
    log:
        "results/logs/confirm_claim/{claim}.log",
    params:
        **stands_on("confirm_claim", "claim"),
        seeds=lambda w: [RUNS.config(f).seed for f in CONFIRMING],
        sections=given(
            lambda w: sections(CONFIRMING[0], FILES.confirmed_on(CONFIRMING[0]))
        ),
    message:
        "Confirm {wildcards.claim}"
    script:
        "../scripts/confirm_claim.py"


rule write_confirmation:
    input:
        lambda w: expand(
            "results/scenarios/confirm/{claim}.json", claim=FILES.confirmed()
        ),
    output:
        csv="results/scenarios/confirm.csv",
        json="results/scenarios/confirm.json",
        markdown="results/scenarios/confirm.md",
    log:
        "results/logs/write_confirmation.log",
    params:
        **stands_on("write_confirmation"),
    message:
        "Write the ledger of the confirmation"
    script:
        "../scripts/write_confirmation.py"
