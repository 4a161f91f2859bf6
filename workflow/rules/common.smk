# What the rules share: the checked config, the files of each setting and figure, and
# the package files that a result stands on.
import atexit
import shlex
import sys
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.enums import Quietness

from penalized_bandits import provenance
from penalized_bandits.catalogue import experiment
from penalized_bandits.claims import CLAIMS, TOPICS, experiments_of, switches
from penalized_bandits.config import DEFAULT_DATASET, ConfigError, parse_config
from penalized_bandits.config_files import check_keys
from penalized_bandits.errors import RunError
from penalized_bandits.figures import ALL_FIGURES, EXTENDED_FIGURES, FIGURES
from penalized_bandits.figures.tables import tables_of
from penalized_bandits.identity import Identity
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.runs import Run
from penalized_bandits.origins import beside, sha256_of, unharmed
from penalized_bandits.settings import SETTINGS
from penalized_bandits.studies import EXPERIMENTS, STUDIES

# Snakemake hands Python's path to a shell as it stands; with a space or a quote in it no job
# would begin.
if Path(sys.executable).exists():
    sys.executable = shlex.quote(sys.executable)

try:
    # Snakemake has read these, and of a key that stands twice kept the last.
    for path in workflow.configfiles if workflow.is_main_process else ():
        check_keys(path)
    CONFIG = parse_config(config)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

# Where the workflow lies; the rules of a module may come from a host instead.
HOME = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parents[1]
SOURCES = HOME / "src/penalized_bandits"
# A plain installation is a copy of the package.
if workflow.is_main_process and SOURCES.is_dir():
    if not SOURCES.samefile(provenance.PACKAGE):
        logger.warning(
            f"Edits in {SOURCES} do nothing: the package that runs is installed in "
            f"{provenance.PACKAGE}. To run the sources: pip install -e {HOME}"
        )

# Snakemake is content with an output whose input is gone: the ratings of an earlier run
# would be taken for those asked for.
for key, path in CONFIG.local_files().items():
    if not Path(path).is_file():
        raise WorkflowError(f"{key}: there is no file {path!r}")

# The values used, defaults filled in: a result goes stale when one of them changes.
VALUES = CONFIG.model_dump()
IDENTITY = Identity(CONFIG)

# Where the results are: elsewhere if a module's prefix says so.
RESULTS = Path(workflow.modifier.path_modifier.replace_prefix("results/"))

# Nothing is looked at before the folder is this run's.  Dry runs, and jobs on other
# machines, which read the rules again, only look.
RUN = Run()
RUN.keep_notes(logger.warning, RESULTS)
if workflow.is_main_process and not workflow.output_settings.dryrun:
    RUN.prepare(logger.warning, RESULTS)
# Where it is younger than the results nobody knows what they were made with.
NOTES = str(RUN.notes)


wildcard_constraints:
    setting="|".join(EXPERIMENTS),
    extension="|".join(CONFIG.extensions) or "none",
    study="|".join(STUDIES),
    topic="|".join(TOPICS),
    claim="|".join(CLAIMS),
    figure="|".join(ALL_FIGURES),
    extended_figure="|".join(EXTENDED_FIGURES),
    notebook="|".join(NOTEBOOKS),
    group=r"[^/.]+",
    part=r"\d+",
    parts=r"\d+",


def section_values(name):
    """The section of an experiment as values, defaults filled in."""
    return VALUES[name] if name in EXPERIMENTS else VALUES["extended"][name]


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


def extended_origin(code=()):
    """What is made with all replicates beyond the paper."""
    return IDENTITY.origin(code, CONFIG.extensions)


def many_thresholds():
    """The thresholds of ratings m0 of the experiments beyond the paper."""
    sections = [section_values(name) for name in CONFIG.extensions]
    return sorted({m0 for section in sections for m0 in section.get("m0", [])})


def begin_run():
    """Take the folder for this run, and clear away what a killed one left."""
    try:
        RUN.begin(RESULTS, dated=["config", HOME / "workflow", provenance.PACKAGE])
    except RunError as error:
        raise WorkflowError(str(error)) from None
    # For its limit of jobs a second Snakemake looks at all jobs again a second after each, for
    # as long as any is ready, and asks for the size of all their inputs.
    if workflow.local_exec and hasattr(workflow.scheduler, "job_rate_limiter"):
        workflow.scheduler.job_rate_limiter = None
    # A line for each job here, not its files and resources; dry runs list those, and clusters.
    for each in workflow.rules if workflow.local_exec else ():
        words = ["rule", each.name, *(["{wildcards}"] if each.has_wildcards() else [])]
        each.message = f"{' '.join(words)}: {each.docstring.splitlines()[0]}"


def end_run():
    """Say where to look, after Snakemake's own last words."""
    quiet = Quietness.ALL in (workflow.output_settings.quiet or ())
    if not quiet and any(job.rule.name == "write_index" for job in workflow.dag.jobs):
        found = (
            f"{RESULTS}/index.html (the ledger of claims: {RESULTS}/claims/claims.md)"
        )
        atexit.register(print, f"Done. Open {found}", file=sys.stderr)


def of_workflow(path):
    """A file that comes with the workflow, wherever the run is."""
    file, here = (HOME / path).resolve(), Path.cwd()
    if not file.is_file():
        return workflow.source_path(f"../../{path}")
    # Seen from here, so that nothing is stale in a copy of the folder.
    return local(str(file.relative_to(here) if file.is_relative_to(here) else file))


def origins_of(files):
    """Where the origins of files are: one for all that share a name."""
    return list(dict.fromkeys(str(beside(file)) for file in files))


def watch_scripts():
    """Make the contents of scripts params: Snakemake itself would go by their times."""
    for each in workflow.rules:
        if each.script:
            script = each.basedir.join(each.script).get_path_or_uri(secret_free=True)
            each.set_params(script=sha256_of(script))


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


def readings_of(setting):
    """The readings that a setting's results depend on."""
    return {name: VALUES["readings"][name] for name in experiment(setting).readings}


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
