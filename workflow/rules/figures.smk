shown = lambda w: EVERY_FIGURE[w.figure].experiments
tables = lambda w: FILES.tables(w.figure, w.scenario)


rule draw_figure:
    input:
        unpack(tables),
        code=code("draw_figure", figures=lambda w: [w.figure], experiments=shown),
    output:
        pdf="results/{scenario}figures/{figure}.pdf",
        svg="results/{scenario}figures/{figure}.svg",
        png=report(
            "results/{scenario}figures/{figure}.png",
            caption="../report/figure.rst",
            labels=lambda w: EVERY_FIGURE[w.figure].labels,
        ),
        caption="results/{scenario}figures/{figure}.md",
        column="results/{scenario}figures/{figure}_column.svg",
    log:
        "results/{scenario}logs/draw_figure/{figure}.log",
    params:
        **keys(shown),
        code=hash_of("draw_figure"),
        interpretations=lambda w: interpretations_of(RUNS.config(w.scenario), shown(w)),
        # Of the paper's config, which a figure of verdicts compares with others.
        changed=lambda w: [] if shown(w) else changed_keys(CONFIG, papers()),
    message:
        "Draw {wildcards.figure}"
    script:
        "../scripts/draw_figure.py"
