# What a finished run hands on: its record, and all there is to read as one static site.


rule record:
    """The record of the run as a Workflow Run RO-Crate, results/ro-crate-metadata.json."""
    input:
        # What it is of was checked.
        checksums="results/checksums.txt",
        snakefile=lambda w: of_workflow("workflow/Snakefile"),
        made=FILES.default(),
    output:
        record="results/ro-crate-metadata.json",
        workflow="results/record/Snakefile",
        config="results/record/config.json",
    log:
        "results/logs/record.log",
    resources:
        **asks(),
    params:
        config=VALUES,
        values={"seed": CONFIG.seed, **VALUES["readings"]},
    script:
        "../scripts/write_record.py"


rule site:
    """Documentation, pages and notebooks as a folder for any static host, results/site."""
    input:
        rules.all.input,
        build=lambda w: of_workflow("docs/build.py"),
    output:
        directory("results/site"),
    log:
        "results/logs/site.log",
    resources:
        **asks(),
    params:
        # Their contents, as their times say little.
        documents=lambda w: [
            digest_of(path)
            for path in sorted((HOME / "docs").rglob("*.*"))
            if path.is_file() and path.suffix != ".pyc"
        ],
    script:
        "../scripts/write_site.py"
