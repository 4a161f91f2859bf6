# Notebooks, run on the results and rendered as pages that need nothing but themselves.
from dataclasses import asdict


rule run_notebook:
    """Run a notebook on the results, and render it as a page (HTML)."""
    input:
        notebook=lambda w: of_workflow(f"workflow/notebooks/{w.notebook}.ipynb"),
        tables=lambda w: [f"results/{t}" for t in NOTEBOOKS[w.notebook].tables],
        replicates=lambda w: FILES.replicates(*NOTEBOOKS[w.notebook].replicates),
    output:
        notebook="results/notebooks/{notebook}.ipynb",
        page="results/notebooks/{notebook}.html",
    log:
        "results/logs/run_notebook/{notebook}.log",
    params:
        about=lambda w: asdict(NOTEBOOKS[w.notebook]),
        parameters=lambda w, input: (
            {"results": "results"} if NOTEBOOKS[w.notebook].reads_results else {}
        )
        | (
            {"replicates": input.replicates}
            if NOTEBOOKS[w.notebook].replicates
            else {}
        ),
        code=CODE.told("run_notebook"),
    script:
        "../scripts/run_notebook.py"


rule notebooks:
    """All notebooks, with their outputs and as pages: a tour, and what is behind the figures."""
    input:
        [notebook_files(notebook) for notebook in NOTEBOOKS],
