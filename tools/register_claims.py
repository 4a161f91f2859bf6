"""Print the lines that the register of rules lacks (``claims/ledger/rules.csv``).

    uv run python tools/register_claims.py
    uv run python tools/register_claims.py paper.worst_case worst_case

Without arguments: a line for each claim of another wording.  With a new module of claims and its
experiments: the first lines of its claims, which also say where they are.
"""

import sys
from datetime import UTC, datetime
from importlib import import_module

from penalized_replication.claims import CLAIMS, claim
from penalized_replication.claims.base import DECLARED
from penalized_replication.claims.ledger.register import dates_of, digest_of


def missing(today: str) -> list[str]:
    """Return the lines that the register lacks: one for each claim of another wording."""
    found = ((name, digest_of(claim(name))) for name in CLAIMS)
    return [f"{name},{today},{digest}" for name, digest in found if not dates_of(name, digest)[0]]


def new(module: str, *experiments: str, today: str) -> list[str]:
    """Return the first lines of claims of a module that the register does not have yet."""
    import_module(f"penalized_replication.claims.{module}")
    where = f"{module},{' '.join(experiments)}"
    found = ((name, digest_of(declared)) for name, declared in DECLARED.items())
    return [f"{name},{today},{digest},{where}" for name, digest in found if name not in CLAIMS]


def main(*place: str) -> None:
    """Print the missing lines; ``place``: a new module and its experiments."""
    today = datetime.now(UTC).date().isoformat()
    print("\n".join(new(*place, today=today) if place else missing(today)))


if __name__ == "__main__":
    main(*sys.argv[1:])
