# The sharp constants: claims on the theorems of our own.  They stand on the section `sharp` of the
# config (config/sharp.yaml).


rule check_sharp:
    """Decide the claims on the sharp constants."""
    input:
        unpack(lambda w: {e: FILES.replicates(e) for e in CONFIG.sharp_studies}),
        ratings=["results/sharp/rating_counts.csv"],
    output:
        csv="results/sharp/claims.csv",
        json="results/sharp/claims.json",
        markdown="results/sharp/claims.md",
        origin="results/sharp/claims.origin.json",
    log:
        "results/logs/check_sharp.log",
    resources:
        **asks(lambda w: PLAN.claims(CONFIG.sharp_studies)),
    params:
        seed=CONFIG.seed,
        readings=lambda w: {e: MADE.readings(e) for e in CONFIG.sharp_studies},
        sections=lambda w: {e: MADE.section(e) for e in CONFIG.sharp_studies},
        made_with=lambda w: MADE.sharp_claims(),
    script:
        "../scripts/check_sharp.py"
