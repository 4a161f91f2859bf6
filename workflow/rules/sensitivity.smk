# Each reading of what the paper leaves open flipped, one at a time, on fewer replicates.


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
            ratings=[
                "results/movielens/rating_counts.csv"
                for experiment in switches.touched(reading)
                if EXPERIMENTS[experiment].needs_ratings
            ],
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
            replicates={e: CONFIG.sensitivity.of(e) for e in switches.touched(reading)},
            experiments=switches.touched(reading),
            sections={e: VALUES[e] for e in switches.touched(reading)},
            readings=switches.readings_behind(reading, VALUES["readings"]),
        script:
            "../scripts/simulate_reading.py"

    workflow.get_rule(f"simulate_{reading}").docstring = (
        f"Simulate what the reading `{reading}` can touch with the reading flipped."
    )


rule check_readings:
    """Decide claims again with each reading flipped: claim by reading, the verdict."""
    input:
        **{
            f"default_{experiment}": replicate_files(experiment)
            for experiment in switches.experiments_needed(switches.DEFAULT)
        },
        **{
            f"flipped_{reading}": flipped_files(reading)
            for reading in switches.readings()
        },
        code=provenance.sensitivity_code(),
        ledger="results/claims/claims.json",
    output:
        table="results/claims/sensitivity.csv",
        rows="results/sensitivity/claims.json",
    log:
        "results/logs/sensitivity/check_readings.log",
    # A long job on its own: drawing goes on beside it.
    priority: 5
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        in_force=VALUES["readings"],
        sections={e: VALUES[e] for e in switches.experiments_needed(switches.DEFAULT)},
        parts={
            e: CONFIG.parts(e) for e in switches.experiments_needed(switches.DEFAULT)
        },
        replicates={
            e: CONFIG.sensitivity.of(e)
            for e in switches.experiments_needed(switches.DEFAULT)
        },
    script:
        "../scripts/check_readings.py"
