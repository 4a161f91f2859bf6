"""``penalized-bandits verify``: whether results are what was written."""

import typer

from penalized_bandits.cli import values

EXAMPLES = """\b
For example:
  penalized-bandits verify
  penalized-bandits verify --results elsewhere/results
"""


def verify(
    results: values.Results = values.RESULTS,
) -> None:
    """Check that no byte of the results has changed since they were written.

    Reads every file that has its origin beside it (setting_1.origin.json) and compares
    checksums: for results that were copied, or kept for long. Exit code 1 if one differs.
    """
    from penalized_bandits.common.errors import UserError
    from penalized_bandits.storage.verify import check_folder

    checked = check_folder(results)
    if not checked:
        raise UserError(
            f"there are no results in {results}: make them with 'snakemake --cores all'"
        )
    typer.echo(f"{checked} files in {results} are what was written")
