# What is read as a whole: the reproduction page, the playground; and what the run was made with.
from penalized_replication.pages.material import DOCS, PUBLISHED
from penalized_replication.playground import LIVE, PRESENTED

simulated = lambda w: CONFIG.experiments
decided = lambda w: FILES.claims()


rule write_index:
    input:
        claims="results/claims/claims.json",
        verdicts=of_workflow("docs/published/interpretations.csv"),
        counts="results/movielens/rating_counts.csv",
        ratings="results/movielens/provenance.json",
        results=FILES.shown(),
        published=of_workflow(*PUBLISHED),
        notebooks=[f"results/notebooks/{n}.html" for n in FILES.notebooks()],
        code=code("write_index", claims=decided, experiments=simulated, policies=lambda w: LIVE),
    output:
        page="results/index.html",
        preview=FILES.preview(),
    log:
        "results/logs/write_index.log",
    params:
        **keys(simulated),
        code=hash_of("write_index"),
        interpretations=CONFIG.interpretations.model_dump(),
        changes=lambda w: changes(CONFIG, papers()),
        papers=lambda w: {e: papers()[e]["replicates"] for e in EXPERIMENTS if e in papers()},
        address=str(CONFIG.pages.address or ""),
        docs={t: str(here(HOME / p)) for t, p in DOCS.items() if (HOME / p).is_file()},
    message:
        "Write the reproduction page"
    script:
        "../scripts/write_index.py"


rule playground:
    """The playground, results/playground.html: every policy live in a browser."""
    input:
        code=code("write_playground", policies=lambda w: POLICIES, experiments=lambda w: PRESENTED),
    output:
        "results/playground.html",
    log:
        "results/logs/playground.log",
    # Presets are bandits of the workflow's own config, whatever that of the run.
    params:
        **{n: lambda w, n=n: papers().get(n, {}) for n in ("seed", "interpretations", *PRESENTED)},
        code=hash_of("write_playground"),
    message:
        "Write the playground"
    script:
        "../scripts/write_playground.py"


rule write_provenance:
    input:
        same=FILES.same(),
        ratings="results/movielens/provenance.json",
        replicates=FILES.replicates(*CONFIG.experiments),
        code=code("*", claims=decided, experiments=simulated, figures=lambda w: FILES.figures()),
    output:
        provenance="results/provenance.json",
        checksums="results/checksums.txt",
    log:
        "results/logs/write_provenance.log",
    params:
        **keys(simulated),
        code=hash_of("*"),
        general=CONFIG.general,
    message:
        "Write what the run was made with, and checksums"
    script:
        "../scripts/write_provenance.py"
