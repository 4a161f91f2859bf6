# Replication of "On Penalization in Stochastic Multi-armed Bandits".
#
#   get_ratings → simulate_group → summarize, trace_frontier → draw_figure
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
include: "workflow/rules/params.smk"


rule all:
    """Every table, figure and page (the default)."""
    input:
        # All of them: Snakemake would not miss one that something else is made from.
        FILES.same(),
        FILES.kept(),
        "results/claims/claims.html",
        "results/index.html",
        "results/checksums.txt",
        [notebook_files(notebook.id) for notebook in SHOWN],


include: "workflow/rules/targets.smk"
include: "workflow/rules/ratings.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/summarize.smk"
include: "workflow/rules/ledger.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/notebooks.smk"
include: "workflow/rules/pages.smk"
include: "workflow/rules/publish.smk"
include: "workflow/rules/extended.smk"
include: "workflow/rules/sharp.smk"
include: "workflow/rules/confirmation.smk"


watch_scripts()


onstart:
    begin_run()


onsuccess:
    end_run()
