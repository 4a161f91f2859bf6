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
        **each_param(lambda w: ratings_of(w.ratings)),
        code=CODE.of("get_ratings"),
    message:
        "Get the ratings and count them"
    script:
        "../scripts/get_ratings.py"
