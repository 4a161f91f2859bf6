"""``penalized-replication claims``: the claims table of claims, read from the results."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from penalized_bandits.cli.errors import Commands, run
from penalized_bandits.cli.terminal import table
from penalized_bandits.common.numbers import estimate
from penalized_replication.claims.results import ClaimResult, decide, read_results, warning
from penalized_replication.claims.table.render import counts_text, described, facts_of
from penalized_replication.claims.table.tables import groups, tally
from penalized_replication.common.errors import ClaimError

_Results = Annotated[Path, typer.Option(metavar="DIR", help="The workflow's results.")]
EXAMPLES = """\b
For example:
  penalized-replication claims
  penalized-replication claims C07 C15
"""
SINCE = (
    "Measured since the claims table was made, perhaps with another config than the paper's; "
    "'snakemake --cores all claims' decides all claims and names the config."
)


def claim_results(results: Path) -> list[ClaimResult]:
    """Return the results of the claims table, or of claims measured since and not yet put into it.

    Raises ClaimError if there are none.
    """
    path = results / "claims/claims.json"
    measured = sorted((results / "claims/measured").glob("*.json"))
    newer = [p for p in measured if not path.is_file() or p.stat().st_mtime > path.stat().st_mtime]
    if newer:
        return [described(decide(result)) for result in read_results(*newer)]
    if not path.is_file() or not (decided := read_results(path)):
        lacking = "has no claims" if path.is_file() else "is missing"
        raise ClaimError(f"{path} {lacking}: make it with 'snakemake --cores all claims'")
    return decided


def in_full(result: ClaimResult) -> Iterator[str]:
    """Yield a claim in full: statement, rule, quantity, every comparison."""
    facts = {"Statement": result.statement, **facts_of(result), "Evidence": result.evidence}
    facts["Interpretations"] = result.interpretations
    lines = [f"{name}: {fact}" for name, fact in facts.items() if fact]
    yield "\n".join([f"{result.id} ({result.where}): {result.verdict}", *lines])
    cells = [
        (p.name, estimate(p.estimate, p.low, p.high), p.limit, p.status, p.detail)
        for p in result.comparisons
    ]
    if cells:
        yield table(pd.DataFrame(cells, columns=["comparison", "estimate", "limit", "status", ""]))


def claims(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CLAIMS", help="Claims to show in full: C07 C15. A table of all by default."
        ),
    ] = None,
    results: _Results = Path("results"),
) -> None:
    """Show the claims of the paper, our own questions, and their verdicts.

    They are read from results/claims, or from what was measured since. A claim in full is its
    statement, the rule that decides it, what was measured and every comparison of it.
    """
    claims = claim_results(results)
    known = [result.id for result in claims]
    # With commas, spaces or both between them.
    named = ",".join(ids or []).upper().replace(",", " ").split()
    if unknown := [claim for claim in dict.fromkeys(named) if claim not in known]:
        raise ClaimError(f"there is no claim {', '.join(unknown)}: known are {', '.join(known)}")
    above = warning(claims[0].config) if claims[0].config else SINCE
    texts = [text for result in claims if result.id in named for text in in_full(result)]
    for title, listed in () if named else groups(claims):
        cells = [(r.id, r.verdict, counts_text(r), r.where, r.statement) for r in listed]
        heads = ["claim", "verdict", "hold / fail / undecided", "where", "statement"]
        texts += [table(pd.DataFrame(cells, columns=heads), title), f"{title}: {tally(listed)}."]
    typer.echo("\n\n".join(filter(None, [above, *texts])))


class _Commands(Commands):
    program = "penalized-replication"


app = typer.Typer(cls=_Commands, add_completion=False, rich_markup_mode=None)
app.command(epilog=EXAMPLES, short_help=(claims.__doc__ or "").partition("\n")[0])(claims)


@app.callback(invoke_without_command=True)
def _all(context: typer.Context) -> None:
    """Read the results of "snakemake --cores all"."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line on the arguments of this process."""
    run(app)
