"""``penalized-bandits figure``: draw one figure from the tables of the workflow."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from penalized_bandits.cli import values
from penalized_bandits.common.errors import BanditError, UserError
from penalized_bandits.figures import ALL_FIGURES, THEORY_FIGURES

if TYPE_CHECKING:
    from penalized_bandits.figures import Figure

EXAMPLES = """\b
For example:
  penalized-bandits figure 4 --output figure_4.pdf
  penalized-bandits figure theory_crossover --output crossover.png
"""


def _figure(name: str) -> "Figure":
    """Return a figure by its name or number."""
    identifier = f"figure_{name}" if name.isdecimal() else name
    if identifier not in ALL_FIGURES:
        raise BanditError(f"there is no figure {name!r}: known are {', '.join(ALL_FIGURES)}")
    return ALL_FIGURES[identifier]


def figure(
    name: Annotated[
        str,
        typer.Argument(
            metavar="FIGURE",
            help="The number of a figure of the paper, 1 to 5, or a name: "
            f"{', '.join(THEORY_FIGURES)}.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            metavar="FILE", dir_okay=False, help="Where to; it ends in .pdf, .png or .svg."
        ),
    ],
    results: values.Results = values.RESULTS,
) -> None:
    """Draw one figure from the tables in results/.

    The workflow draws every figure in three formats and with a caption; this draws one of
    them from the same tables, to a file of your choice.
    """
    values.drawing_file("--output", output)
    wanted = _figure(name)

    from penalized_bandits.figures.tables import tables_of

    tables = {table: str(results / path) for table, path in tables_of(wanted).items()}
    missing = [path for path in tables.values() if not Path(path).is_file()]
    if missing:
        raise UserError(
            f"{wanted.id} is drawn from {', '.join(missing)}, which "
            f"{'is' if len(missing) == 1 else 'are'} missing: "
            f"make {'it' if len(missing) == 1 else 'them'} "
            f"with 'snakemake --cores all {wanted.id}'"
        )

    from penalized_bandits.figures.base import draw_figure, write_drawing

    try:
        drawn = draw_figure(wanted, tables)
    except (ValueError, LookupError) as error:
        raise UserError(
            f"{wanted.id} cannot be drawn from {', '.join(tables.values())}: {error}"
        ) from error
    write_drawing(drawn, output)
    typer.echo(f"{output} written", err=True)
