# From replicates to means with intervals, and the oracle's frontier.


rule summarize_setting:
    """Summarise a setting's replicates: mean, standard error and 95 % interval."""
    input:
        code=provenance.summary_code(),
        replicates=lambda w: replicate_files(w.setting),
    output:
        "results/summaries/{setting}.csv",
    log:
        "results/logs/summarize_setting/{setting}.log",
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        experiment=lambda w: w.setting,
        parts=lambda w: CONFIG.parts(w.setting),
    script:
        "../scripts/summarize_setting.py"


rule trace_frontier:
    """Trace the oracle frontier of each case of a setting."""
    input:
        code=provenance.summary_code(),
        replicates=lambda w: replicate_files(w.setting),
    output:
        "results/summaries/{setting}_frontier.csv",
    log:
        "results/logs/trace_frontier/{setting}.log",
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        parts=lambda w: CONFIG.parts(w.setting),
    script:
        "../scripts/trace_frontier.py"
