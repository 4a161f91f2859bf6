# From replicates to means with intervals, and the oracle's frontier.


rule summarize_setting:
    """Summarise a setting's replicates: mean, standard error and 95 % interval."""
    input:
        code=local(provenance.summary_code()),
        replicates=lambda w: replicate_files(w.setting),
    output:
        table="results/summaries/{setting}.csv",
        origin="results/summaries/{setting}.origin.json",
    log:
        "results/logs/summarize_setting/{setting}.log",
    resources:
        mem_mb=summary_mb,
        runtime=summary_minutes,
    params:
        experiment=lambda w: w.setting,
        parts=lambda w: CONFIG.parts(w.setting),
        origin=lambda w: summary_origin(w.setting),
    script:
        "../scripts/summarize_setting.py"


rule trace_frontier:
    """Trace the oracle frontier of each case of a setting."""
    input:
        code=local(provenance.summary_code()),
        replicates=lambda w: replicate_files(w.setting),
    output:
        table="results/summaries/{setting}_frontier.csv",
        origin="results/summaries/{setting}_frontier.origin.json",
    log:
        "results/logs/trace_frontier/{setting}.log",
    resources:
        mem_mb=summary_mb,
        runtime=summary_minutes,
    params:
        experiment=lambda w: w.setting,
        parts=lambda w: CONFIG.parts(w.setting),
        origin=lambda w: summary_origin(w.setting),
    script:
        "../scripts/trace_frontier.py"
