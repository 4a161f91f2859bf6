"""Ratings data: obtain them, check them, and turn them into reward distributions.

Nothing is imported here, so that a job that only reads a table of counts does not
load the download code. The modules are

- ``ratings_source``: counts from a download, a local archive, the bundled table or one's own;
- ``counts`` and ``counts_csv``: the table of counts and its file;
- ``movielens`` and ``ratings_table``: readers of archives and of one's own table.
"""
