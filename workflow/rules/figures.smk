# One job draws one figure, in three formats and for one column, with its caption.


rule draw_figure:
    input:
        unpack(drawn_from),
    output:
        pdf="results/figures/{figure}.pdf",
        svg="results/figures/{figure}.svg",
        # Snakemake's report holds the smallest of the three.
        png=report(
            "results/figures/{figure}.png",
            caption="../report/figure.rst",
            category=lambda w: EVERY_FIGURE[w.figure].category,
            labels=lambda w: EVERY_FIGURE[w.figure].labels,
        ),
        caption="results/figures/{figure}.md",
        column_pdf="results/figures/{figure}_column.pdf",
        column_svg="results/figures/{figure}_column.svg",
        column_png="results/figures/{figure}_column.png",
    log:
        "results/logs/draw_figure/{figure}.log",
    params:
        **stands_on("draw_figure", "figure"),
        caption=given(lambda w: of_caption(CONFIG, EVERY_FIGURE[w.figure])),
        config=given(lambda w: VALUES),
    message:
        "Draw {wildcards.figure}"
    script:
        "../scripts/draw_figure.py"
