# From replicates to means with intervals, and the oracle's frontier.

TRACED = [
    name for name in (*EXPERIMENTS, *CONFIG.beyond) if experiment(name).has_frontier
]


rule summarize:
    """Summarise an experiment's replicates: mean, standard error and 95 % interval."""
    input:
        unpack(lambda w: {w.experiment: FILES.replicates(w.experiment)}),
    output:
        tables=["results/summaries/{experiment}.csv"],
        origins=["results/summaries/{experiment}.origin.json"],
    log:
        "results/logs/summarize/{experiment}.log",
    wildcard_constraints:
        experiment=either(name for name in IN_GROUPS if name not in TRACED),
    resources:
        **asks(lambda w: PLAN.summary(w.experiment)),
    params:
        made_of=lambda w: {w.experiment: MADE.summary(w.experiment)},
    script:
        "../scripts/summarize.py"


use rule summarize as summarize_and_trace with:
    """Summarise an experiment's replicates, and trace the oracle frontier of each case."""
    output:
        tables=[
            f"results/summaries/{{experiment}}{end}.csv" for end in ("", "_frontier")
        ],
        origins=[
            f"results/summaries/{{experiment}}{end}.origin.json"
            for end in ("", "_frontier")
        ],
    wildcard_constraints:
        experiment=either(name for name in IN_GROUPS if name in TRACED),


if AT_ONCE:

    use rule summarize as summarize_all with:
        """Summarise the replicates of all experiments, and trace frontiers, in one job."""
        input:
            **{name: FILES.replicates(name) for name in EXPERIMENTS},
        output:
            tables=[file for name in EXPERIMENTS for file in summary_files(name)],
            origins=[
                file
                for name in EXPERIMENTS
                for file in origins_of(summary_files(name))
            ],
        log:
            "results/logs/summarize_all.log",
        resources:
            **asks(),
        params:
            made_of=lambda w: {name: MADE.summary(name) for name in EXPERIMENTS},
