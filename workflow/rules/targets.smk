# What users ask for by name, beside everything.


rule claims:
    """The ledger of claims: every statement of the paper with its verdict."""
    input:
        LEDGER,
        "results/claims/parts.csv",
        FILES.replicates(*{e for claim in CLAIMS.values() for e in claim.experiments}),


rule movielens:
    """MovieLens rating counts, checked, and where they came from."""
    input:
        "results/movielens/rating_counts.csv",
        "results/movielens/provenance.json",


for name in ("extended", "sharp", "confirm"):

    rule:
        """Extended results, with their claims: they need config/<name>.yaml."""
        name:
            name
        input:
            getattr(FILES, name)(),


for name in [*SIMULATED, *ALL_FIGURES]:

    rule:
        """A figure, or an experiment with its tables, claims and figures; and what it stands on."""
        name:
            name
        input:
            FILES.target(name),
