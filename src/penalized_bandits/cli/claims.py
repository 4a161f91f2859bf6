"""``penalized-bandits claims``: the ledger of claims, read from the results."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from penalized_bandits.cli import values

EXAMPLES = """\b
For example:
  penalized-bandits claims
  penalized-bandits claims --verdict "not reproduced,undecided"
  penalized-bandits claims C07
  penalized-bandits claims C29,C30 --full
"""


def _chosen(
    rows: list[dict[str, Any]], claims: list[str], verdicts: list[str]
) -> list[dict[str, Any]]:
    """Return the rows with these ids and verdicts; no id and no verdict stand for all."""
    from penalized_bandits.common.errors import ClaimError

    wanted = [claim.upper() for claim in claims]
    known = [row["id"] for row in rows]
    strangers = [claim for claim in wanted if claim not in known]
    if strangers:
        raise ClaimError(f"there is no claim {', '.join(strangers)}: known are {', '.join(known)}")
    return [
        row
        for row in rows
        if (not wanted or row["id"] in wanted) and (not verdicts or row["verdict"] in verdicts)
    ]


def _verdicts(text: str) -> list[str]:
    """Read verdicts with commas between them."""
    from penalized_bandits.claims.base import Verdict

    given, known = values.names(text), get_args(Verdict)
    for verdict in given:
        if verdict not in known:
            values.refuse("--verdict", f"{verdict!r} is no verdict: {', '.join(known)} are")
    return given


def _decided(measured: Iterable[Path]) -> list[dict[str, Any]]:
    """Return the ledger's rows of claims that were measured, and not yet put into the ledger."""
    from penalized_bandits.claims.decided import decided
    from penalized_bandits.claims.ledger import told
    from penalized_bandits.storage.files import read_json

    return [told(decided(row)) for path in measured for row in read_json(path)]


def claims(
    ids: Annotated[
        str | None,
        typer.Argument(
            metavar="CLAIMS",
            help="Claims to show, with commas between them: C07,C15. A single one is shown in "
            "full; all of them by default.",
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
    full: Annotated[bool, typer.Option("--full", help="Show each claim in full.")] = False,
    results: values.Results = values.RESULTS,
) -> None:
    """Show the claims of the paper, our own questions, and their verdicts.

    They are read from the ledger in results/, or from what was measured since. A claim in full
    is its statement, the rule that decides it, what was measured and every part of it.
    """
    wanted = [] if ids is None else values.names(ids)
    verdicts = [] if verdict is None else _verdicts(verdict)

    from rich.errors import ConsoleError

    from penalized_bandits.claims.ledger import warning
    from penalized_bandits.cli.claims_text import in_full, ledger_table
    from penalized_bandits.cli.terminal import show
    from penalized_bandits.common.errors import ClaimError
    from penalized_bandits.storage.files import read_json

    path = results / "claims" / "claims.json"
    measured = sorted((results / "claims" / "measured").glob("*.json"))
    newer = [p for p in measured if not path.is_file() or p.stat().st_mtime > path.stat().st_mtime]
    if not newer and not path.is_file():
        raise ClaimError(f"{path} is missing: make it with 'snakemake --cores all claims'")
    found = _decided(newer) if newer else read_json(path)
    if not found:
        raise ClaimError(f"{path} has no claims: make it with 'snakemake --cores all claims'")
    in_short = not (full or len(wanted) == 1)
    try:
        rows = _chosen(found, wanted, verdicts)
        parts = list(ledger_table(rows) if in_short else (p for row in rows for p in in_full(row)))
        if rows and (other := warning(rows[0])):
            parts.insert(0, other)
    except (LookupError, TypeError, ValueError, AttributeError, ConsoleError) as error:
        raise ClaimError(
            f"{path} is no ledger of claims ({error!r}): make it anew with "
            "'snakemake --cores all claims --forcerun write_ledger'"
        ) from None
    show(*parts)
