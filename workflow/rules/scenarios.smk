# What joins the scenarios of a set (config/scenarios.yaml), and the comparison of all policies.
CONFIRMING = ALL.folders(CONFIRM)
NEW = next(iter(CONFIRMING), "")
DECIDED = f"results/{FOLDER}{{name}}/claims/claims.json"


rule compare_verdicts:
    input:
        paper="results/claims/claims.json",
        scenarios=lambda w: expand(DECIDED, name=FILES.deciding(w.set)),
    output:
        "results/scenarios/{set}.csv",
    log:
        "results/logs/compare_verdicts/{set}.log",
    params:
        **stands_on("compare_verdicts"),
        scenarios=lambda w: FILES.deciding(w.set),
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
        **stands_on("compare_policies", "scenario"),
        sections=given(lambda w: sections(w.scenario, COMPARED)),
    message:
        "Compare all policies"
    script:
        "../scripts/compare_policies.py"


rule confirm_claims:
    input:
        unpack(lambda w: FILES.behind_confirmation()),
        ratings="results/movielens/rating_counts.csv",
    output:
        csv="results/scenarios/confirm.csv",
        json="results/scenarios/confirm.json",
        markdown="results/scenarios/confirm.md",
    log:
        "results/logs/confirm_claims.log",
    params:
        **stands_on("confirm_claims", CONFIRM),
        claims=lambda w: FILES.confirmed(),
        seeds=lambda w: [RUNS.config(f).seed for f in CONFIRMING],
        sections=given(lambda w: sections(NEW, ALL.keys()[NEW])),
    message:
        "Confirm our own claims on new bandits, all seeds together"
    script:
        "../scripts/confirm_claims.py"
