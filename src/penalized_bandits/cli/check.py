"""``penalized-bandits check``: whether the workflow would take a config."""

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = """\b
For example:
  penalized-bandits check mine.yaml
  penalized-bandits check mine.yaml --base config/quick.yaml
"""


def check(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILES", help="Config files, as --configfile takes them."),
    ],
    base: Annotated[
        Path, typer.Option(metavar="FILE", help="The config whose keys they replace.")
    ] = Path("config/config.yaml"),
) -> None:
    """Check config files without running anything.

    Snakemake runs code in a config file that asks for it (__use_yte__): this does not. A
    file from somebody else that passes here holds nothing but keys and values that the
    workflow takes. Policies of its own (the key policies) are named, not imported.
    """
    from penalized_bandits.config import load_config

    config = load_config(base, *files, run_policies=False)
    config.check_local_files()
    typer.echo(f"{', '.join(map(str, files))}: nothing wrong")
    if config.policies:
        own = ", ".join(f"{policy} ({spec})" for policy, spec in config.policies.items())
        typer.echo(
            f"It names policies of its own, whose modules the workflow imports, which runs them: "
            f"{own}. They were not imported here. Read them first, then try them with check-policy."
        )
