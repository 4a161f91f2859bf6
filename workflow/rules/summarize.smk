TRACED = [name for name, one in EXPERIMENTS.items() if one.has_frontier]


rule summarize:
    input:
        replicates=lambda w: FILES.replicates(w.experiment, folder=w.scenario),
        code=code("summarize", experiments=played),
    output:
        "results/{scenario}summaries/{experiment}.csv",
    log:
        "results/{scenario}logs/summarize/{experiment}.log",
    wildcard_constraints:
        experiment=either(name for name in EXPERIMENTS if name not in TRACED),
    # A table of 10,000 replicates of 1,000 arms takes 2.4 GB.
    resources:
        mem_mb=lambda w, attempt: 3000 * attempt,
    params:
        **keys(played),
        code=hash_of("summarize"),
    message:
        "Summarise {wildcards.experiment}"
    script:
        "../scripts/summarize.py"


use rule summarize as summarize_and_trace with:
    output:
        "results/{scenario}summaries/{experiment}.csv",
        "results/{scenario}summaries/{experiment}_frontier.csv",
    wildcard_constraints:
        experiment=either(TRACED),
