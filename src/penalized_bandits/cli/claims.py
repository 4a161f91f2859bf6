"""``penalized-bandits claims``: the ledger of claims, read from the results."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from penalized_bandits.cli import values
from penalized_bandits.cli.terminal import table

EXAMPLES = """\b
For example:
  penalized-bandits claims
  penalized-bandits claims --verdict "not reproduced,undecided"
  penalized-bandits claims C07
"""
MAKE = "make it with 'snakemake --cores all claims'"


def _chosen(rows: list[dict[str, Any]], claims: list[str]) -> list[dict[str, Any]]:
    """Return the rows with these ids."""
    from penalized_bandits.common.errors import ClaimError

    known = [row["id"] for row in rows]
    if strangers := [claim for claim in claims if claim not in known]:
        raise ClaimError(f"there is no claim {', '.join(strangers)}: known are {', '.join(known)}")
    return [row for row in rows if row["id"] in claims]


def _verdicts(text: str) -> list[str]:
    """Read verdicts with commas between them."""
    from penalized_bandits.claims.base import Verdict

    given, known = values.names(text), get_args(Verdict)
    for verdict in given:
        if verdict not in known:
            values.refuse("--verdict", f"{verdict!r} is no verdict: {', '.join(known)} are")
    return given


def ledger_rows(results: Path) -> list[dict[str, Any]]:
    """Return the rows of the ledger, or of claims measured since and not yet put into it.

    Raises ClaimError if there are none.
    """
    from penalized_bandits.claims.decided import decided
    from penalized_bandits.claims.ledger import told
    from penalized_bandits.common.errors import ClaimError
    from penalized_bandits.storage.files import read_json

    path = results / "claims" / "claims.json"
    measured = sorted((results / "claims" / "measured").glob("*.json"))
    newer = [p for p in measured if not path.is_file() or p.stat().st_mtime > path.stat().st_mtime]
    if newer:
        return [told(decided(row)) for p in newer for row in read_json(p)]
    if not path.is_file():
        raise ClaimError(f"{path} is missing: {MAKE}")
    if found := read_json(path):
        return found
    raise ClaimError(f"{path} has no claims: {MAKE}")


def ledger_tables(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield a table of the paper's claims and one of our own questions, each with its tally."""
    from penalized_bandits.claims.ledger.reading import groups, parts_text, tally
    from penalized_bandits.experiments.names import in_words

    for title, of_it in groups(rows):
        cells = [
            (r["id"], r["verdict"], parts_text(r), r["where"], in_words(r["statement"]))
            for r in of_it
        ]
        heads = ("claim", "verdict", "hold / fail / undecided", "where", "statement")
        yield table(heads, cells, title)
        yield f"{title}: {tally(of_it)}."
    if not rows:
        yield "No claim has such a verdict."


def in_full(row: dict[str, Any]) -> Iterator[str]:
    """Yield a claim in full: statement, rule, what was measured, every part."""
    from penalized_bandits.claims.ledger.reading import facts
    from penalized_bandits.common.numbers import estimate, shown
    from penalized_bandits.experiments.names import in_words

    told = {"Statement": in_words(row["statement"]), **facts(row), "Evidence": row["evidence"]}
    told["Readings"] = row["readings"]
    lines = [f"{name}: {fact}" for name, fact in told.items() if fact]
    yield "\n".join([f"{row['id']} ({row['where']}): {row['verdict']}", *lines])
    cells = [
        (
            in_words(part["name"]),
            estimate(part["estimate"], part["low"], part["high"]),
            shown(part["limit"]),
            part["status"],
            in_words(part["detail"]),
        )
        for part in row["all_parts"]
    ]
    if cells:
        yield table(("part", ">estimate", ">limit", "status", ""), cells)


def _text(rows: Iterable[dict[str, Any]], claims: list[str], verdicts: list[str]) -> str:
    """Return what is shown of the rows."""
    from penalized_bandits.claims.ledger import warning

    found = list(rows)
    shown = _chosen(found, claims) if claims else found
    shown = [row for row in shown if not verdicts or row["verdict"] in verdicts]
    parts = [part for row in shown for part in in_full(row)] if claims else []
    other = warning(shown[0]) if shown else None
    return "\n\n".join([*([other] if other else []), *(parts or ledger_tables(shown))])


def claims(
    ids: Annotated[
        str | None,
        typer.Argument(
            metavar="CLAIMS",
            help="Claims to show in full, with commas between them: C07,C15. A table of all by "
            "default.",
        ),
    ] = None,
    verdict: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Only claims with these verdicts: reproduced, consistent, partly, not reproduced, "
            "undecided, identity, not measured.",
        ),
    ] = None,
    results: Annotated[Path, typer.Option(metavar="DIR", help="The workflow's results.")] = Path(
        "results"
    ),
) -> None:
    """Show the claims of the paper, our own questions, and their verdicts.

    They are read from the ledger in results/, or from what was measured since. A claim in full
    is its statement, the rule that decides it, what was measured and every part of it.
    """
    wanted = [] if ids is None else [claim.upper() for claim in values.names(ids)]
    verdicts = [] if verdict is None else _verdicts(verdict)

    from penalized_bandits.common.errors import ClaimError

    rows = ledger_rows(results)
    try:
        text = _text(rows, wanted, verdicts)
    except ClaimError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ClaimError(
            f"{results / 'claims/claims.json'} is no ledger of claims ({error!r}): make it anew "
            "with 'snakemake --cores all claims --forcerun write_ledger'"
        ) from None
    typer.echo(text)
