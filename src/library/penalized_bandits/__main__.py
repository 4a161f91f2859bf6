"""The command line: ``penalized-bandits``, or ``python -m penalized_bandits``."""

import sys

from penalized_bandits.common.errors import MissingExtraError, extra


def main() -> None:
    """Run the command line, which the simulator alone is installed without."""
    try:
        cli = extra("cli", "penalized_bandits.cli")
    except MissingExtraError as error:
        sys.exit(f"penalized-bandits: {error}")
    cli.main()


if __name__ == "__main__":
    main()
