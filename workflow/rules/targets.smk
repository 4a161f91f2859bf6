# What users ask for by name, beside everything.
rule claims:
    """The ledger of claims: every statement of the paper with its verdict."""
    input:
        claims_files(),
        FILES.replicates(*CONFIG.experiments),
    message:
        "The claims are decided"


rule movielens:
    """MovieLens rating counts, checked, and where they came from."""
    input:
        RATINGS,
    message:
        "The ratings are counted"


rule scenarios:
    """List the scenarios of each set (config/scenarios.yaml)."""
    log:
        "results/logs/scenarios.log",
    localrule: True
    message:
        "List the scenarios"
    run:
        print("\n".join(f"{name}: {', '.join(ALL.sets[name])}" for name in ALL.sets))


# The Snakefile at the top has the rule default.
OURS = {"default", *ALL_EXPERIMENTS, *EVERY_FIGURE, *filter(rules.has, ALL.sets)}
if taken := [name for name in ALL.sets if name in OURS]:
    why = "the name of a rule, figure or experiment: give the set another"
    raise WorkflowError(f"{SCENARIOS}: {', '.join(taken)} is {why}")
for name in dict.fromkeys([*ALL.sets, *ALL_EXPERIMENTS, *EVERY_FIGURE]):
    if name in ALL.sets or FILES.home(name) is not None:

        rule:
            """A set of scenarios; a figure, or an experiment with its tables, claims and figures."""
            name:
                name
            input:
                lambda w, name=name: FILES.target(name),
            message:
                "Everything of {rule} is made"
