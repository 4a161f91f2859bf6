# Whether results are still what was written, and the same as those of others.


rule write_checksums:
    """Write the checksums of all that comes out the same anywhere, all files checked."""
    input:
        code=local(provenance.checksum_code()),
        same=same_files(),
        kept=kept_files(),
        origins=origins_of([*same_files(), *kept_files()]),
    output:
        "results/checksums.txt",
    log:
        "results/logs/write_checksums.log",
    resources:
        mem_mb=usual_mb,
        runtime=usual_minutes,
    params:
        expected=lambda w: expected_origins(),
    script:
        "../scripts/write_checksums.py"


rule verify:
    """Check every file of the results: whether it is what was written, and of this config."""
    input:
        rules.all.input,
        same=same_files(),
        kept=kept_files(),
        origins=origins_of([*same_files(), *kept_files()]),
        checksums="results/checksums.txt",
    log:
        "results/logs/verify.log",
    resources:
        mem_mb=usual_mb,
        runtime=usual_minutes,
    params:
        expected=lambda w: expected_origins(),
    script:
        "../scripts/verify.py"
