# What is read as a whole: the reproduction page, the playground; and what the run was made with.
from penalized_replication.pages.material import DOCS
from penalized_replication.playground.presets import LIVE

# Experiments behind the presets of the playground, and all sections of the config that it reads.
# Checks of sections of the scenario "sharp" run when the playground reads it.
PRESENTED = [*EXPERIMENTS, "sharp_short", "sharp_ratings"]
GIVEN = CONFIG.model_dump(mode="json", exclude_none=True)
THERE = [(title, path) for title, path in DOCS.items() if (HOME / path).is_file()]


rule write_index:
    input:
        config=lambda w: of_workflow("config/config.yaml"),
        claims="results/claims/claims.json",
        verdicts=verdicts_of("readings"),
        sharp=published_or("scenarios/sharp/claims/claims.json", "published/sharp.json"),
        counts="results/movielens/rating_counts.csv",
        ratings="results/movielens/provenance.json",
        figures=[figure_files(figure) for figure in ALL_FIGURES],
        tables=lambda w: [t for f in ALL_FIGURES for t in FILES.tables(f).values()],
        replicates=lambda w: FILES.replicates(*EXPERIMENTS),
        evidence=[f"results/summaries/{study}.csv" for study in STUDIES],
        ledger=[f"results/claims/{n}" for n in ("claims.csv", "claims.md", "parts.csv")],
        notebooks=[f"results/notebooks/{n}.html" for n in FILES.notebooks()],
    output:
        page="results/index.html",
        preview=FILES.preview(),
    log:
        "results/logs/write_index.log",
    params:
        **stands_on(
            "write_index",
            claims=FILES.claims(),
            experiments=EXPERIMENTS,
            policies=LIVE,
        ),
        config=given(lambda w: VALUES),
        address=VALUES["pages"]["address"],
        docs=lambda w: {title: str(of_workflow(path)) for title, path in THERE},
    message:
        "Write the reproduction page"
    script:
        "../scripts/write_index.py"


rule playground:
    """The playground, results/playground.html: every policy live in a browser."""
    input:
        config=of_workflow("config/config.yaml"),
        scenarios=of_workflow("config/scenarios.yaml"),
    output:
        "results/playground.html",
    log:
        "results/logs/playground.log",
    params:
        **stands_on("write_playground", policies=POLICIES, experiments=PRESENTED),
    message:
        "Write the playground"
    script:
        "../scripts/write_playground.py"


rule write_provenance:
    input:
        same=FILES.same(),
        ratings="results/movielens/provenance.json",
        replicates=FILES.replicates(*CONFIG.experiments),
    output:
        provenance="results/provenance.json",
        checksums="results/checksums.txt",
    log:
        "results/logs/write_provenance.log",
    params:
        **stands_on("write_provenance"),
        **{f"config_{i}": param for i, param in enumerate(small_params(GIVEN))},
        code=CODE.digest,
        config=given(lambda w: VALUES),
    message:
        "Write what the run was made with, and checksums"
    script:
        "../scripts/write_provenance.py"
