"""``python -m penalized_bandits``: the command line."""

from penalized_bandits.cli import main

if __name__ == "__main__":
    main()
