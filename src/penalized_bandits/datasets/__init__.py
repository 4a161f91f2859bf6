"""Ratings data: obtain them, check them, and turn them into reward distributions.

Nothing is imported here, so that a job that only reads a table of counts does not
load the download code. The modules are

- ``ratings_source``: counts from MovieLens 1M, or from a table of one's own;
- ``movielens``: the archive of MovieLens 1M, its download and the bundled counts;
- ``ratings_table``: the reader of ratings;
- ``counts`` and ``counts_csv``: the table of counts and its file.
"""
