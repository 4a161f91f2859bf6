# What the rules share: the checked config, the files of each setting and figure, and
# the package files that a result stands on.
from snakemake.exceptions import WorkflowError

from penalized_bandits import provenance
from penalized_bandits.config import ConfigError, parse_config
from penalized_bandits.figures import FIGURES
from penalized_bandits.settings import SETTINGS

try:
    CONFIG = parse_config(config)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

# The values used, defaults filled in: a result goes stale when one of them changes.
VALUES = CONFIG.model_dump()


wildcard_constraints:
    setting="|".join(SETTINGS),
    figure="|".join(FIGURES),
    group=r"[^/.]+",
    part=r"\d+",
    parts=r"\d+",


def replicate_files(setting):
    """Tables of replicates of a setting: every part of every group, in order."""
    parts = CONFIG.simulation.chunks
    return [
        f"results/replicates/{setting}/{group}.{part}of{parts}.parquet"
        for group in SETTINGS[setting].groups(CONFIG.section(setting))
        for part in range(1, parts + 1)
    ]


def setting_tables(setting):
    """Tables that a setting's figure is drawn from."""
    tables = [f"results/summaries/{setting}.csv"]
    if SETTINGS[setting].has_frontier:
        tables.append(f"results/summaries/{setting}_frontier.csv")
    return tables


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


def local_ratings(wildcards):
    """The user's own file, where the config names one: it makes results stale."""
    if CONFIG.movielens.source == "archive":
        return [CONFIG.movielens.archive]
    if CONFIG.movielens.source == "table":
        return [CONFIG.movielens.table.path]
    return []


def ratings_needed(wildcards):
    """The table of rating counts, for settings whose arms are movies."""
    if SETTINGS[wildcards.setting].needs_ratings:
        return ["results/movielens/rating_counts.csv"]
    return []
