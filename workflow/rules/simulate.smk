# One job simulates an experiment, or a part of its replicates.


rule simulate:
    input:
        lambda w: ratings_files(w.experiment, w.run),
    output:
        "results/{run}/{experiment}/{part}of{parts}.parquet",
    log:
        "results/logs/simulate/{run}/{experiment}/{part}of{parts}.log",
    # The longest first: drawing fills the gaps at the end.
    priority: lambda w: 10 + (w.experiment == "setting_5")
    params:
        **each_param(
            lambda w: run_of(w.run, w.experiment).params,
            max(len(run_of("replicates", name).params) for name in SIMULATED),
        ),
        code=lambda w: CODE.of("simulate", experiments=[w.experiment]),
    message:
        "Simulate {wildcards.experiment} ({wildcards.run}, part {wildcards.part} of {wildcards.parts})"
    script:
        "../scripts/simulate.py"
