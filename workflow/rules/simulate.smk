played = lambda w: [w.experiment]
run_of = lambda w: RUNS.run(w.scenario, w.experiment)


rule simulate:
    input:
        ratings=lambda w: RATINGS[:1] if EXPERIMENTS[w.experiment].needs_ratings else [],
        code=code("simulate", experiments=played),
    output:
        r"results/{scenario}replicates/{experiment}/{part,\d+}of{parts,\d+}.parquet",
    log:
        "results/{scenario}logs/simulate/{experiment}/{part}of{parts}.log",
    priority: lambda w: 10 + (w.experiment == "setting_5")
    params:
        **keys(played),
        code=hash_of("simulate"),
        part=lambda w: run_of(w).part(int(w.part), int(w.parts)),
        interpretations=lambda w: interpretations_of(RUNS.config(w.scenario), played(w)),
        own=lambda w: run_of(w).own,
    message:
        "Simulate {wildcards.scenario}{wildcards.experiment} (part {wildcards.part} of {wildcards.parts})"
    script:
        "../scripts/simulate.py"
