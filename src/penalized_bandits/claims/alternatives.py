"""Readings with an alternative, and the experiments and claims that each affects."""

from collections.abc import Container, Mapping
from typing import get_args

from penalized_bandits.claims import CLAIMS
from penalized_bandits.experiments.base import Readings
from penalized_bandits.experiments.catalogue import EXPERIMENTS


def readings() -> list[str]:
    """Return the names of the readings that have an alternative."""
    return list(Readings.model_fields)


def alternative(name: str, in_force: Mapping[str, str]) -> dict[str, str]:
    """Return the readings in force with the alternative of one of them."""
    values = get_args(Readings.model_fields[name].annotation)
    other = next(value for value in values if value != in_force[name])
    return {**in_force, name: other}


def affected(name: str, among: Container[str] | None = None) -> list[str]:
    """Return the experiments that depend on a reading: those that claims stand on, or ``among``."""
    behind = {e for c in CLAIMS.values() for e in c.experiments} if among is None else among
    return [e.id for e in EXPERIMENTS.values() if name in e.readings and e.id in behind]


def claims_affected(name: str) -> list[str]:
    """Return the claims that a reading can touch."""
    wanted = affected(name)
    return [c.id for c in CLAIMS.values() if any(e in wanted for e in c.experiments)]
