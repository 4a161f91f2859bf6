"""Ratings data: obtain them, check them, and turn them into reward distributions.

Nothing is imported here, so that a job that only reads a table of counts does not
load the download code. The modules are

- ``obtain``: counts from a download, a local archive or the bundled table;
- ``counts`` and ``counts_csv``: the table of counts and its file;
- ``movielens`` and ``ratings_table``: readers of archives and of one's own table.
"""
