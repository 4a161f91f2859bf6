# The claims beyond the paper put to the test: the section `confirmation` of the config
# (config/confirm.yaml) has the seeds.  No part of anything else.
from penalized_bandits.claims.beyond import EXTENDED_CLAIMS


rule simulate_new_bandits:
    """Simulate an experiment beyond the paper on bandits drawn anew with a seed."""
    input:
        ratings=lambda w: ratings_files([w.experiment], "confirmation"),
    output:
        tables=["results/confirmation/seed_{seed}/{experiment}.parquet"],
        origins=["results/confirmation/seed_{seed}/{experiment}.origin.json"],
    log:
        "results/logs/confirmation/seed_{seed}/{experiment}.log",
    wildcard_constraints:
        experiment=either(CONFIG.extensions),
        seed=either(map(str, CONFIG.seeds)),
    priority: 10
    params:
        seed=lambda w: int(w.seed),
        name="{experiment}, seed {seed}",
        jobs=lambda w: [
            simulation_on_new_bandits(CONFIG, MADE, w.experiment, int(w.seed))
        ],
    script:
        "../scripts/simulate.py"


rule confirm_claim:
    """Decide a claim beyond the paper on new bandits, all seeds together."""
    input:
        replicates=lambda w: FILES.new_bandits(
            *EXTENDED_CLAIMS[w.extended_claim].experiments
        ),
        ratings=["results/confirmation/rating_counts.csv"],
    output:
        "results/confirmation/{extended_claim}.json",
    log:
        "results/logs/confirmation/{extended_claim}.log",
    wildcard_constraints:
        extended_claim=either(EXTENDED_CLAIMS),
    params:
        seeds=CONFIG.seeds,
        experiments=lambda w: list(EXTENDED_CLAIMS[w.extended_claim].experiments),
        readings=lambda w: {e: MADE.readings(e) for e in CONFIG.extensions},
        sections=lambda w: {e: MADE.section(e) for e in CONFIG.extensions},
        # What it is decided by; what it is decided on are its inputs.
        made_with=lambda w: MADE.confirmation() if CONFIG.seeds else None,
    script:
        "../scripts/confirm_claim.py"


rule write_confirmation:
    """Write the ledger of the confirmation from what each claim came to."""
    input:
        [f"results/confirmation/{claim}.json" for claim in EXTENDED_CLAIMS],
    output:
        csv="results/confirmation/claims.csv",
        json="results/confirmation/claims.json",
        markdown="results/confirmation/claims.md",
        origin="results/confirmation/claims.origin.json",
    log:
        "results/logs/confirmation/claims.log",
    params:
        made_with=lambda w: MADE.confirmation() if CONFIG.seeds else None,
    script:
        "../scripts/write_confirmation.py"
