# What users ask for by name.


rule all:
    """Every table and figure of the paper (the default)."""
    input:
        [setting_tables(setting) for setting in SETTINGS],
        [figure_files(figure) for figure in FIGURES],
        "results/movielens/provenance.json",


rule movielens:
    """MovieLens rating counts, checked, and where they came from."""
    input:
        "results/movielens/rating_counts.csv",
        "results/movielens/provenance.json",


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


for figure in FIGURES.values():

    rule:
        name:
            figure.id
        input:
            figure_files(figure.id),

    workflow.get_rule(figure.id).docstring = (
        f"{figure.id.replace('_', ' ').capitalize()} of the paper: {figure.title}."
    )
