# What the rules share: the checked config, the files of each setting and figure, and
# the package files that a result stands on.
from pathlib import Path

from snakemake.exceptions import WorkflowError

from penalized_bandits import provenance
from penalized_bandits.claims import CLAIMS, TOPICS, experiments_of
from penalized_bandits.config import ConfigError, parse_config
from penalized_bandits.figures import FIGURES
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
    figure="|".join(FIGURES),
    group=r"[^/.]+",
    part=r"\d+",
    parts=r"\d+",


def replicate_files(setting):
    """Tables of replicates of an experiment: every part of every group, in order."""
    parts = CONFIG.simulation.chunks
    return [
        f"results/replicates/{setting}/{group}.{part}of{parts}.parquet"
        for group in CONFIG.jobs(setting)
        for part in range(1, parts + 1)
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


def figure_tables(figure):
    """What a figure is drawn from, by the name that its code knows."""
    setting = FIGURES[figure].setting
    tables = {"summary": f"results/summaries/{setting}.csv"}
    if SETTINGS[setting].has_frontier:
        tables["frontier"] = f"results/summaries/{setting}_frontier.csv"
    if SETTINGS[setting].needs_ratings:
        tables["provenance"] = "results/movielens/provenance.json"
    return tables


def ratings_needed(wildcards):
    """The table of rating counts, for settings whose arms are movies."""
    if EXPERIMENTS[wildcards.setting].needs_ratings:
        return ["results/movielens/rating_counts.csv"]
    return []
