# What the rules share: the checked config, the files of each setting and figure, and
# the package files that a result stands on.
from pathlib import Path

from snakemake.exceptions import WorkflowError

from penalized_bandits import provenance
from penalized_bandits.claims import CLAIMS, TOPICS, experiments_of, switches
from penalized_bandits.config import ConfigError, parse_config
from penalized_bandits.figures import ALL_FIGURES, FIGURES
from penalized_bandits.figures.tables import tables_of
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.settings import SETTINGS
from penalized_bandits.studies import EXPERIMENTS, STUDIES

try:
    CONFIG = parse_config(config)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

# Snakemake is content with an output whose input is gone: the ratings of an earlier run
# would be taken for those asked for.
for key, path in CONFIG.local_files().items():
    if not Path(path).is_file():
        raise WorkflowError(f"{key}: there is no file {path!r}")

# The values used, defaults filled in: a result goes stale when one of them changes.
VALUES = CONFIG.model_dump()


wildcard_constraints:
    setting="|".join(EXPERIMENTS),
    study="|".join(STUDIES),
    topic="|".join(TOPICS),
    claim="|".join(CLAIMS),
    figure="|".join(ALL_FIGURES),
    notebook="|".join(NOTEBOOKS),
    group=r"[^/.]+",
    part=r"\d+",
    parts=r"\d+",


def replicate_files(setting):
    """Tables of replicates of an experiment: every part of every group, in order."""
    parts = CONFIG.parts(setting)
    return [
        f"results/replicates/{setting}/{group}.{part}of{parts}.parquet"
        for group in CONFIG.jobs(setting)
        for part in range(1, parts + 1)
    ]


def flipped_files(reading):
    """Tables of replicates of the experiments that a reading can touch."""
    return [
        f"results/sensitivity/{reading}/{experiment}.parquet"
        for experiment in switches.touched(reading)
    ]


def setting_tables(setting):
    """Tables that a setting's figure is drawn from."""
    tables = [f"results/summaries/{setting}.csv"]
    if SETTINGS[setting].has_frontier:
        tables.append(f"results/summaries/{setting}_frontier.csv")
    return tables


def readings_of(setting):
    """The readings that a setting's results depend on."""
    return {name: VALUES["readings"][name] for name in EXPERIMENTS[setting].readings}


def figure_files(figure):
    """The files of a figure, caption included."""
    return multiext(f"results/figures/{figure}", ".pdf", ".svg", ".png", ".md")


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


def figure_tables(figure):
    """What a figure is drawn from, by the name that its code knows."""
    tables = tables_of(ALL_FIGURES[figure])
    return {name: f"results/{path}" for name, path in tables.items()}


def figure_section(figure):
    """The config behind a figure: its setting's section, or all sections by name."""
    wanted = ALL_FIGURES[figure]
    if wanted.setting:
        return VALUES[wanted.setting]
    return {
        name: VALUES[name]
        for name in (*wanted.studies, *wanted.claims)
        if name in VALUES
    }


def figure_readings(figure):
    """The readings that a figure depends on: all of them, if it shows the ledger alone."""
    experiments = ALL_FIGURES[figure].experiments
    if not experiments:
        return VALUES["readings"]
    return {
        k: v for experiment in experiments for k, v in readings_of(experiment).items()
    }


def notebook_files(notebook):
    """The files of a notebook: with its outputs, and as a page."""
    return multiext(f"results/notebooks/{notebook}", ".ipynb", ".html")


def page_notebooks():
    """Notebooks that the reproduction page links to: those of the default target."""
    wanted = NOTEBOOKS.values() if CONFIG.pages.notebooks else ()
    return {n.title: f"results/notebooks/{n.id}.html" for n in wanted}


def notebook_replicates(notebook):
    """Tables of replicates that a notebook reads."""
    experiments = NOTEBOOKS[notebook].replicates
    return [file for name in experiments for file in replicate_files(name)]


def notebook_parameters(notebook):
    """What a notebook's cell of parameters is given: where its tables are."""
    parameters = {}
    if NOTEBOOKS[notebook].reads_results:
        parameters["results"] = "results"
    if NOTEBOOKS[notebook].replicates:
        parameters["replicates"] = notebook_replicates(notebook)
    return parameters


def ratings_needed(wildcards):
    """The table of rating counts, for settings whose arms are movies."""
    if EXPERIMENTS[wildcards.setting].needs_ratings:
        return ["results/movielens/rating_counts.csv"]
    return []
