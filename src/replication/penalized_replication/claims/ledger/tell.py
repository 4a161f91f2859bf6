"""Results of claims with their sentences."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from penalized_replication.claims import claim, entry_of, if_declared
from penalized_replication.claims.ledger.register import dates_of, digest_of, in_short
from penalized_replication.claims.ledger.render import detail_of, note_of, sized, violation
from penalized_replication.claims.results import ClaimResult
from penalized_replication.experiments.catalogue import experiment as experiment_of


def tell(
    result: ClaimResult, config: str = "", homes: Mapping[str, str] | None = None
) -> ClaimResult:
    """Return a decided result with its texts, the dates of its rule, and the config by name.

    ``homes`` has the folder of the scenario in which each experiment was simulated.
    """
    declared, entry = claim(result.id), entry_of(result.id)
    readings = {r for e in entry.experiments for r in experiment_of(e).readings}
    table = f"summaries/{entry.experiments[0]}.csv" if entry.experiments else "claims/claims.json"
    table = declared.evidence or table
    behind = [e for e in entry.experiments if e == Path(table).stem] or entry.experiments
    home = "".join((homes or {}).get(e, "") for e in behind[:1])
    digest = digest_of(declared)
    first, changed = dates_of(result.id, digest)
    same = ("where", "statement", "rule", "low_power", "mended")
    described = replace(
        result,
        **{name: getattr(declared, name) for name in same},
        repeats=if_declared(declared.repeats),
        quantity=declared.quantity if result.parts else "",
        evidence=f"results/{home}{table}",
        readings=", ".join(sorted(readings)),
        asked_by="us" if declared.ours or entry.folder != "paper" else "the paper",
        declared=first,
        changed=changed,
        digest=digest,
        config=config,
        confirmed=in_short(result.id) if entry.folder == "extended" else "",
        parts=tuple(replace(part, detail=detail_of(result.id, part)) for part in result.parts),
    )
    weakest = None if described.weakest is None else described.parts[described.weakest]
    return replace(
        described,
        note=note_of(described),
        best=sized(described.best_part) if described.best_part else "",
        violation=violation(weakest) if weakest else "",
    )
