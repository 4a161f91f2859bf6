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
    params:
        **each_param(lambda w: run_of(w.run, w.experiment).params),
        code=lambda w: CODE.of("simulate", experiments=[w.experiment]),
    message:
        "Simulate {wildcards.experiment} ({wildcards.run}, part {wildcards.part} of {wildcards.parts})"
    script:
        "../scripts/simulate.py"
