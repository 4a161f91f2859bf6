# One job draws one figure, in three formats, with its caption.


rule draw_figure:
    """Draw a figure from its tables (PDF, SVG, PNG and caption)."""
    input:
        unpack(lambda w: figure_tables(w.figure)),
        code=lambda w: local(provenance.figure_code(ALL_FIGURES[w.figure])),
    output:
        pdf="results/figures/{figure}.pdf",
        svg="results/figures/{figure}.svg",
        # The smallest of the three: Snakemake's report holds all figures.
        png=report(
            "results/figures/{figure}.png",
            caption="../report/figure.rst",
            category=lambda w: figure_category(ALL_FIGURES[w.figure]),
            labels=lambda w: figure_labels(ALL_FIGURES[w.figure]),
        ),
        caption="results/figures/{figure}.md",
        origin="results/figures/{figure}.origin.json",
    log:
        "results/logs/draw_figure/{figure}.log",
    resources:
        mem_mb=usual_mb,
        runtime=usual_minutes,
    params:
        section=lambda w: figure_section(w.figure),
        readings=lambda w: figure_readings(w.figure),
        warning=lambda w: ledger_warning() if ALL_FIGURES[w.figure].claims else "",
        origin=lambda w: figure_origin(w.figure),
    script:
        "../scripts/draw_figure.py"
