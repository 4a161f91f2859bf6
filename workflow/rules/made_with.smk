# What results are made with: the config behind them, and the hashes of config and code that
# go into their origins.
from functools import cache


def section_values(name):
    """The section of an experiment as values, defaults filled in."""
    return VALUES[name] if name in EXPERIMENTS else VALUES["extended"][name]


def extended_origin(code=()):
    """What is made with all replicates beyond the paper."""
    return IDENTITY.origin(code, CONFIG.extensions)


def many_thresholds():
    """The thresholds of ratings m0 of the experiments beyond the paper."""
    sections = [section_values(name) for name in CONFIG.extensions]
    return sorted({m0 for section in sections for m0 in section.get("m0", [])})


def flips_of(reading):
    """What is changed of each experiment that a reading can touch, for the sensitivity."""
    flipped = switches.flipped(reading, VALUES["readings"])
    return {
        experiment: {
            "readings": {reading: flipped[reading]},
            "replicates": CONFIG.sensitivity.of(experiment),
        }
        for experiment in switches.touched(reading)
    }


def all_flips():
    """The same, of all readings."""
    return {reading: flips_of(reading) for reading in switches.readings()}


def simulation_origin(setting):
    """What the replicates of an experiment are made with."""
    return IDENTITY.origin([], [setting])


def summary_origin(setting):
    """What the summary and the frontier of an experiment are made with."""
    return IDENTITY.origin(provenance.summary_code(), [setting])


def topic_origin(topic):
    """What the claims of a topic are made with."""
    return IDENTITY.origin(provenance.claim_code(topic), experiments_of(topic))


def ledger_origin(code=(), flips=None, **more):
    """What the ledger is made with, or something that shows all of it."""
    code = [*provenance.sensitivity_code(), *provenance.ledger_code(), *code]
    return IDENTITY.origin(code, EXPERIMENTS, flips, **more)


def figure_origin(figure):
    """What a figure is made with."""
    wanted = ALL_FIGURES[figure]
    code = provenance.figure_code(wanted)
    if wanted.claims:
        return ledger_origin(code, all_flips(), sensitivity=VALUES["sensitivity"])
    topics = [path for topic in wanted.topics for path in provenance.claim_code(topic)]
    code = [*code, *provenance.summary_code(), *topics]
    return IDENTITY.origin(code, wanted.experiments)


def notebook_origin(notebook):
    """What a notebook is made with."""
    wanted = NOTEBOOKS[notebook]
    code = provenance.notebook_code(wanted)
    if any(table.startswith("claims/") for table in wanted.tables):
        return ledger_origin([*code, *provenance.summary_code()])
    return IDENTITY.origin([*code, *provenance.summary_code()], wanted.replicates)


def page_origin():
    """What the reproduction page is made with: everything."""
    code = [*provenance.page_code(), *provenance.result_code(CONFIG)]
    return ledger_origin(code, all_flips(), sensitivity=VALUES["sensitivity"])


def sensitivity_origin():
    """What claim by reading is made with."""
    return ledger_origin(flips=all_flips(), sensitivity=VALUES["sensitivity"])


def flipped_origin(reading, experiment):
    """What the replicates of an experiment with a reading flipped are made with."""
    changes = flips_of(reading)[experiment]
    return IDENTITY.origin([], flipped={reading: {experiment: changes}})


def simulated_at_once():
    """What the job is told that simulates every experiment: for `simulation.jobs: all`."""
    return [
        {
            "experiment": experiment,
            "section": VALUES[experiment],
            "replicates": CONFIG.section(experiment).replicates,
            "readings": readings_of(experiment),
            "in_force": None,
            "origin": simulation_origin(experiment),
        }
        for experiment in EXPERIMENTS
    ]


def flipping_rules():
    """The readings that each rule simulates flipped, by the rule's name."""
    if CONFIG.simulation.jobs == "all":
        return {"simulate_readings": switches.readings()}
    return {f"simulate_{reading}": [reading] for reading in switches.readings()}


def touched_by(readings):
    """The experiments that some readings can touch, again for each reading."""
    return [experiment for r in readings for experiment in switches.touched(r)]


def simulated_flipped(reading):
    """What a job is told that simulates what a reading can touch with it flipped."""
    return [
        {
            "experiment": experiment,
            "section": VALUES[experiment],
            "replicates": min(
                changes["replicates"], CONFIG.section(experiment).replicates
            ),
            "readings": {**readings_of(experiment), **changes["readings"]},
            # What is the same with these is not simulated again.
            "in_force": readings_of(experiment),
            "origin": flipped_origin(reading, experiment),
        }
        for experiment, changes in flips_of(reading).items()
    ]


def simulation_code(experiments):
    """The package files behind the replicates of some experiments."""
    return sorted(
        {
            path
            for experiment in experiments
            for path in provenance.simulation_code(
                EXPERIMENTS[experiment], CONFIG.section(experiment)
            )
        }
    )


def ratings_origin():
    """What the table of rating counts is made with."""
    movielens = ratings_section()
    return IDENTITY.origin(provenance.ratings_code(), movielens=movielens)


def ratings_section():
    """What the config says of the ratings, but for what cannot change them."""
    left_out = ["timeout_seconds", "retries"]
    # The data set of the paper goes without saying: its results stay those of before.
    left_out += ["dataset"] if CONFIG.movielens.dataset == DEFAULT_DATASET else []
    wanted = {k: v for k, v in VALUES["movielens"].items() if k not in left_out}
    return wanted | local_ratings()


@cache
def local_ratings():
    """The content of the user's own ratings: a file put in their place may be older."""
    return {key: sha256_of(path) for key, path in CONFIG.local_files().items()}


def expected_origins():
    """What each file of the results must be made with, by the file of its origin."""
    ratings, sensitivity = ratings_origin(), sensitivity_origin()
    found = {
        "results/movielens/rating_counts.csv": ratings,
        "results/movielens/provenance.json": ratings,
        "results/claims/sensitivity.csv": sensitivity,
        "results/sensitivity/claims.json": sensitivity,
        "results/claims/claims.csv": ledger_origin(),
        "results/claims/parts.csv": ledger_origin(),
    }
    for name in EXPERIMENTS:
        found |= dict.fromkeys(replicate_files(name), simulation_origin(name))
    for name in SETTINGS:
        found |= dict.fromkeys(setting_tables(name), summary_origin(name))
    for name in STUDIES:
        found[f"results/theory/{name}.csv"] = summary_origin(name)
    for name in TOPICS:
        found[f"results/claims/topics/{name}.json"] = topic_origin(name)
    for name in ALL_FIGURES:
        found[f"results/figures/{name}.svg"] = figure_origin(name)
    for reading in switches.readings():
        for name, file in zip(switches.touched(reading), flipped_files(reading)):
            found[file] = flipped_origin(reading, name)
    return {
        str(beside(RESULTS / Path(file).relative_to("results"))): [
            origin["config"],
            origin["code"],
        ]
        for file, origin in found.items()
    }


def readings_of(setting):
    """The readings that a setting's results depend on."""
    return {name: VALUES["readings"][name] for name in experiment(setting).readings}


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
