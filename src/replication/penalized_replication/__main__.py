"""The command line: ``penalized-replication``, or ``python -m penalized_replication``."""

from penalized_replication.command import main

if __name__ == "__main__":
    main()
