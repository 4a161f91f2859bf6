# All policies compared, our own claims confirmed, and the article.
from penalized_replication.pages.material import FIRST
from penalized_research import COMPARED, DRAWN, PROVED, TEXTS
from penalized_research.figures import SHARP

CODE.scripts.append(HOME / "research/scripts")
confirming = ALL.folders("confirm")
first = next(iter(confirming), "")
compared, confirmed = lambda w: COMPARED, lambda w: ALL.keys()[first]
own = lambda w: [c.id for c in claims_on(confirmed(w)) if c.experiments]
policies = lambda w: {p for e in confirmed(w) for p in RUNS.run(first, e).section.policies}
# Replicates by experiment and place of the seed.
by_seed = lambda w: {
    f"{e}_{i}": FILES.replicates(e, folder=folder)
    for i, folder in enumerate(confirming)
    for e in ALL.keys()[folder]
}
TABLES = ("interpretations", "seeds", "design")
FILES.added["confirm"] = [f"results/scenarios/confirm.{suffix}" for suffix in ("csv", "json", "md")]
FILES.added["extended"] = [
    f"results/{folder}{table}"
    for folder in ALL.folders("extended")
    for table in ("comparison.csv", "comparison.md", "comparison_by_case.csv")
]


rule compare_policies:
    input:
        unpack(lambda w: {e: FILES.replicates(e, folder=w.scenario) for e in COMPARED}),
        code=code("compare_policies", experiments=compared),
    output:
        table="results/{scenario}comparison.csv",
        markdown="results/{scenario}comparison.md",
        cases="results/{scenario}comparison_by_case.csv",
    log:
        "results/{scenario}logs/compare_policies.log",
    params:
        **keys(compared),
        code=hash_of("compare_policies"),
    message:
        "Compare all policies"
    script:
        "../scripts/compare_policies.py"


rule confirm_claims:
    input:
        unpack(by_seed),
        ratings="results/movielens/rating_counts.csv",
        code=code("confirm_claims", claims=own, experiments=confirmed, policies=policies),
    output:
        multiext("results/scenarios/confirm", csv=".csv", json=".json", markdown=".md"),
    log:
        "results/logs/confirm_claims.log",
    params:
        **keys(confirmed, scenario=lambda w: first),
        code=hash_of("confirm_claims"),
        claims=own,
        seeds=lambda w: [RUNS.config(folder).seed for folder in confirming],
    message:
        "Confirm our own claims on new bandits, all seeds together"
    script:
        "../scripts/confirm_claims.py"


rule article:
    """The article, results/article.pdf."""
    input:
        **{table: of_workflow(f"docs/published/{table}.csv") for table in TABLES},
        comparison=of_workflow("research/docs/published/comparison.csv"),
        claims="results/claims/claims.json",
        ratings="results/movielens/provenance.json",
        figures=expand("results/figures/{figure}.{suffix}", figure=DRAWN, suffix=["svg", "md"]),
        first=f"results/figures/{FIRST}_column.svg",
        extended=of_workflow("research/docs/published/extended.json"),
        sharp=of_workflow("research/docs/published/sharp.json"),
        sharp_figures=of_workflow(
            *[f"research/docs/images/{f.id}.{s}" for f in SHARP for s in ("png", "md")]
        ),
        citation=of_workflow("CITATION.cff"),
        proofs=of_workflow(*PROVED),
        texts=of_workflow(*[f"research/article/{text}" for text in TEXTS]),
        code=code(
            "write_article", claims=lambda w: CLAIMS, experiments=lambda w: CONFIG.experiments
        ),
    output:
        values="results/article.json",
        article="results/article.pdf",
    log:
        "results/logs/write_article.log",
    params:
        code=hash_of("write_article"),
    message:
        "Write the article"
    script:
        "../scripts/write_article.py"
