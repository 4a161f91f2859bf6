# Replication of "On Penalization in Stochastic Multi-armed Bandits".
#
#   get_ratings → simulate_group → summarize_setting, trace_frontier → draw_figure
#
# snakemake --cores all               every table and figure of the paper
# snakemake --cores 1 figure_4        one figure, and what it stands on
# snakemake --list-rules              all targets and rules
import os

# Without it the rules say what is missing, whatever other configs are named.
if os.path.exists("config/config.yaml"):

    configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/files.smk"
include: "workflow/rules/made_with.smk"
include: "workflow/rules/told.smk"
include: "workflow/rules/resources.smk"


rule all:
    """Every table, figure and page (the default)."""
    input:
        [setting_tables(setting) for setting in SETTINGS],
        [figure_files(figure) for figure in ALL_FIGURES],
        "results/movielens/provenance.json",
        [f"results/theory/{study}.csv" for study in STUDIES],
        multiext("results/claims/claims", ".csv", ".json", ".md"),
        "results/claims/sensitivity.csv",
        "results/claims/claims.html",
        "results/index.html",
        "results/checksums.txt",
        # Those that something is made from too: Snakemake would not miss them.
        kept_files(),
        [notebook_files(n) for n in NOTEBOOKS if CONFIG.pages.notebooks],


include: "workflow/rules/targets.smk"
include: "workflow/rules/movielens.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/aggregate.smk"
include: "workflow/rules/theory.smk"
include: "workflow/rules/sensitivity.smk"
include: "workflow/rules/plot.smk"
include: "workflow/rules/notebooks.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/pages.smk"
include: "workflow/rules/checksums.smk"


# Reading these rules takes time that the paper's own results need not wait for.
if CONFIG.extensions:

    include: "workflow/rules/extended.smk"


watch_scripts()


onstart:
    begin_run()


onsuccess:
    end_run()
