# The ratings, MovieLens 1M if the config names no others: get, check and count them.
rule get_ratings:
    input:
        # Their content decides (params), not their time.
        ratings=lambda w: check(RATINGS[0])
        or local(ancient(list(CONFIG.local_files().values()))),
    output:
        counts="results/movielens/rating_counts.csv",
        provenance="results/movielens/provenance.json",
    log:
        "results/logs/get_ratings.log",
    # Two long simulations wait for it.
    priority: 20
    params:
        **stands_on("get_ratings"),
        movielens=small_params(ratings_origin(CONFIG, paths=True)),
        section=given(lambda w: CONFIG.movielens.model_dump(exclude_none=True)),
        origin=given(lambda w: ratings_origin(CONFIG)),
        m0=given(lambda w: thresholds(CONFIG)),
    message:
        "Get the ratings and count them"
    script:
        "../scripts/get_ratings.py"
