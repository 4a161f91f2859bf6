# Each reading of what the paper leaves open flipped, one at a time, on fewer replicates.


def flipped_files(reading):
    """Tables of replicates of the experiments that a reading can touch."""
    return [
        f"results/sensitivity/{reading}/{experiment}.parquet"
        for experiment in switches.touched(reading)
    ]


def evidence_files(reading):
    """Tables of replicates behind the claims that a reading can touch, by experiment."""
    wanted = [] if reading == switches.DEFAULT else switches.touched(reading)
    return {
        experiment: (
            [f"results/sensitivity/{reading}/{experiment}.parquet"]
            if experiment in wanted
            else replicate_files(experiment)
        )
        for experiment in switches.experiments_needed(reading)
    }


for reading in switches.readings():

    rule:
        name:
            f"simulate_{reading}"
        input:
            code=sorted(
                {
                    path
                    for experiment in switches.touched(reading)
                    for path in provenance.simulation_code(
                        EXPERIMENTS[experiment], CONFIG.section(experiment)
                    )
                }
            ),
            ratings="results/movielens/rating_counts.csv",
        output:
            flipped_files(reading),
        log:
            f"results/logs/sensitivity/simulate_{reading}.log",
        priority: 10
        threads: 1
        resources:
            mem_mb=1000,
            runtime=60,
        params:
            seed=CONFIG.seed,
            replicates=CONFIG.sensitivity.replicates,
            experiments=switches.touched(reading),
            sections={e: VALUES[e] for e in switches.touched(reading)},
            readings=switches.flipped(reading, VALUES["readings"]),
        script:
            "../scripts/simulate_reading.py"

    workflow.get_rule(f"simulate_{reading}").docstring = (
        f"Simulate what the reading `{reading}` can touch with the reading flipped."
    )


rule check_reading:
    """Decide again the claims that a reading can touch, with the reading flipped."""
    input:
        unpack(lambda w: evidence_files(w.reading)),
        code=provenance.sensitivity_code(),
    output:
        "results/sensitivity/{reading}.json",
    log:
        "results/logs/sensitivity/check_{reading}.log",
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        sections=lambda w: {e: VALUES[e] for e in evidence_files(w.reading)},
        parts=lambda w: {
            experiment: (
                CONFIG.simulation.chunks
                if len(files) > 1 or files == replicate_files(experiment)
                else 1
            )
            for experiment, files in evidence_files(w.reading).items()
        },
        replicates=CONFIG.sensitivity.replicates,
    script:
        "../scripts/check_reading.py"


rule write_sensitivity:
    """Put claim by reading together: the verdict with each reading flipped."""
    input:
        code=provenance.sensitivity_code(),
        ledger="results/claims/claims.json",
        default="results/sensitivity/default.json",
        readings=[
            f"results/sensitivity/{reading}.json" for reading in switches.readings()
        ],
    output:
        "results/claims/sensitivity.csv",
    log:
        "results/logs/sensitivity/write_sensitivity.log",
    params:
        names=switches.readings(),
        in_force=VALUES["readings"],
    script:
        "../scripts/write_sensitivity.py"
