# One job simulates an experiment, or a part of its replicates.
REPLICATES = "results/{scenario}replicates/{experiment}/{part}of{parts}.parquet"


rule simulate:
    input:
        lambda w: check(REPLICATES.format(**w))
        or RATINGS[: experiment(w.experiment).needs_ratings],
    output:
        REPLICATES,
    log:
        "results/{scenario}logs/simulate/{experiment}/{part}of{parts}.log",
    # The longest first: drawing fills the gaps at the end.
    priority: lambda w: 10 + (w.experiment == "setting_5")
    params:
        **stands_on("simulate", "experiment", lambda w: run_of(w).params),
        work=given(lambda w: run_of(w).work(int(w.part), int(w.parts))),
    message:
        "Simulate {wildcards.scenario}{wildcards.experiment} (part {wildcards.part} of {wildcards.parts})"
    script:
        "../scripts/simulate.py"
