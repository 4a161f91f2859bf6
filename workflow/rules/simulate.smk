# One job simulates a group of a setting's cases, or a part of its replicates.


rule simulate_group:
    """Simulate a group of a setting's cases: pulls of every replicate and arm."""
    input:
        code=lambda w: provenance.simulation_code(
            EXPERIMENTS[w.setting], CONFIG.section(w.setting)
        ),
        ratings=ratings_needed,
        notes=NOTES,
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
