# One job draws one figure, in three formats, with its caption.
from copy import deepcopy

WITH_COLUMN = [name for name, about in FIGURES.items() if about.column]
# Snakemake's report holds the smallest of the three.
FORMS = dict(
    pdf="results/figures/{figure}.pdf",
    svg="results/figures/{figure}.svg",
    png=report(
        "results/figures/{figure}.png",
        caption="../report/figure.rst",
        category=lambda w: FIGURES[w.figure].category,
        labels=lambda w: FIGURES[w.figure].labels,
    ),
    caption="results/figures/{figure}.md",
    origin="results/figures/{figure}.origin.json",
)


rule draw_figure:
    """Draw a figure from its tables (PDF, SVG, PNG and caption)."""
    input:
        unpack(lambda w: figure_tables(w.figure)),
    output:
        # Snakemake writes into what `report` returns.
        **deepcopy(FORMS),
    log:
        "results/logs/draw_figure/{figure}.log",
    wildcard_constraints:
        figure=either(name for name in FIGURES if name not in WITH_COLUMN),
    resources:
        **asks(),
    params:
        section=lambda w: figure_section(CONFIG, MADE, w.figure),
        readings=lambda w: figure_readings(CONFIG, MADE, w.figure),
        warning=lambda w: published(ledger_warning) if FIGURES[w.figure].claims else "",
        made_with=lambda w: MADE.figure(w.figure),
    script:
        "../scripts/draw_figure.py"


use rule draw_figure as draw_figure_and_column with:
    """Draw a figure, and its form that is one column wide (PDF and SVG), from its tables."""
    output:
        **FORMS,
        column_pdf="results/figures/{figure}_column.pdf",
        column_svg="results/figures/{figure}_column.svg",
        column_origin="results/figures/{figure}_column.origin.json",
    wildcard_constraints:
        figure=either(WITH_COLUMN),
