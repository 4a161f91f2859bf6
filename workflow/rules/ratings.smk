rule get_ratings:
    """Rating counts of MovieLens, or of a table of your own, and where they came from."""
    input:
        # Their checksums decide (params), not their times.
        ratings=[local(ancient(file)) for file in CONFIG.local_files().values()],
        code=code("get_ratings"),
    output:
        counts="results/movielens/rating_counts.csv",
        provenance="results/movielens/provenance.json",
    log:
        "results/logs/get_ratings.log",
    priority: 20
    params:
        **ratings_params(CONFIG),
        code=hash_of("get_ratings"),
    message:
        "Get the ratings and count them"
    script:
        "../scripts/get_ratings.py"
