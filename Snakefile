# The workflow is workflow/Snakefile, where Snakemake's catalogue and snakedeploy look for it.  This
# file stands here so that --snakefile and --directory may name the top folder, with its profiles.
include: "workflow/Snakefile"


rule default:
    default_target: True
    input:
        rules.all.input,
    message:
        "Everything is made"
