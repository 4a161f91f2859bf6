NAMES = {"default", *EVERY_FIGURE, *EXPERIMENTS}
if taken := [name for name in ALL.sets if name in NAMES or rules.has(name)]:
    raise WorkflowError(f"{ALL.files[taken[0]]}: {', '.join(taken)} is the name of another target")


rule claims:
    """The claims of the paper, each with its verdict."""
    input:
        claims_files(),
        FILES.replicates(*CONFIG.experiments),


for name in ALL.sets:

    rule:
        """A set of scenarios (config/scenarios.yaml): their tables, claims and figures."""
        name:
            name
        input:
            lambda w, name=name: FILES.of_set(name),
        message:
            "The scenarios of {rule} are made"


for name in FILES.targets(EVERY_FIGURE):

    rule:
        """A figure as PDF, SVG and PNG with its caption, and the replicates that it shows."""
        name:
            name
        input:
            lambda w, name=name: FILES.target(name),
        message:
            "The figure {rule} is drawn"


for name in FILES.targets(e for e in EXPERIMENTS if e not in EVERY_FIGURE):

    rule:
        """An experiment: replicates, tables, what its claims measure, and a setting's figure."""
        name:
            name
        input:
            lambda w, name=name: FILES.target(name),
        message:
            "The experiment {rule} is played"


rule no_such_target:
    """Name the targets that there are."""
    input:
        lambda w: FILES.unknown(w.target),
    output:
        r"{target,\w+}",
