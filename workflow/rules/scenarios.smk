# What joins the scenarios of a set (config/scenarios.yaml), and the comparison of all policies.
confirming = ALL.folders(CONFIRM)
first = next(iter(confirming), "")
compared, confirmed = lambda w: COMPARED, lambda w: ALL.keys()[first]
own = lambda w: FILES.confirmed()
policies = lambda w: {p for e in confirmed(w) for p in RUNS.run(first, e).section.policies}


rule compare_verdicts:
    input:
        paper="results/claims/claims.json",
        scenarios=lambda w: [
            f"results/scenarios/{n}/claims/claims.json" for n in FILES.deciding(w.set)
        ],
        code=code("compare_verdicts"),
    output:
        "results/scenarios/{set}.csv",
    log:
        "results/logs/compare_verdicts/{set}.log",
    params:
        code=hash_of("compare_verdicts"),
        scenarios=lambda w: FILES.deciding(w.set),
    message:
        "Set the verdicts of {wildcards.set} beside the paper's"
    script:
        "../scripts/compare_verdicts.py"


rule compare_policies:
    input:
        unpack(lambda w: {e: FILES.replicates(e, folder=w.scenario) for e in COMPARED}),
        code=code("compare_policies", experiments=compared),
    output:
        table="results/{scenario}comparison.csv",
        markdown="results/{scenario}comparison.md",
        cases="results/{scenario}comparison_by_case.csv",
    log:
        "results/{scenario}logs/compare_policies.log",
    params:
        **keys(compared),
        code=hash_of("compare_policies"),
    message:
        "Compare all policies"
    script:
        "../scripts/compare_policies.py"


rule confirm_claims:
    input:
        unpack(lambda w: FILES.behind_confirmation()),
        ratings="results/movielens/rating_counts.csv",
        code=code("confirm_claims", claims=own, experiments=confirmed, policies=policies),
    output:
        multiext("results/scenarios/confirm", csv=".csv", json=".json", markdown=".md"),
    log:
        "results/logs/confirm_claims.log",
    params:
        **keys(confirmed, scenario=lambda w: first),
        code=hash_of("confirm_claims"),
        claims=own,
        seeds=lambda w: [RUNS.config(folder).seed for folder in confirming],
    message:
        "Confirm our own claims on new bandits, all seeds together"
    script:
        "../scripts/confirm_claims.py"
