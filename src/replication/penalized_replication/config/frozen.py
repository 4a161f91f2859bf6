"""The frozen confirmation: the paper's claims on seeds that follow from a commit, and new bandits.

``config/frozen.yaml`` has the commit that fixed every rule, the seeds that follow from its id, and
which bandits are drawn anew.  Each seed is a scenario of the set ``frozen``.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

FROZEN = "frozen"
OWN_SEED = "frozen_seed"
"""Key of the config: a seed of the reader's own, in place of those of the file."""
RUNS = 20
LEAST, MOST = 0.8, 1.25
"""Range of the factors by which gaps and margins of a bandit differ from the paper's."""
LOWEST = 0.01
"""Least mean reward of an arm."""


def seed_of(text: str | bytes) -> int:
    """Return the first 63 bits of SHA-256 of a text, big-endian."""
    data = text.encode() if isinstance(text, str) else text
    return int.from_bytes(sha256(data).digest()[:8], "big") >> 1


def seeds_of(freeze: str) -> list[int]:
    """Return the seeds that follow from a commit's id, 40 hexadecimal digits."""
    return [seed_of(f"{freeze}{i}") for i in range(1, RUNS + 1)]


def frozen_set(
    base: Mapping[str, Any], values: Mapping[str, Any], own: int | None
) -> dict[str, dict[str, Any]]:
    """Return the scenarios of the set by name: those of the file, or that of one's own seed."""
    seeds = {f"{FROZEN}_{i}": seed for i, seed in enumerate(values["seeds"], start=1)}
    seeds = seeds if own is None else {f"{OWN_SEED}_{own}": own}
    return {name: _overlay(base, values["new_bandits"], s) for name, s in seeds.items()}


def _overlay(base: Mapping[str, Any], places: list[str], seed: int) -> dict[str, Any]:
    overlay: dict[str, Any] = {"seed": seed}
    for experiment, key in (place.split(".") for place in places):
        for name, case in base.get(experiment, {}).get(key, {}).items():
            made = new_bandit(case, f"{seed} {experiment} {name}")
            overlay.setdefault(experiment, {}).setdefault(key, {})[name] = made
    return overlay


def new_bandit(case: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return means and penalty rates of a bandit like a given one, drawn with a key.

    Each gap, and each margin A - Delta, is that of the given bandit times a factor of its own,
    uniform between 0.8 and 1.25, so that arms stay critical or not, alike or not, and a rate of 0
    stays 0.  Numbers have four decimals.
    """
    means, best = case["means"], max(case["means"])

    def scaled(size: float, kind: str) -> float:
        share = seed_of(f"{key} {kind} {size:.6g}") / 2**63
        return size * (LEAST + (MOST - LEAST) * share)

    made = [round(max(best - scaled(best - mu, "gap"), min(mu, LOWEST)), 4) for mu in means]
    bandit = {"means": made}
    if rates := case.get("penalties"):
        of_each = zip(means, made, rates, strict=True)
        margins = ((best - new, scaled(a - (best - mu), "margin"), a) for mu, new, a in of_each)
        bandit["penalties"] = [round(max(gap + m, 0.0), 4) if a else 0.0 for gap, m, a in margins]
    return bandit
