# One job draws one figure, in three formats, with its caption.
WITH_COLUMN = [name for name, about in EVERY_FIGURE.items() if about.column]


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
    log:
        "results/logs/draw_figure/{figure}.log",
    wildcard_constraints:
        figure=either(name for name in EVERY_FIGURE if name not in WITH_COLUMN),
    params:
        code=lambda w: CODE.of("draw_figure", figures=[w.figure]),
    message:
        "Draw {wildcards.figure}"
    script:
        "../scripts/draw_figure.py"


use rule draw_figure as draw_figure_and_column with:
    output:
        pdf="results/figures/{figure}.pdf",
        svg="results/figures/{figure}.svg",
        png=report(
            "results/figures/{figure}.png",
            caption="../report/figure.rst",
            category=lambda w: EVERY_FIGURE[w.figure].category,
            labels=lambda w: EVERY_FIGURE[w.figure].labels,
        ),
        caption="results/figures/{figure}.md",
        column_pdf="results/figures/{figure}_column.pdf",
        column_svg="results/figures/{figure}_column.svg",
    wildcard_constraints:
        figure=either(WITH_COLUMN),
