# What figures, notebooks and the ledger are told beside their tables.
from functools import cache


def figure_category(figure):
    """Where a figure stands in Snakemake's report."""
    return f"Figures of the {'paper' if figure.setting else 'theory'}"


def figure_labels(figure):
    """What tells figures apart in Snakemake's report."""
    setting = figure.setting.replace("_", " ").capitalize()
    return {
        "figure": figure.id.replace("_", " ").capitalize(),
        "setting": setting or "studies of our own",
        "shows": f"{figure.title[0].upper()}{figure.title[1:]}",
    }


def notebook_files(notebook):
    """The files of a notebook: with its outputs, and as a page."""
    return multiext(f"results/notebooks/{notebook}", ".ipynb", ".html")


def page_notebooks():
    """Notebooks that the reproduction page links to: those of the default target."""
    return list(NOTEBOOKS.values()) if CONFIG.pages.notebooks else []


def notebook_replicates(notebook):
    """Tables of replicates that a notebook reads."""
    experiments = NOTEBOOKS[notebook].replicates
    return [file for name in experiments for file in replicate_files(name)]


def notebook_parameters(notebook, inputs):
    """What a notebook's cell of parameters is given: where its tables are."""
    parameters = {}
    if NOTEBOOKS[notebook].reads_results:
        parameters["results"] = str(RESULTS)
    if NOTEBOOKS[notebook].replicates:
        parameters["replicates"] = list(inputs.replicates)
    return parameters


@cache
def ledger_config():
    """What the ledger says of the config: its name."""
    # Not at the top: few jobs ask, and all would wait for these imports.
    from penalized_bandits.claims.ledger import config_name
    from penalized_bandits.pages.origin import changed_keys

    return config_name(changed_keys(CONFIG, of_workflow("config/config.yaml")))


def ledger_warning():
    """What a page or figure of the ledger says of a config that is not the paper's."""
    from penalized_bandits.claims.ledger import warning

    return warning({"config": ledger_config()})
