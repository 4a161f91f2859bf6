# From replicates to means with intervals, and the oracle's frontier.


rule summarize:
    """Summarise an experiment's replicates: mean, standard error and 95 % interval."""
    input:
        replicates=lambda w: FILES.replicates(w.experiment),
    output:
        table="results/summaries/{experiment}.csv",
        origin="results/summaries/{experiment}.origin.json",
    log:
        "results/logs/summarize/{experiment}.log",
    resources:
        **asks(lambda w: PLAN.summary(w.experiment)),
    params:
        parts=lambda w: CONFIG.parts(w.experiment),
        made_with=lambda w: MADE.summary(w.experiment),
    script:
        "../scripts/summarize.py"


rule trace_frontier:
    """Trace the oracle frontier of each case of an experiment."""
    input:
        replicates=lambda w: FILES.replicates(w.experiment),
    output:
        table="results/summaries/{experiment}_frontier.csv",
        origin="results/summaries/{experiment}_frontier.origin.json",
    log:
        "results/logs/trace_frontier/{experiment}.log",
    resources:
        **asks(lambda w: PLAN.summary(w.experiment)),
    params:
        parts=lambda w: CONFIG.parts(w.experiment),
        made_with=lambda w: MADE.summary(w.experiment),
    script:
        "../scripts/trace_frontier.py"
