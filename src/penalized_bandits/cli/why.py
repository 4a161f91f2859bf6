"""``penalized-bandits why``: what a result was made with, and what has changed since."""

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = """\b
For example:
  penalized-bandits why results/figures/figure_4.pdf
  penalized-bandits why results/index.html --configfile config/quick.yaml
"""


def why(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of the results.")],
    configfile: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="One more config of the next run."),
    ] = None,
    base: Annotated[
        Path, typer.Option(metavar="FILE", help="The config whose keys they replace.")
    ] = Path("config/config.yaml"),
) -> None:
    """Say what a file of the results was made with, and what has changed since.

    Reads the origin beside it (figure_4.origin.json), and compares the config and the code
    with those of now: the keys and the files that are named are why the next run makes it
    again.
    """
    from penalized_bandits.config import load_config
    from penalized_bandits.workflow.why import explain

    for line in explain(file, load_config(base, *(configfile or []))):
        typer.echo(line)
