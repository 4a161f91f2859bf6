"""The command line, one file a subcommand; what takes long to import is imported where used."""

from typing import Annotated

import typer

import penalized_bandits
from penalized_bandits.cli import check_policy, penalties, simulate
from penalized_bandits.cli.errors import PROGRAM, Commands, run


def policies() -> None:
    """List the policies, their tuning parameters and references."""
    import pandas as pd

    from penalized_bandits.cli import terminal
    from penalized_bandits.policies import POLICIES

    known = POLICIES.values()
    rows = [(p.id, p.label, p.tuning and p.tuning.symbol, p.card.reference) for p in known]
    typer.echo(terminal.table(pd.DataFrame(rows, columns=["id", "label", "tuning", "reference"])))


app = typer.Typer(cls=Commands, add_completion=False, rich_markup_mode=None)
for _command, _examples in (
    (simulate.simulate, simulate.EXAMPLES),
    (penalties.penalties, penalties.EXAMPLES),
    (policies, "\b\nFor example:\n  penalized-bandits policies\n"),
    (check_policy.check_policy, check_policy.EXAMPLES),
):
    # Given as such it is never cut; made of the docstring it would be.  With -OO there is none.
    _short = (_command.__doc__ or "").partition("\n")[0]
    app.command(epilog=_examples, short_help=_short)(_command)


@app.callback(invoke_without_command=True)
def _all(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Bandits with penalties on unfairness: simulate policies, choose penalty rates."""
    if version:
        typer.echo(f"{PROGRAM} {getattr(penalized_bandits, '__version__', '(not installed)')}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line on the arguments of this process."""
    run(app)
