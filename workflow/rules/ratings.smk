# The ratings, MovieLens 1M if the config names no others: get, check and count them.


rule get_ratings:
    """Get the ratings (download, archive, bundled counts or a table) and count them."""
    input:
        # Their content decides (params), not their time.
        ratings=local(ancient(list(CONFIG.local_files().values()))),
    output:
        counts="results/{ratings}/rating_counts.csv",
        provenance="results/{ratings}/provenance.json",
        origins=[
            "results/{ratings}/rating_counts.origin.json",
            "results/{ratings}/provenance.origin.json",
        ],
    log:
        "results/logs/get_ratings/{ratings}.log",
    params:
        # How often a download is tried cannot change what comes out.
        movielens=lambda w: MADE.ratings_section(),
        m0=lambda w: thresholds(CONFIG, w.ratings),
        archives=str(RESULTS / "movielens/archive"),
        made_with=lambda w: MADE.ratings(),
    script:
        "../scripts/get_ratings.py"
