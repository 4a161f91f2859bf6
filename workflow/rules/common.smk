# What the rules share: the checked config, and the params by which results go stale.
import sys

from snakemake.io import IOFile

from penalized_replication.claims import CLAIMS, TOPICS
from penalized_bandits.common.errors import UserError
from penalized_replication.config.scenarios import FOLDER, Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS, STUDIES
from penalized_replication.experiments.catalogue import beyond, experiment
from penalized_replication.figures import ALL_FIGURES, COMPARED
from penalized_replication.figures import EVERY_FIGURE, SHARP_FIGURES
from penalized_replication.notebooks import NOTEBOOKS
from penalized_bandits.policies import POLICIES
from penalized_replication.workflow import planned
from penalized_replication.workflow.code import LIBRARY, PACKAGE, Code
from penalized_replication.workflow.paths import *
from penalized_replication.workflow.runs import *

# Where the workflow lies, if on this machine; the rules of a module may come from a host.
PLACES = (Path(workflow.basedir), Path(workflow.basedir).parent, PACKAGE.parents[2])
HOME = next((p for p in PLACES if (p / "workflow/rules/common.smk").is_file()), PACKAGE)
# Jobs start by the one path, and inputs have the other, where braces are wildcards.
elsewhere = str(HOME.resolve()).removeprefix(str(Path.cwd()))
for path, signs in ((sys.executable, " '\"$&;()"), (elsewhere, "{}")):
    if {*path} & {*signs}:
        raise WorkflowError(f"{path}: Snakemake takes no path with any of {signs!r}")
SOURCES = [HOME / "src/library" / LIBRARY.name, HOME / "src/replication" / PACKAGE.name]
# A plain installation is a copy of the packages.
if not all(s.samefile(p) for s, p in zip(SOURCES, (LIBRARY, PACKAGE)) if s.is_dir()):
    print(
        f"Edits in {HOME / 'src'} do nothing: the packages that run are in {LIBRARY} and {PACKAGE}. "
        "To run the sources: pip install -e src/library -e src/replication",
        file=sys.stderr,
    )

# Scenarios of the run's own take the place of ours.
SCENARIOS = Path("config/scenarios.yaml")
if not SCENARIOS.is_file():
    SCENARIOS = Path(workflow.source_path(f"../../{SCENARIOS}"))
try:
    # Snakemake keeps the last of a key that stands twice, and reads 010 as 8.
    for file in filter(Path.is_file, map(Path, workflow.configfiles)):
        read(file, config)
    check_entries(workflow.config_settings.config_args, config)
    ALL = Scenarios(config, SCENARIOS)
    CONFIG = ALL.config()
    # Else the ratings of an earlier run would be taken for those asked for.
    CONFIG.check_local_files()
    VALUES, CODE = CONFIG.model_dump(mode="json"), Code(ALL, HOME / "workflow/scripts")
    planned.plan([VALUES, ALL.sets], CODE.files())
except UserError as error:
    raise WorkflowError(str(error)) from None

FILES = Files(ALL)
RUNS = FILES.runs
SHARP, BEYOND = f"{FOLDER}sharp", f"{FOLDER}extended"
ALL_EXPERIMENTS = EXPERIMENTS | beyond()
run_of = lambda w: RUNS.run(w.scenario, w.experiment)
sections = lambda folder, names: sections_of(RUNS.config(folder), names)
# The folder of results: a module's is elsewhere, as the outputs of its rules say.
results = lambda: Path(rules.get_ratings.output.counts).parents[1]


wildcard_constraints:
    scenario=f"({FOLDER}({either(ALL.names)})/)?",
    experiment=either(ALL_EXPERIMENTS),
    part=r"\d+",
    parts=r"\d+",
    topic=either(TOPICS),
    figure=either(EVERY_FIGURE),
    notebook=either(NOTEBOOKS),
    set=either(ALL.sets),


def stands_on(script, one_of="", keys=lambda w: [], most=40, **plugins):
    """What a result stands on, a param each: Snakemake then shows those that changed."""
    found = {f"code_{i}": value for i, value in enumerate(CODE.of(script, **plugins))}
    found["made_with"] = lambda w, input: RUNS.made_with(input)
    if not one_of:
        return found
    name = lambda w: (w.get(one_of, one_of), w.get("scenario", ""))
    more = lambda w: CODE.alone(script, *name(w)) + keys(w)
    found |= {f"more_{i}": lambda w, i=i: more(w)[i : i + 1] for i in range(most)}
    return found | {"more": lambda w: more(w)[most:]}


def given(values):
    """A param for the script alone: Snakemake compares none that depends on threads."""
    return lambda wildcards, threads: values(wildcards)


def check(result):
    """End the run if another config made a result of which Snakemake has no record."""
    file = IOFile(str(results() / Path(result).relative_to("results")))
    try:
        if not workflow.persistence.metadata(file):
            planned.check_made_with(RUNS.made_with([file]))
    except Exception as error:
        # After an exception Snakemake would take the file for one that no rule makes.
        sys.exit(str(error) if isinstance(error, UserError) else f"{file}: {error!r}")


def of_workflow(path):
    """A file that comes with the workflow, wherever the run is."""
    file, here = (HOME / path).resolve(), Path.cwd()
    if not file.is_file():
        # From a host, where a copy made anew is no news.
        return ancient(workflow.source_path(f"../../{path}"))
    # Seen from here, so that nothing is stale in a copy of the folder.
    return local(str(file.relative_to(here) if file.is_relative_to(here) else file))


def published_or(made, published):
    """A file of this run, if its folder has it, else the published one in docs."""
    file, docs = f"results/{made}", f"docs/{published}"
    return lambda w: file if (results() / made).exists() else of_workflow(docs)


verdicts_of = lambda name: published_or(f"{FOLDER}{name}.csv", f"published/{name}.csv")


def of_sharp(made, published):
    """The files of the figures on the sharp constants."""
    place = f"{SHARP}/figures"
    pairs = [(f"{place}/{f}.{made}", f"images/{f}.{published}") for f in SHARP_FIGURES]
    return lambda w: [published_or(*pair)(w) for pair in pairs]


def drawn_from(wildcards):
    """The tables of a figure; for one of verdicts the paper's config, to say what differs."""
    tables = FILES.tables(wildcards.figure, wildcards.scenario)
    if name := EVERY_FIGURE[wildcards.figure].scenarios:
        tables["verdicts"] = verdicts_of(name)(wildcards)
        tables["papers"] = of_workflow("config/config.yaml")
    return tables


onsuccess:
    # Here: it takes a tenth of a second, and every job reads the rules.
    from penalized_replication.workflow.closing import closing_lines

    print("\n".join(closing_lines(Path("results"))))
