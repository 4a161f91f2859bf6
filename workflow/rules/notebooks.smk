rule run_notebook:
    input:
        notebook=lambda w: of_workflow(f"workflow/notebooks/{w.notebook}.ipynb")(w),
        tables=lambda w: [f"results/{t}" for t in NOTEBOOKS[w.notebook].tables.split()],
        replicates=lambda w: FILES.replicates(*NOTEBOOKS[w.notebook].replicates),
        code=code("run_notebook", notebooks=lambda w: [w.notebook], policies=lambda w: POLICIES),
    output:
        notebook="results/notebooks/{notebook}.ipynb",
        page="results/notebooks/{notebook}.html",
    log:
        "results/logs/run_notebook/{notebook}.log",
    params:
        code=hash_of("run_notebook"),
        title=lambda w: NOTEBOOKS[w.notebook].title,
    message:
        "Run the notebook {wildcards.notebook}"
    script:
        "../scripts/run_notebook.py"


rule notebooks:
    """All notebooks, with their outputs and as pages: a tour, and what is behind the figures."""
    input:
        notebook_files(*NOTEBOOKS),
