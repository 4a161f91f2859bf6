# One job simulates an experiment, or a part of its replicates.
played = lambda w: [w.experiment]
run_of = lambda w: RUNS.run(w.scenario, w.experiment)


def rating_counts(w):
    needed = experiment(w.experiment).needs_ratings
    return ["results/movielens/rating_counts.csv"] if needed else []


rule simulate:
    input:
        ratings=rating_counts,
        code=code("simulate", experiments=played),
    output:
        "results/{scenario}replicates/{experiment}/{part}of{parts}.parquet",
    log:
        "results/{scenario}logs/simulate/{experiment}/{part}of{parts}.log",
    # The longest first: drawing fills the gaps at the end.
    priority: lambda w: 10 + (w.experiment == "setting_5")
    params:
        **keys(played),
        code=hash_of("simulate"),
        part=lambda w: run_of(w).part(int(w.part), int(w.parts)),
        readings=lambda w: run_of(w).readings,
        own=lambda w: run_of(w).own,
    message:
        "Simulate {wildcards.scenario}{wildcards.experiment} (part {wildcards.part} of {wildcards.parts})"
    script:
        "../scripts/simulate.py"
