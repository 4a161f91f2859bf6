# One job draws one figure, in three formats and as SVG for one column, with its caption.
rule draw_figure:
    input:
        unpack(drawn_from),
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
        **stands_on("draw_figure", "figure"),
        caption=given(
            lambda w: of_caption(RUNS.config(w.scenario), EVERY_FIGURE[w.figure])
        ),
        config=given(lambda w: VALUES),
    message:
        "Draw {wildcards.figure}"
    script:
        "../scripts/draw_figure.py"
