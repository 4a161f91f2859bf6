# Each reading of what the paper leaves open flipped, one at a time, on fewer replicates.


for rule_name, readings in flipping_rules().items():

    rule:
        """Simulate what a reading of the paper can touch with that reading flipped."""
        name:
            rule_name
        input:
            code=local(simulation_code(touched_by(readings))),
            ratings=ratings_of(touched_by(readings)),
            notes=local(NOTES),
        output:
            tables=[file for reading in readings for file in flipped_files(reading)],
            origins=[
                file
                for reading in readings
                for file in origins_of(flipped_files(reading))
            ],
        log:
            f"results/logs/sensitivity/{rule_name}.log",
        priority: 10
        threads: 1
        resources:
            mem_mb=flipped_mb(readings),
            runtime=flipped_minutes(readings),
        params:
            seed=CONFIG.seed,
            jobs=[job for reading in readings for job in simulated_flipped(reading)],
        script:
            "../scripts/simulate_several.py"


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
        code=local(provenance.sensitivity_code()),
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
