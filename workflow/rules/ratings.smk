# The ratings, MovieLens 1M if the config names no others: get, check and count them.


rule get_ratings:
    input:
        # Their content decides (params), not their time.
        ratings=lambda w: check(f"results/{w.ratings}/rating_counts.csv")
        or local(ancient(list(CONFIG.local_files().values()))),
    output:
        counts="results/{ratings}/rating_counts.csv",
        provenance="results/{ratings}/provenance.json",
    log:
        "results/logs/get_ratings/{ratings}.log",
    # Two long simulations wait for it.
    priority: 20
    params:
        **stands_on("get_ratings", "ratings", lambda w: RUNS.ratings_params(w.ratings)),
        section=given(lambda w: CONFIG.movielens.model_dump(exclude_none=True)),
        origin=given(lambda w: RUNS.ratings(w.ratings)),
    message:
        "Get the ratings and count them"
    script:
        "../scripts/get_ratings.py"
