"""The command line: ``penalized-bandits``, or ``python -m penalized_bandits``."""

import sys


def main() -> None:
    """Run the command line, which the simulator alone is installed without."""
    try:
        from penalized_bandits.cli import main as run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("penalized_bandits"):
            raise
        remedy = "pip install 'penalized-bandits[cli]' (of a checkout: './src/library[cli]')"
        sys.exit(f"penalized-bandits: the command line needs {error.name!r}: {remedy}")
    run()


if __name__ == "__main__":
    main()
