# What the rules share: the checked config, this run's folder, and what results are made with.
import atexit
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.enums import Quietness

from penalized_bandits.claims import CLAIMS, TOPICS, experiments_of, switches
from penalized_bandits.config import parse_config
from penalized_bandits.config.files import check_keys
from penalized_bandits.common.errors import ConfigError, RunError
from penalized_bandits.experiments.catalogue import EXPERIMENTS, STUDIES, experiment
from penalized_bandits.figures import ALL_FIGURES, EXTENDED_FIGURES, SHARP_FIGURES
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.storage.origins import digest_of
from penalized_bandits.workflow import planned
from penalized_bandits.workflow.estimate import Estimate
from penalized_bandits.workflow.made_with import MadeWith
from penalized_bandits.workflow.params import *
from penalized_bandits.workflow.paths import *
from penalized_bandits.workflow.plan import Plan, asks, counts_before
from penalized_bandits.workflow.staleness import PACKAGE

# Snakemake hands Python's path to a shell as it stands; with a space or a quote in it no job
# would begin.
if Path(sys.executable).exists():
    sys.executable = shlex.quote(sys.executable)

try:
    # Snakemake has read these, and of a key that stands twice kept the last.
    for path in workflow.configfiles if workflow.is_main_process else ():
        check_keys(path)
    CONFIG = parse_config(config)
    # Else the ratings of an earlier run would be taken for those asked for.
    CONFIG.check_local_files()
except ConfigError as error:
    raise WorkflowError(str(error)) from None

# Where the workflow lies; the rules of a module may come from a host instead.
HOME = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parents[1]
SOURCES = HOME / "src/penalized_bandits"
# A plain installation is a copy of the package.
if workflow.is_main_process and SOURCES.is_dir() and not SOURCES.samefile(PACKAGE):
    logger.warning(
        f"Edits in {SOURCES} do nothing: the package that runs is installed in "
        f"{PACKAGE}. To run the sources: pip install -e {HOME}"
    )

MADE = MadeWith(CONFIG)
try:
    planned.plan(MADE.config, HOME / "workflow/scripts", CONFIG.local_files().values())
except RunError as error:
    raise WorkflowError(str(error)) from None


envvars:
    planned.VARIABLE,


# The values used, defaults filled in: a result goes stale when one of them changes.
VALUES = MADE.config
FILES = Files(CONFIG)
FIGURES = {
    **ALL_FIGURES,
    **(EXTENDED_FIGURES if CONFIG.extensions else {}),
    **(SHARP_FIGURES if CONFIG.sharp_studies else {}),
}

# Where the results are: elsewhere if a module's prefix says so.
RESULTS = Path(workflow.modifier.path_modifier.replace_prefix("results/"))
COUNTS_BEFORE = counts_before(CONFIG, RESULTS)
PLAN = Plan(CONFIG, COUNTS_BEFORE)
ESTIMATE = Estimate(CONFIG, COUNTS_BEFORE, RESULTS)
# None where they are not given, as on a cluster.
CORES = workflow.resource_settings.cores

QUIET = Quietness.ALL in (workflow.output_settings.quiet or ())


wildcard_constraints:
    experiment=either([*EXPERIMENTS, *CONFIG.beyond]),
    topic=either(TOPICS),
    claim=either(CLAIMS),
    figure=either(FIGURES),
    notebook=either(NOTEBOOKS),
    ratings=either(COUNTED),


# Not to standard output, where a dry run's own lines are, and tables or JSON that are asked for.
if workflow.is_main_process and workflow.output_settings.dryrun and not QUIET:
    print(PLAN.describe(), file=sys.stderr, flush=True)


def begin_run():
    """Refuse what cannot fit; say what each job does in a line."""
    # On a cluster the nodes have the memory.
    if ESTIMATE.problem and (workflow.local_exec or " of disk " in ESTIMATE.problem):
        raise WorkflowError(ESTIMATE.problem)
    # A line for each job here, not its files and resources; dry runs list those, and clusters.
    ours = [r for r in workflow.rules if r.docstring and not r.message]
    for each in ours if workflow.local_exec else ():
        words = ["rule", each.name, *(["{wildcards}"] if each.has_wildcards() else [])]
        each.message = f"{' '.join(words)}: {each.docstring.splitlines()[0]}"


def end_run():
    """Say where to look, after Snakemake's own last words."""
    if not QUIET and any(job.rule.name == "write_index" for job in workflow.dag.jobs):
        ledger = f"the ledger of claims: {RESULTS}/claims/claims.md"
        done = f"Done. Open {RESULTS}/index.html ({ledger})"
        atexit.register(print, done, file=sys.stderr)
