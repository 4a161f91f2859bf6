# What users ask for by name.


rule all:
    """Every table, figure and page (the default)."""
    input:
        [setting_tables(setting) for setting in SETTINGS],
        [figure_files(figure) for figure in ALL_FIGURES],
        "results/movielens/provenance.json",
        [f"results/theory/{study}.csv" for study in STUDIES],
        multiext("results/claims/claims", ".csv", ".json", ".md"),
        "results/claims/sensitivity.csv",
        "results/claims/claims.html",
        "results/index.html",
        "results/checksums.txt",
        # Those that something is made from too: Snakemake would not miss them.
        kept_files(),
        [notebook_files(n) for n in NOTEBOOKS if CONFIG.pages.notebooks],


rule theory:
    """The studies behind the theorems: replicates, summaries and figures."""
    input:
        [f"results/theory/{study}.csv" for study in STUDIES],
        [figure_files(f.id) for f in ALL_FIGURES.values() if f.studies and not f.claims],


rule claims:
    """The ledger of claims: every statement of the paper with its verdict."""
    input:
        multiext("results/claims/claims", ".csv", ".json", ".md"),
        "results/claims/parts.csv",


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
    """Everything beyond the paper: comparison, claims and figures (config/extended.yaml)."""
    input:
        extended_wanted(),


for setting in SETTINGS.values():

    rule:
        name:
            setting.id
        input:
            replicate_files(setting.id),
            setting_tables(setting.id),
            [figure_files(f.id) for f in FIGURES.values() if f.setting == setting.id],

    workflow.get_rule(setting.id).docstring = (
        f"{setting.id.replace('_', ' ').capitalize()}: {setting.title[0].lower()}{setting.title[1:]} "
        "(replicates, summaries and figure)."
    )


for figure in ALL_FIGURES.values():
    # The target ``sensitivity`` makes its table and its figure.
    if figure.id != "sensitivity":

        rule:
            name:
                figure.id
            input:
                figure_files(figure.id),

        workflow.get_rule(figure.id).docstring = (
            f"{figure.id.replace('_', ' ').capitalize()} of the paper: {figure.title}."
            if figure.setting
            else f"Figure of the theory: {figure.title}."
        )


for claim in CLAIMS:

    rule:
        name:
            f"claim_{claim}"
        input:
            f"results/claims/pages/{claim}.md",

    workflow.get_rule(f"claim_{claim}").docstring = (
        f"Claim {claim} alone: results/claims/pages/{claim}.md."
    )
