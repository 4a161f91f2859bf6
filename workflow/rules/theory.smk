# The studies behind the theorems, and the claims that they and the settings decide.


rule summarize_study:
    """Summarise a study's replicates: mean, standard error and 95 % interval."""
    input:
        code=local(provenance.summary_code()),
        replicates=lambda w: replicate_files(w.study),
    output:
        table="results/theory/{study}.csv",
        origin="results/theory/{study}.origin.json",
    log:
        "results/logs/summarize_study/{study}.log",
    resources:
        mem_mb=summary_mb,
        runtime=summary_minutes,
    params:
        experiment=lambda w: w.study,
        parts=lambda w: CONFIG.parts(w.study),
        origin=lambda w: summary_origin(w.study),
    script:
        "../scripts/summarize_setting.py"


rule check_claims:
    """Measure the claims that stand on one experiment, and decide them."""
    input:
        unpack(lambda w: {e: replicate_files(e) for e in experiments_of(w.topic)}),
        code=lambda w: local(provenance.claim_code(w.topic)),
    output:
        rows="results/claims/topics/{topic}.json",
        origin="results/claims/topics/{topic}.origin.json",
    log:
        "results/logs/check_claims/{topic}.log",
    priority: 5
    resources:
        mem_mb=claims_mb,
        runtime=claims_minutes,
    params:
        sections=lambda w: {e: VALUES[e] for e in experiments_of(w.topic)},
        parts=lambda w: {e: CONFIG.parts(e) for e in experiments_of(w.topic)},
        origin=lambda w: topic_origin(w.topic),
    script:
        "../scripts/check_claims.py"


rule write_ledger:
    """Put all claims together: a table, the same as JSON, and pages for reading."""
    input:
        code=local(provenance.ledger_code()),
        topics=[f"results/claims/topics/{topic}.json" for topic in TOPICS],
    output:
        csv="results/claims/claims.csv",
        parts="results/claims/parts.csv",
        json="results/claims/claims.json",
        markdown="results/claims/claims.md",
        origin="results/claims/claims.origin.json",
        parts_origin="results/claims/parts.origin.json",
    log:
        "results/logs/write_ledger.log",
    priority: 5
    params:
        config=lambda w: ledger_config(),
        origin=ledger_origin(),
    script:
        "../scripts/write_ledger.py"


rule write_claim:
    """Write the page of one claim: its rule, its verdict, every part."""
    input:
        code=local(provenance.ledger_code()),
        topic=lambda w: f"results/claims/topics/{CLAIMS[w.claim].topic}.json",
    output:
        page="results/claims/pages/{claim}.md",
        origin="results/claims/pages/{claim}.origin.json",
    log:
        "results/logs/write_claim/{claim}.log",
    params:
        config=lambda w: ledger_config(),
        origin=lambda w: topic_origin(CLAIMS[w.claim].topic),
    script:
        "../scripts/write_claim.py"
