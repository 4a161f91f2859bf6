# What users ask for by name, beside everything.
# The Snakefile at the top has the rule default.
TAKEN = {"default", *EVERY_FIGURE, *ALL_EXPERIMENTS}
if taken := [name for name in ALL.sets if name in TAKEN or rules.has(name)]:
    why = "the name of a rule, figure or experiment: give the set another"
    raise WorkflowError(f"{SCENARIOS}: {', '.join(taken)} is {why}")


rule claims:
    """The ledger of claims: every statement of the paper with its verdict."""
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


for name in FILES.targets():

    rule:
        """A figure with its replicates; or an experiment with tables, measured claims, figure."""
        name:
            name
        input:
            lambda w, name=name: FILES.target(name),
        message:
            "Everything of {rule} is made"


rule no_such_target:
    """Name the targets that there are."""
    input:
        lambda w: FILES.unknown(w.target),
    output:
        r"{target,\w+}",
