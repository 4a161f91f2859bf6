"""Claims confirmed on new seeds and bandits, all seeds together; both verdicts side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from penalized_bandits.claims import claim
from penalized_bandits.claims.base import verdict_of
from penalized_bandits.claims.deciding import decide, measure
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger.confirmed import confirmed, in_short
from penalized_bandits.claims.ledger.register import dates_of, digest_of
from penalized_bandits.claims.ledger.render import rendered
from penalized_bandits.claims.ledger.tables import claims_tables, markdown_table, tally
from penalized_bandits.claims.ledger.tell import tell
from penalized_bandits.claims.results import ClaimResult


def confirm(identifier: str, evidence: Mapping[int, Evidence], frozen: str) -> ClaimResult:
    """Measure a claim on the evidence of each seed; return one result.

    The seeds share the level of its tests.  Its parts are those of all seeds.  Its facts have the
    verdict of each seed alone (``by_seed``), the digest of the rule (``rule_digest``), and
    ``frozen``, the digest of config and bandits.
    """
    for one in evidence.values():
        one.level = Evidence.level / len(evidence)
    results = {seed: measure(identifier, one) for seed, one in evidence.items()}
    parts = tuple(
        replace(part, case=f"seed_{seed}/{part.case}", label=f"seed {seed}, {part.label}")
        for seed, result in results.items()
        for part in result.parts
    )
    declared = claim(identifier)
    facts = {
        "by_seed": [verdict_of(result.parts, declared.kind) for result in results.values()],
        "rule_digest": digest_of(declared),
        "frozen": frozen,
    }
    first = next(iter(results.values()))
    result = tell(decide(replace(first, parts=parts, facts={**first.facts, **facts})))
    return replace(result, confirmed="")


def side_by_side(results: Sequence[ClaimResult]) -> list[str]:
    """Return the verdicts of an exploration and of the confirmation as a Markdown table."""
    parts = "parts: hold / fail / undecided (vacuous)"
    heads = ("claim", "exploration", "confirmation", "by seed", parts, "nearest to fail")
    lines: list[tuple[str, ...]] = []
    for result in results:
        cells = (result.id, result.verdict, f"**{in_short(result.id)}**")
        new = confirmed().get(result.id)
        number = "{hold} / {fail} / {undecided} ({vacuous})".format(**new) if new else ""
        lines.append((*cells, *((new["by_seed"], number, new["worst"]) if new else ("",) * 3)))
    return markdown_table(heads, lines)


def page(results: Sequence[ClaimResult]) -> str:
    """Return the claims in Markdown: both verdicts, the rules that changed, then each claim."""

    def changed(name: str) -> str:
        times = dates_of(name)[1]
        return f" (changed {times})" if times else ""

    lines = {"side_by_side": side_by_side(results), "claims": claims_tables(results)}
    return rendered("joined/exploration.md.j2", changed=changed, tally=tally(results), **lines)
