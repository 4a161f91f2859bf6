# Which files there are: of each experiment, figure and topic.


def extended_wanted():
    """What the target `extended` makes; without its section, a file that says what is missing."""
    if not CONFIG.extensions:
        return [
            "the section extended of the config: add --configfile config/extended.yaml"
        ]
    return [
        *(file for name in CONFIG.extensions for file in extension_tables(name)),
        *multiext("results/extended/comparison", ".csv", ".md"),
        *multiext("results/extended/claims", ".csv", ".json", ".md"),
        *(
            file
            for figure in EXTENDED_FIGURES
            for file in extended_figure_files(figure)
        ),
    ]


def extension_tables(name):
    """Tables of an experiment beyond the paper: its summary, and its frontier if it has one."""
    tables = [f"results/extended/{name}.csv"]
    if experiment(name).has_frontier:
        tables.append(f"results/extended/{name}_frontier.csv")
    return tables


def extended_figure_tables(figure):
    """What a figure beyond the paper is drawn from, by the name that its code knows."""
    names = EXTENDED_FIGURES[figure].tables
    return {name: f"results/extended/{name}.csv" for name in names}


def extended_figure_files(figure):
    """The files of a figure beyond the paper, caption included."""
    return multiext(f"results/extended/figures/{figure}", ".pdf", ".svg", ".png", ".md")


def many_ratings_needed(wildcards):
    """The table of rating counts that the arms of an experiment beyond the paper are from."""
    table = "results/extended/rating_counts.csv"
    return (
        [table, str(beside(table))]
        if experiment(wildcards.extension).needs_ratings
        else []
    )


def origins_of(files):
    """Where the origins of files are: one for all that share a name."""
    return list(dict.fromkeys(str(beside(file)) for file in files))


def replicate_files(setting):
    """Tables of replicates of an experiment: every part of every group, in order."""
    parts = CONFIG.parts(setting)
    folder = "results" if setting in EXPERIMENTS else "results/extended"
    return [
        f"{folder}/replicates/{setting}/{group}.{part}of{parts}.parquet"
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


def figure_files(figure):
    """The files of a figure, caption included."""
    return multiext(f"results/figures/{figure}", ".pdf", ".svg", ".png", ".md")


def study_tables():
    """The summaries of the studies behind the theorems."""
    return [f"results/theory/{study}.csv" for study in STUDIES]


def ledger_files():
    """The ledger of claims, and claim by reading."""
    ledger = [f"results/claims/claims.{suffix}" for suffix in ("csv", "json", "md")]
    return [*ledger, "results/claims/parts.csv", "results/claims/sensitivity.csv"]


def same_files():
    """What comes out the same, byte for byte, whenever and however it is made."""
    return [
        "results/movielens/rating_counts.csv",
        *(table for setting in SETTINGS for table in setting_tables(setting)),
        *study_tables(),
        *ledger_files(),
        *(file for figure in ALL_FIGURES for file in figure_files(figure)),
    ]


def kept_files():
    """What is checked besides: it holds times, or depends on how the work is split."""
    return [
        "results/movielens/provenance.json",
        *(file for experiment in EXPERIMENTS for file in replicate_files(experiment)),
        *(file for reading in switches.readings() for file in flipped_files(reading)),
        *(f"results/claims/topics/{topic}.json" for topic in TOPICS),
        "results/sensitivity/claims.json",
    ]


def figure_tables(figure):
    """What a figure is drawn from, by the name that its code knows."""
    tables = tables_of(ALL_FIGURES[figure])
    return {name: f"results/{path}" for name, path in tables.items()}


def ratings_needed(wildcards):
    """The table of rating counts, for settings whose arms are movies."""
    return ratings_files(experiment(wildcards.setting).needs_ratings)


def ratings_of(experiments):
    """The table of rating counts, if the arms of one of some experiments are movies."""
    return ratings_files(any(EXPERIMENTS[e].needs_ratings for e in experiments))


def ratings_files(needed):
    """The table of rating counts and its origin, if they are needed."""
    table = "results/movielens/rating_counts.csv"
    return [table, str(beside(table))] if needed else []
