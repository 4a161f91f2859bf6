# What users ask for by name, beside everything.


rule claims:
    """The ledger of claims: every statement of the paper with its verdict."""
    input:
        LEDGER,
        "results/claims/parts.csv",
        FILES.replicates(*{e for claim in CLAIMS.values() for e in claim.experiments}),


rule sensitivity:
    """Claim by reading: what each reading of the paper does to the verdicts."""
    input:
        "results/claims/sensitivity.csv",
        figure_files("sensitivity"),


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


for name in [*EXPERIMENTS, *CONFIG.beyond]:

    rule:
        """An experiment: its replicates, summaries and measured claims; of a setting its figure too."""
        name:
            name
        input:
            FILES.experiment(name),


for name in [name for name in ALL_FIGURES if name != "sensitivity"]:

    rule:
        """A figure of the paper or of the theory, and what it stands on."""
        name:
            name
        input:
            figure_files(name),
            FILES.replicates(*ALL_FIGURES[name].experiments),
