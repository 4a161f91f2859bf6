# One job simulates a group of a setting's cases, or a part of its replicates; or, where that
# takes no time, everything.

if CONFIG.simulation.jobs == "all":

    rule simulate_all:
        """Simulate every experiment in one job: pulls of every replicate and arm."""
        input:
            code=local(simulation_code(EXPERIMENTS)),
            ratings=ratings_of(EXPERIMENTS),
            notes=local(NOTES),
        output:
            tables=[file for name in EXPERIMENTS for file in replicate_files(name)],
            origins=[
                file
                for name in EXPERIMENTS
                for file in origins_of(replicate_files(name))
            ],
        log:
            "results/logs/simulate_all.log",
        priority: 10
        threads: 1
        resources:
            mem_mb=everything_mb,
            runtime=everything_minutes,
        params:
            seed=CONFIG.seed,
            jobs=simulated_at_once(),
        script:
            "../scripts/simulate_several.py"

else:

    rule simulate_group:
        """Simulate a group of a setting's cases: pulls of every replicate and arm."""
        input:
            code=lambda w: local(
                provenance.simulation_code(
                    EXPERIMENTS[w.setting], CONFIG.section(w.setting)
                )
            ),
            ratings=ratings_needed,
            notes=local(NOTES),
        output:
            table="results/replicates/{setting}/{group}.{part}of{parts}.parquet",
            origin="results/replicates/{setting}/{group}.{part}of{parts}.origin.json",
        log:
            "results/logs/simulate_group/{setting}/{group}.{part}of{parts}.log",
        # The long jobs first: drawing fills the gaps at the end.
        priority: 10
        threads: 1
        resources:
            mem_mb=simulation_mb,
            runtime=simulation_minutes,
        params:
            seed=CONFIG.seed,
            section=lambda w: VALUES[w.setting],
            groups=lambda w: CONFIG.jobs(w.setting)[w.group],
            readings=lambda w: readings_of(w.setting),
            origin=lambda w: simulation_origin(w.setting),
        script:
            "../scripts/simulate_group.py"
