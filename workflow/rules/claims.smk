# Claims: measured topic by topic, decided all together; verdicts of scenarios beside the paper's.
claims_of = "results/scenarios/{name}/claims/claims.json"
of_topic = lambda w: FILES.of_topic(w.topic, w.scenario)
behind = cache(FILES.behind)
replicates_behind = lambda w: behind(w.topic, w.scenario)


rule measure_claims:
    input:
        unpack(replicates_behind),
        code=code("measure_claims", claims=of_topic, experiments=replicates_behind),
    output:
        "results/{scenario}claims/measured/{topic}.json",
    log:
        "results/{scenario}logs/measure_claims/{topic}.log",
    params:
        **keys(replicates_behind),
        code=hash_of("measure_claims"),
        claims=of_topic,
    message:
        "Measure the claims on {wildcards.topic}"
    script:
        "../scripts/measure_claims.py"


rule decide_claims:
    input:
        measured=lambda w: FILES.measured(*FILES.topics(w.scenario), folder=w.scenario),
        code=code("decide_claims", claims=lambda w: FILES.claims(w.scenario)),
    output:
        multiext("results/{scenario}claims/claims", csv=".csv", json=".json", markdown=".md"),
        comparisons="results/{scenario}claims/comparisons.csv",
    log:
        "results/{scenario}logs/decide_claims.log",
    params:
        code=hash_of("decide_claims"),
        claims=lambda w: FILES.claims(w.scenario),
        changed=lambda w: changed_keys(RUNS.config(w.scenario), papers()),
        folders=lambda w: RUNS.homes(w.scenario),
    message:
        "Decide the claims"
    script:
        "../scripts/decide_claims.py"


rule compare_verdicts:
    input:
        paper="results/claims/claims.json",
        scenarios=lambda w: expand(claims_of, name=FILES.deciding(w.set)),
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
