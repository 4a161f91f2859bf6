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


rule extended:
    """All extended results: comparison, claims and figures (config/extended.yaml)."""
    input:
        FILES.extended(),


rule sharp:
    """The sharp constants: claims and figure up to T = 10⁸ (config/sharp.yaml)."""
    input:
        FILES.sharp(),


rule confirm:
    """The extended claims on new seeds and new bandits (config/confirm.yaml)."""
    input:
        FILES.confirmation(),


for name in [*SIMULATED, *ALL_FIGURES]:

    rule:
        """A figure, or an experiment with its tables, claims and figures; and what it stands on."""
        name:
            name
        input:
            FILES.target(name),
