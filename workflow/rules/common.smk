# What the rules share: the checked config, the folder of this run, and the files that come with
# the workflow.
import atexit
import shlex
import sys
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


def watch_scripts():
    """Make the contents of scripts params: Snakemake itself would go by their times."""
    for each in workflow.rules:
        folder = Path(each.basedir.get_path_or_uri(secret_free=True))
        # Around a module there are rules of the user's; a module from a host has no files here.
        if each.script and HOME in folder.parents and folder.is_dir():
            each.set_params(script=sha256_of(folder / each.script))
