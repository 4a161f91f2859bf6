"""The confidence of intervals: in tables, claims, captions, pages and on the command line.

It is no key of the config, because rules of claims declare it before their data are seen
(``claims/ledger/rules.csv``).
"""

CONFIDENCE = 0.95
WORDS = f"{100 * CONFIDENCE:g} %"
"""The same for reading."""
TAILS = (round((1 - CONFIDENCE) / 2, 12), round((1 + CONFIDENCE) / 2, 12))
"""Quantiles of a bootstrap distribution that are the ends of an interval."""
