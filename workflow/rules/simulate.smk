# One job simulates a group of an experiment's cases, or a part of its replicates; or, where
# that takes no time, everything.

AT_ONCE = EXPERIMENTS if CONFIG.simulation.jobs == "all" else {}
IN_GROUPS = [n for n in (*EXPERIMENTS, *CONFIG.beyond) if n not in AT_ONCE]

if AT_ONCE:

    rule simulate_all:
        """Simulate every experiment in one job: pulls of every replicate and arm."""
        input:
            ratings=lambda w: ratings_for(*EXPERIMENTS),
        output:
            tables=FILES.replicates(*EXPERIMENTS),
            origins=origins_of(FILES.replicates(*EXPERIMENTS)),
        log:
            "results/logs/simulate_all.log",
        priority: 10
        resources:
            **asks(lambda w: PLAN.everything()),
        params:
            seed=CONFIG.seed,
            jobs=lambda w: simulations(CONFIG, MADE, EXPERIMENTS),
        script:
            "../scripts/simulate.py"


# Where it does, experiments beyond the paper are simulated group by group.
rule simulate_group:
    """Simulate a group of an experiment's cases: pulls of every replicate and arm."""
    input:
        ratings=lambda w: ratings_for(w.experiment),
    output:
        tables=["results/replicates/{experiment}/{group}.{part}of{parts}.parquet"],
        origins=["results/replicates/{experiment}/{group}.{part}of{parts}.origin.json"],
    log:
        "results/logs/simulate_group/{experiment}/{group}.{part}of{parts}.log",
    wildcard_constraints:
        experiment=either(IN_GROUPS),
        group=r"[^/.]+",
        part=r"\d+",
        parts=r"\d+",
    # The long jobs first: drawing fills the gaps at the end.
    priority: 10
    threads: lambda w: PLAN.threads(w.experiment, w.group, CORES)
    resources:
        **asks(lambda w: PLAN.simulation(w.experiment, w.group)),
    params:
        seed=CONFIG.seed,
        name="{experiment}/{group}.{part}of{parts}",
        jobs=lambda w: [
            simulation_of_part(
                CONFIG, MADE, w.experiment, w.group, int(w.part), int(w.parts)
            )
        ],
    script:
        "../scripts/simulate.py"


# Each reading of what the paper leaves open flipped, one at a time, on fewer replicates.
for rule_name, readings in flipping_rules(CONFIG).items():

    rule:
        """Simulate what a reading of the paper can touch with that reading flipped."""
        name:
            rule_name
        input:
            ratings=ratings_files(touched_by(readings)),
        output:
            tables=[file for r in readings for file in flipped_files(r)],
            origins=[file for r in readings for file in origins_of(flipped_files(r))],
        log:
            f"results/logs/simulate_readings/{rule_name}.log",
        # The longest jobs of all, and what waits for them comes last.
        priority: 11
        threads: lambda w, readings=readings: PLAN.flip_threads(touched_by(readings), CORES)
        resources:
            **asks(lambda w, readings=readings: PLAN.flips(touched_by(readings))),
        params:
            seed=CONFIG.seed,
            jobs=lambda w, readings=readings: [
                job for r in readings for job in flipped_simulations(CONFIG, MADE, r)
            ],
        script:
            "../scripts/simulate.py"
