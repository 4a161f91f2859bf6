# Beyond the paper: more policies, fair tuning, other kinds of bandits.  All of it stands on
# the section `extended` of the config (config/extended.yaml), and nothing else on it.


rule get_many_ratings:
    """Get the ratings for as many movies as the experiments beyond the paper want."""
    input:
        code=local(provenance.ratings_code()),
        notes=local(NOTES),
        # Their content decides (params), not their time.
        ratings=local(ancient(list(CONFIG.local_files().values()))),
    output:
        counts="results/extended/rating_counts.csv",
        provenance="results/extended/provenance.json",
        origins=origins_of(
            [
                "results/extended/rating_counts.csv",
                "results/extended/provenance.json",
            ]
        ),
    log:
        "results/logs/extended/get_many_ratings.log",
    params:
        movielens=lambda w: ratings_section(),
        m0=many_thresholds(),
        archives=str(RESULTS / "movielens/archive"),
        origin=lambda w: ratings_origin(),
    script:
        "../scripts/get_ratings.py"


rule simulate_extension:
    """Simulate a group of an extension's cases: pulls of every replicate and arm."""
    input:
        code=lambda w: local(
            provenance.simulation_code(
                experiment(w.extension), CONFIG.section(w.extension)
            )
        ),
        ratings=many_ratings_needed,
        notes=local(NOTES),
    output:
        table="results/extended/replicates/{extension}/{group}.{part}of{parts}.parquet",
        origin="results/extended/replicates/{extension}/{group}.{part}of{parts}.origin.json",
    log:
        "results/logs/simulate_extension/{extension}/{group}.{part}of{parts}.log",
    priority: 10
    threads: 1
    resources:
        mem_mb=extension_mb,
        runtime=extension_minutes,
    params:
        seed=CONFIG.seed,
        section=lambda w: section_values(w.extension),
        groups=lambda w: CONFIG.jobs(w.extension)[w.group],
        readings=lambda w: readings_of(w.extension),
        origin=lambda w: simulation_origin(w.extension),
    script:
        "../scripts/simulate_group.py"


rule summarize_extension:
    """Summarise an extension's replicates: mean, standard error and 95 % interval."""
    input:
        code=local(provenance.summary_code()),
        replicates=lambda w: replicate_files(w.extension),
    output:
        table="results/extended/{extension}.csv",
        origin="results/extended/{extension}.origin.json",
    log:
        "results/logs/summarize_extension/{extension}.log",
    resources:
        mem_mb=extension_summary_mb,
        runtime=extension_summary_minutes,
    params:
        experiment=lambda w: w.extension,
        parts=lambda w: CONFIG.parts(w.extension),
        origin=lambda w: summary_origin(w.extension),
    script:
        "../scripts/summarize_setting.py"


rule trace_extension_frontier:
    """Trace the oracle frontier of each case of an extension."""
    input:
        code=local(provenance.summary_code()),
        replicates=lambda w: replicate_files(w.extension),
    output:
        table="results/extended/{extension}_frontier.csv",
        origin="results/extended/{extension}_frontier.origin.json",
    log:
        "results/logs/trace_extension_frontier/{extension}.log",
    resources:
        mem_mb=extension_summary_mb,
        runtime=extension_summary_minutes,
    params:
        experiment=lambda w: w.extension,
        parts=lambda w: CONFIG.parts(w.extension),
        origin=lambda w: summary_origin(w.extension),
    script:
        "../scripts/trace_frontier.py"


rule compare_policies:
    """Compare all policies: regret, distance to the frontier, law, bound: one row each."""
    input:
        unpack(lambda w: {e: replicate_files(e) for e in CONFIG.extensions}),
        code=local(provenance.extended_code()),
        ratings=["results/extended/rating_counts.csv"],
    output:
        table="results/extended/comparison.csv",
        markdown="results/extended/comparison.md",
        cases="results/extended/comparison_by_case.csv",
        claims_csv="results/extended/claims.csv",
        claims_json="results/extended/claims.json",
        claims_markdown="results/extended/claims.md",
        origins=origins_of(
            [
                "results/extended/comparison.csv",
                "results/extended/comparison_by_case.csv",
                "results/extended/claims.csv",
            ]
        ),
    log:
        "results/logs/extended/compare_policies.log",
    resources:
        mem_mb=comparison_mb,
        runtime=comparison_minutes,
    params:
        seed=CONFIG.seed,
        readings={e: readings_of(e) for e in CONFIG.extensions},
        sections=lambda w: {e: section_values(e) for e in CONFIG.extensions},
        parts=lambda w: {e: CONFIG.parts(e) for e in CONFIG.extensions},
        origin=extended_origin(provenance.extended_code()),
    script:
        "../scripts/compare_policies.py"


rule draw_extended_figure:
    """Draw a figure beyond the paper (PDF, SVG, PNG and caption)."""
    input:
        unpack(lambda w: extended_figure_tables(w.extended_figure)),
        code=lambda w: local(
            provenance.figure_code(EXTENDED_FIGURES[w.extended_figure])
        ),
    output:
        pdf="results/extended/figures/{extended_figure}.pdf",
        svg="results/extended/figures/{extended_figure}.svg",
        png="results/extended/figures/{extended_figure}.png",
        caption="results/extended/figures/{extended_figure}.md",
        origin="results/extended/figures/{extended_figure}.origin.json",
    log:
        "results/logs/draw_extended_figure/{extended_figure}.log",
    resources:
        mem_mb=usual_mb,
        runtime=usual_minutes,
    params:
        section=lambda w: {e: section_values(e) for e in CONFIG.extensions},
        readings=VALUES["readings"],
        origin=lambda w: extended_origin(
            [
                *provenance.extended_code(),
                *provenance.figure_code(EXTENDED_FIGURES[w.extended_figure]),
            ]
        ),
    script:
        "../scripts/draw_figure.py"


for extension in CONFIG.extensions:

    rule:
        """An experiment beyond the paper: its replicates and summaries."""
        name:
            extension
        input:
            replicate_files(extension),
            extension_tables(extension),
