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
            ratings=ratings_files(
                any(EXPERIMENTS[e].needs_ratings for e in switches.touched(reading))
            ),
            notes=NOTES,
        output:
            tables=flipped_files(reading),
            origins=origins_of(flipped_files(reading)),
        log:
            f"results/logs/sensitivity/simulate_{reading}.log",
        priority: 10
        threads: 1
        resources:
            mem_mb=flipped_mb(reading),
            runtime=flipped_minutes(reading),
        params:
            seed=CONFIG.seed,
            replicates={e: CONFIG.sensitivity.of(e) for e in switches.touched(reading)},
            experiments=switches.touched(reading),
            sections={e: VALUES[e] for e in switches.touched(reading)},
            readings=switches.readings_behind(reading, VALUES["readings"]),
            # What is the same with these is not simulated again.
            in_force={
                name: VALUES["readings"][name]
                for name in switches.readings_behind(reading, VALUES["readings"])
            },
            origins=[flipped_origin(reading, e) for e in switches.touched(reading)],
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
        origins=origins_of(
            ["results/claims/sensitivity.csv", "results/sensitivity/claims.json"]
        ),
    log:
        "results/logs/sensitivity/check_readings.log",
    # A long job on its own: drawing goes on beside it.
    priority: 5
    resources:
        mem_mb=readings_mb,
        runtime=readings_minutes,
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
        origin=sensitivity_origin(),
    script:
        "../scripts/check_readings.py"
