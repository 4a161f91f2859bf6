# Claims: measured topic by topic, decided all together.
behind = lambda w: FILES.behind(w.topic, w.scenario)


rule measure_claims:
    input:
        unpack(behind),
    output:
        "results/{scenario}claims/measured/{topic}.json",
    log:
        "results/{scenario}logs/measure_claims/{topic}.log",
    # Others wait for it: drawing goes on beside.
    priority: 5
    params:
        **stands_on("measure_claims", "topic"),
        claims=lambda w: FILES.of_topic(w.topic, w.scenario),
        sections=given(lambda w: sections(w.scenario, behind(w))),
    message:
        "Measure the claims on {wildcards.topic}"
    script:
        "../scripts/measure_claims.py"


rule decide_claims:
    input:
        measured=lambda w: FILES.measured(*FILES.topics(w.scenario), folder=w.scenario),
        config=of_workflow("config/config.yaml"),
    output:
        csv="results/{scenario}claims/claims.csv",
        json="results/{scenario}claims/claims.json",
        markdown="results/{scenario}claims/claims.md",
        parts="results/{scenario}claims/parts.csv",
    log:
        "results/{scenario}logs/decide_claims.log",
    priority: 5
    params:
        **stands_on("decide_claims", "scenario"),
        claims=lambda w: FILES.claims(w.scenario),
        config=given(lambda w: RUNS.config(w.scenario).model_dump(mode="json")),
        homes=given(lambda w: RUNS.homes(w.scenario)),
    message:
        "Decide the claims"
    script:
        "../scripts/decide_claims.py"
