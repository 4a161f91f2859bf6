# What users ask for by name, beside everything.
# The Snakefile at the top has the rule default.
TAKEN = {"default", *EVERY_FIGURE, *ALL_EXPERIMENTS}
if taken := [name for name in ALL.sets if name in TAKEN or rules.has(name)]:
    why = "the name of a rule, figure or experiment: give the set another"
    raise WorkflowError(f"{SCENARIOS}: {', '.join(taken)} is {why}")
has_home = lambda name: FILES.home(name) is not None


rule claims:
    """The ledger of claims: every statement of the paper with its verdict."""
    input:
        claims_files(),
        FILES.replicates(*CONFIG.experiments),
    message:
        "The claims are decided"


for name in ALL.sets:

    rule:
        """A set of scenarios (config/scenarios.yaml): their tables, claims and figures."""
        name:
            name
        input:
            lambda w, name=name: FILES.of_set(name),
        message:
            "The scenarios of {rule} are made"


for name in filter(has_home, EVERY_FIGURE):

    rule:
        """A figure as PDF, SVG and PNG with its caption, and the replicates that it shows."""
        name:
            name
        input:
            lambda w, name=name: FILES.of_figure(name),
        message:
            "The figure {rule} is drawn"


for name in filter(has_home, [e for e in ALL_EXPERIMENTS if e not in EVERY_FIGURE]):

    rule:
        """An experiment: replicates, tables, what its claims measure, and a setting's figure."""
        name:
            name
        input:
            lambda w, name=name: FILES.of_experiment(name),
        message:
            "Everything of {rule} is made"
