# From replicates to means with intervals, and the oracle's frontier.
TRACED = [name for name in SIMULATED if experiment(name).has_frontier]


rule summarize:
    input:
        lambda w: FILES.replicates(w.experiment),
    output:
        "results/summaries/{experiment}.csv",
    log:
        "results/logs/summarize/{experiment}.log",
    wildcard_constraints:
        experiment=either(name for name in SIMULATED if name not in TRACED),
    params:
        **stands_on("summarize"),
    message:
        "Summarise {wildcards.experiment}"
    script:
        "../scripts/summarize.py"


use rule summarize as summarize_and_trace with:
    output:
        "results/summaries/{experiment}.csv",
        "results/summaries/{experiment}_frontier.csv",
    wildcard_constraints:
        experiment=either(TRACED),
