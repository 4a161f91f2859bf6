# Claims: measured topic by topic, decided all together, written to the ledger.


rule measure_claims:
    input:
        unpack(lambda w: FILES.behind(w.topic)),
    output:
        "results/claims/measured/{topic}.json",
    log:
        "results/logs/measure_claims/{topic}.log",
    priority: 5
    params:
        **stands_on("measure_claims", "topic"),
        sections=given(lambda w: sections_of(CONFIG, experiments_of(w.topic))),
    message:
        "Measure the claims on {wildcards.topic}"
    script:
        "../scripts/measure_claims.py"


rule measure_readings:
    input:
        unpack(alternative_behind),
        measured="results/claims/measured/{topic}.json",
    output:
        "results/sensitivity/measured/{topic}.json",
    log:
        "results/logs/measure_readings/{topic}.log",
    # Others wait for it: drawing goes on beside.
    priority: 5
    params:
        **stands_on("measure_readings", "topic"),
        sections=given(lambda w: sections_of(CONFIG, experiments_of(w.topic))),
        few=given(lambda w: {e: CONFIG.sensitivity.of(e) for e in EXPERIMENTS}),
    message:
        "Measure the claims on {wildcards.topic} under each alternative reading"
    script:
        "../scripts/measure_readings.py"


rule decide_claims:
    input:
        measured=measured_files(*TOPICS),
        again=measured_files(*TOPICS, folder="sensitivity"),
    output:
        verdicts="results/claims/verdicts.json",
        sensitivity="results/claims/sensitivity.csv",
    log:
        "results/logs/decide_claims.log",
    priority: 5
    params:
        **stands_on("decide_claims", claims=CLAIMS),
        readings=VALUES["readings"],
    message:
        "Decide the claims"
    script:
        "../scripts/decide_claims.py"


rule write_ledger:
    input:
        verdicts="results/claims/verdicts.json",
        config=of_workflow("config/config.yaml"),
    output:
        csv="results/claims/claims.csv",
        parts="results/claims/parts.csv",
        json="results/claims/claims.json",
        markdown="results/claims/claims.md",
    log:
        "results/logs/write_ledger.log",
    priority: 5
    params:
        **stands_on("write_ledger", claims=CLAIMS, experiments=EXPERIMENTS),
        config=given(lambda w: VALUES),
    message:
        "Write the ledger of claims"
    script:
        "../scripts/write_ledger.py"
