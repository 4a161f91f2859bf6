# The ratings, MovieLens 1M if the config names no others: get, check and count them.


rule get_ratings:
    """Get the ratings (download, archive, bundled counts or a table) and count them."""
    input:
        code=local(provenance.ratings_code()),
        notes=local(NOTES),
        # Their content decides (params), not their time.
        ratings=local(ancient(list(CONFIG.local_files().values()))),
    output:
        counts="results/movielens/rating_counts.csv",
        provenance="results/movielens/provenance.json",
        origins=origins_of(
            [
                "results/movielens/rating_counts.csv",
                "results/movielens/provenance.json",
            ]
        ),
    log:
        "results/logs/get_ratings.log",
    params:
        # How often a download is tried cannot change what comes out.
        movielens=lambda w: ratings_section(),
        m0=sorted({*CONFIG.setting_3.m0, *CONFIG.movie_crossover.m0}),
        archives=str(RESULTS / "movielens/archive"),
        origin=lambda w: ratings_origin(),
    script:
        "../scripts/get_ratings.py"
