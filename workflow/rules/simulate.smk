# One job simulates an experiment, or a part of its replicates.


rule simulate:
    input:
        lambda w: check(f"results/{w.run}/{w.experiment}/{w.part}of{w.parts}.parquet")
        or ratings_files(w.experiment, w.run),
    output:
        "results/{run}/{experiment}/{part}of{parts}.parquet",
    log:
        "results/logs/simulate/{run}/{experiment}/{part}of{parts}.log",
    # The longest first: drawing fills the gaps at the end.
    priority: lambda w: 10 + (w.experiment == "setting_5")
    # One core each, many at a time; for few long ones: --set-threads simulate=4.
    threads: 1
    params:
        **stands_on("simulate", "experiment", lambda w: run_of(w).params),
        work=given(lambda w: run_of(w).work(int(w.part), int(w.parts))),
    message:
        "Simulate {wildcards.experiment} ({wildcards.run}, part {wildcards.part} of {wildcards.parts})"
    script:
        "../scripts/simulate.py"
