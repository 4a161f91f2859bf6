# What the rules share: the checked config, and which code and which keys stand behind a result.
from functools import cache
from time import time

from penalized_bandits.policies import POLICIES
from penalized_replication.claims import CLAIMS
from penalized_replication.config.model import changed_keys, changes, read_papers
from penalized_replication.config.scenarios import FOLDER, Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.notebooks import NOTEBOOKS
from penalized_replication.workflow.code import Code, home_of
from penalized_replication.workflow.paths import *
from penalized_replication.workflow.runs import *

STARTED = time()
ours = lambda name: Path(workflow.source_path(f"../../config/{name}.yaml"))
# A Snakefile that includes this one may have EXTENSIONS beside those of the config.
if isinstance(named := config.get("extensions", []), list):  # what is none is refused below
    config["extensions"] = [*named, *globals().get("EXTENSIONS", [])]
try:
    HOME = home_of(Path(workflow.basedir))
    # Scenarios of the run's own take the place of ours.
    ALL = Scenarios(config, Path("config/scenarios.yaml"), ours("scenarios"), ours("frozen"))
    CONFIG = ALL.config()
    # Else the ratings of an earlier run would be taken for those asked for.
    CONFIG.check_local_files()
except UserError as error:
    raise WorkflowError(str(error)) from None

FILES, CODE = Files(ALL), Code(ALL, HOME / "workflow")
RUNS, keys, hash_of = FILES.runs, FILES.runs.params, CODE.hash_of
papers = cache(lambda: read_papers(ours("config")))


wildcard_constraints:
    scenario=f"({FOLDER}({either(ALL.names)})/)?",
    experiment=either(EXPERIMENTS),
    topic=either(dict.fromkeys(entry.topic for entry in CLAIMS.values())),
    figure=either(EVERY_FIGURE),
    notebook=either(NOTEBOOKS),
    set=either(ALL.sets),


# A file on this machine, seen from the working folder: a copy of the folder is not stale.
here = cache(lambda file: local(str(file).removeprefix(str(Path.cwd() / "_")[:-1])))


def of_workflow(*paths):
    """What lists files that come with the workflow, wherever the run is."""
    # From a host, where a copy made anew is no news.
    from_host = lambda path: ancient(workflow.source_path(f"../../{path}"))
    files = lambda w: [here(HOME / p) if (HOME / p).is_file() else from_host(p) for p in paths]
    return files if len(paths) > 1 else lambda w: files(w)[0]


def code(script, **plugins):
    """What lists the files of code behind a script and plug-ins, whose ids wildcards tell."""
    CODE.plugins[script] = plugins
    return lambda w: [*map(here, CODE.behind(script, w))]


onsuccess:
    from penalized_replication.workflow.closing import closing_lines

    print(*closing_lines(Path(rules.get_ratings.output.counts).parents[1], STARTED), sep="\n")
