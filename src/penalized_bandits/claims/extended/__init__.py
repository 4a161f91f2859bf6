"""The claims of our own on the extended experiments, as ``claims/paper/`` holds the paper's."""

from collections.abc import Collection

from penalized_bandits.claims import Entry, claims_in

EXTENDED_CLAIMS = claims_in("extended")


def entries_on(experiments: Collection[str]) -> dict[str, Entry]:
    """Return the entries of the claims all of whose experiments are given."""
    return {n: e for n, e in EXTENDED_CLAIMS.items() if set(e.experiments) <= set(experiments)}
