"""Results of claims with their sentences, and what differs from the paper's config."""

from collections.abc import Sequence
from dataclasses import replace

from penalized_bandits.claims import claim, entry_of
from penalized_bandits.claims.ledger.register import dates_of, digest_of
from penalized_bandits.claims.ledger.render import detail_of, note_of, sized, violation
from penalized_bandits.claims.results import ClaimResult
from penalized_bandits.experiments.catalogue import experiment as experiment_of

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


def tell(result: ClaimResult, config: str = "") -> ClaimResult:
    """Return a decided result with its texts, the dates of its rule, and the config by name."""
    declared, entry = claim(result.id), entry_of(result.id)
    readings = {r for e in entry.experiments for r in experiment_of(e).readings}
    digest = digest_of(declared)
    first, changed = dates_of(result.id, digest)
    same = ("where", "statement", "rule", "low_power", "repeats", "mended")
    described = replace(
        result,
        **{name: getattr(declared, name) for name in same},
        quantity=declared.quantity if result.parts else "",
        evidence=declared.evidence or f"results/summaries/{entry.experiments[0]}.csv",
        readings=", ".join(sorted(readings)),
        asked_by="us" if declared.ours or entry.folder != "paper" else "the paper",
        declared=first,
        changed=changed,
        digest=digest,
        config=config,
        parts=tuple(replace(part, detail=detail_of(result.id, part)) for part in result.parts),
    )
    weakest = None if described.weakest is None else described.parts[described.weakest]
    return replace(
        described,
        note=note_of(described),
        best=sized(described.best_part) if described.best_part else "",
        violation=violation(weakest) if weakest else "",
    )
