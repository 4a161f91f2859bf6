"""The name of a config that is not the paper's, and the warning that goes with its verdicts."""

from collections.abc import Sequence

PAPERS = "config/config.yaml"
"""The config that verdicts on the paper are of; a result's ``config`` names what differs."""
KEYS_NAMED = 3
"""Keys of another config that are named; beyond these, their number."""


def config_name(changed: Sequence[str]) -> str:
    """Name a config by its keys that differ from the paper's."""
    if not changed:
        return PAPERS
    more = len(changed) - KEYS_NAMED
    named = ", ".join(changed[:KEYS_NAMED]) + (f" and {more} keys more" if more > 0 else "")
    return f"{PAPERS} with other values of {named}"


def warning(config: str) -> str:
    """Return the warning that verdicts are of another config than the paper's, or nothing."""
    if config in ("", PAPERS):
        return ""
    return (
        f"Not the paper's config, but {config}. Verdicts are about this one: with few replicates "
        "or short horizons a claim may fail for that reason alone."
    )
