"""The ledger: what is told of claims that were decided.

Results with their sentences: ``tell.py``, from the templates that ``render.py`` reads.  Tables
and Markdown: ``tables.py``.  When rules were declared: ``register.py``.
"""
