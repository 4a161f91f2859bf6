# Claims: measured topic by topic, decided all together, told.


rule measure_claims:
    input:
        unpack(evidence_of),
    output:
        measured="results/claims/measured/{topic}.json",
        again="results/sensitivity/measured/{topic}.json",
    log:
        "results/logs/measure_claims/{topic}.log",
    # Others wait for it: drawing goes on beside.
    priority: 5
    params:
        code=lambda w: CODE.measured(w.topic),
    message:
        "Measure the claims on {wildcards.topic}"
    script:
        "../scripts/measure_claims.py"


rule decide_claims:
    input:
        measured=measured_files(*TOPICS),
        again=again_files(*TOPICS),
    output:
        verdicts="results/claims/verdicts.json",
        sensitivity="results/claims/sensitivity.csv",
    log:
        "results/logs/decide_claims.log",
    priority: 5
    params:
        code=CODE.decided(),
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
        code=CODE.told("write_ledger"),
    message:
        "Write the ledger of claims"
    script:
        "../scripts/write_ledger.py"
