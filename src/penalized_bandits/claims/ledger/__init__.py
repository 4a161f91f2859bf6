"""The ledger: texts and tables of decided claims.

Results with their sentences: ``tell.py``, from the templates that ``render.py`` reads.  Tables
and Markdown: ``tables.py``.  When rules were declared: ``register.py``.
"""
