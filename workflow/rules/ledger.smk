# The claims that the experiments decide, under the readings in force and with each flipped.

DECIDED = TOPICS if AT_ONCE else ["{topic}"]


rule check_claims:
    """Measure the claims of a topic, all in one job, and decide them."""
    input:
        unpack(lambda w: decided_on(behind(w))),
    output:
        rows=topic_files(*DECIDED),
        origins=origins_of(topic_files(*DECIDED)),
    log:
        f"results/logs/check_claims/{'all' if AT_ONCE else '{topic}'}.log",
    priority: 5
    resources:
        **asks(lambda w: PLAN.claims(behind(w))),
    params:
        topics=topics_of,
        sections=lambda w: {e: VALUES[e] for e in behind(w)},
        made_of=lambda w: [MADE.topic(topic) for topic in topics_of(w)],
    script:
        "../scripts/check_claims.py"


rule write_ledger:
    """Put all claims together: a table, the same as JSON, and pages for reading."""
    input:
        topics=topic_files(*TOPICS),
    output:
        csv="results/claims/claims.csv",
        parts="results/claims/parts.csv",
        json="results/claims/claims.json",
        markdown="results/claims/claims.md",
        origins=[
            "results/claims/claims.origin.json",
            "results/claims/parts.origin.json",
        ],
    log:
        "results/logs/write_ledger.log",
    priority: 5
    params:
        config=lambda w: published(ledger_config),
        made_with=lambda w: MADE.ledger(),
    script:
        "../scripts/write_ledger.py"


rule write_claim:
    """Write the page of one claim: its rule, its verdict, every part."""
    input:
        topic=lambda w: topic_files(CLAIMS[w.claim].topic)[0],
    output:
        page="results/claims/pages/{claim}.md",
        origin="results/claims/pages/{claim}.origin.json",
    log:
        "results/logs/write_claim/{claim}.log",
    params:
        config=lambda w: published(ledger_config),
        made_with=lambda w: MADE.topic(CLAIMS[w.claim].topic),
    script:
        "../scripts/write_claim.py"


rule check_readings:
    """Decide claims again with each reading flipped."""
    input:
        unpack(
            lambda w: (
                {f"default_{e}": FILES.replicates(e) for e in behind(w)}
                | {
                    f"flipped_{r}": flipped_files(r, behind(w))
                    for r in switches.readings()
                }
            )
        ),
        ledger=lambda w: topic_files(*topics_of(w)),
    output:
        rows=again_files(*DECIDED),
        origins=origins_of(again_files(*DECIDED)),
    log:
        f"results/logs/check_readings/{'all' if AT_ONCE else '{topic}'}.log",
    # Long jobs, for which others wait: drawing goes on beside them.
    priority: 5
    resources:
        **asks(lambda w: PLAN.readings(behind(w))),
    params:
        topics=topics_of,
        sections=lambda w: {e: VALUES[e] for e in behind(w)},
        replicates=lambda w: {e: CONFIG.sensitivity.of(e) for e in behind(w)},
        made_of=lambda w: [MADE.topic_again(topic) for topic in topics_of(w)],
    script:
        "../scripts/check_readings.py"


rule write_sensitivity:
    """Put the claims of all topics together: claim by reading, the verdict."""
    input:
        topics=again_files(*TOPICS),
    output:
        table="results/claims/sensitivity.csv",
        rows="results/sensitivity/claims.json",
        origins=[
            "results/claims/sensitivity.origin.json",
            "results/sensitivity/claims.origin.json",
        ],
    log:
        "results/logs/write_sensitivity.log",
    priority: 5
    params:
        in_force=VALUES["readings"],
        made_with=lambda w: MADE.sensitivity(),
    script:
        "../scripts/write_sensitivity.py"
