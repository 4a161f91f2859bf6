# What rules ask for: files that come with the workflow, and topics of claims.


def of_workflow(path):
    """A file that comes with the workflow, wherever the run is."""
    file, here = (HOME / path).resolve(), Path.cwd()
    if not file.is_file():
        # From a host, where a copy made anew is no news.
        return ancient(workflow.source_path(f"../../{path}"))
    # Seen from here, so that nothing is stale in a copy of the folder.
    return local(str(file.relative_to(here) if file.is_relative_to(here) else file))


def published(what):
    """What is said of this config beside the paper's own."""
    return what(CONFIG, of_workflow("config/config.yaml"))


def published_or(made, published):
    """A file of this run, if its config makes it, else the published one."""
    there = made in (*FILES.extended(), *FILES.sharp())
    return lambda w: made if there else of_workflow(published)


def watch_scripts():
    """Make the contents of scripts params: Snakemake itself would go by their times."""
    for each in workflow.rules:
        folder = Path(each.basedir.get_path_or_uri(secret_free=True))
        # Around a module there are rules of the user's; a module from a host has no files here.
        if each.script and HOME in folder.parents and folder.is_dir():
            each.set_params(script=digest_of(folder / each.script))


def topics_of(wildcards):
    """The topics whose claims a job decides: one, or all where one job decides everything."""
    return list(TOPICS) if AT_ONCE else [wildcards.topic]


def behind(wildcards):
    """The experiments that they stand on."""
    return list(
        dict.fromkeys(e for t in topics_of(wildcards) for e in experiments_of(t))
    )


def ratings_for(*experiments):
    """The ratings that simulations of experiments need, whose size is noted."""
    for each in experiments:
        ESTIMATE.ask(each)
    return ratings_files(experiments)


def decided_on(experiments):
    """The replicates that claims are decided on, by experiment."""
    for each in experiments:
        ESTIMATE.ask(each, decided=True)
    return {each: FILES.replicates(each) for each in experiments}
