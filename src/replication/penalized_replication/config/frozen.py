"""The frozen confirmation: the paper's claims on seeds that follow from a commit, and new bandits.

``config/frozen.yaml`` has the commit that fixed every rule, the seeds that follow from its id, and
which bandits are drawn anew.  Each seed is a scenario of the set ``frozen``.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import numpy as np

from penalized_replication.common.errors import ConfigError

FROZEN = "frozen"
OWN_SEED = "frozen_seed"
"""Key of the config: a seed of the reader's own, in place of those of the file."""
REDRAWN = "redrawn"
"""Key of the overlays: the places of the config whose bandits are drawn anew."""
RUNS = 20
LEAST, MOST = 0.8, 1.25
"""Range of the factors by which gaps and margins of a bandit differ from the paper's."""
LOWEST = 0.01
"""Least mean reward of an arm, and least penalty rate that is not 0."""
DRAWS = 1000
"""Bandits that are drawn at most, for one of the kind wanted."""


def seed_of(text: str) -> int:
    """Return the first 63 bits of SHA-256 of a text in UTF-8, big-endian."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 1


def seeds_of(freeze: str) -> list[int]:
    """Return the seeds that follow from a commit's id, 40 hexadecimal digits."""
    return [seed_of(f"{freeze}{i}") for i in range(1, RUNS + 1)]


def frozen_set(values: Mapping[str, Any], own: int | None) -> dict[str, dict[str, Any]]:
    """Return the scenarios of the set by name: those of the file, or that of one's own seed."""
    seeds = {f"{FROZEN}_{i}": seed for i, seed in enumerate(values["seeds"], start=1)}
    seeds = seeds if own is None else {f"{OWN_SEED}_{own}": own}
    return {name: {"seed": seed, REDRAWN: values[REDRAWN]} for name, seed in seeds.items()}


def redrawn(section: Any, key: str, seed: int, experiment: str) -> dict[str, Any]:
    """Return new values of the bandits that a section of the config has below a key, by name.

    Raises ConfigError if none of `DRAWS` bandits is of the kind of one of them.
    """
    horizon, cases = section.horizons[-1], getattr(section, key)
    found = {}
    for name, case in cases.items():
        wanted, at = kind_of(case, horizon), f"{seed} {experiment} {name}"
        drawn = (new_bandit(case, f"{at} {n}") for n in range(DRAWS))
        alike = (new for new in drawn if kind_of(case.model_copy(update=new), horizon) == wanted)
        found[name] = next(alike, None)
        if found[name] is None:
            where = f"{experiment}.{key}.{name}"
            raise ConfigError(f"{where}: none of {DRAWS} bandits like it meets the same conditions")
    return found


def new_bandit(case: Any, key: str) -> dict[str, Any]:
    """Return means and penalty rates of a bandit like that of a case, drawn with a key.

    Each gap, and each margin A - Delta, is that of the case times a factor of its own, uniform
    between 0.8 and 1.25, or up to the factor at which a mean is 0.01.  Numbers have four decimals.
    """
    means, best = case.means, max(case.means)

    def scaled(size: float, kind: str, most: float = MOST) -> float:
        share = seed_of(f"{key} {kind} {size:.6g}") / 2**63
        return size * (LEAST + (max(most, LEAST) - LEAST) * share)

    gaps = [
        scaled(best - mu, "gap", min(MOST, (best - LOWEST) / (best - mu)) if mu < best else MOST)
        for mu in means
    ]
    bandit = {"means": [round(best - gap, 4) for gap in gaps]}
    if rates := getattr(case, "penalties", None):
        margins = [scaled(a - (best - mu), "margin") for a, mu in zip(rates, means, strict=True)]
        of_each = zip(bandit["means"], margins, rates, strict=True)
        bandit["penalties"] = [round(best - mu + m, 4) if a else 0.0 for mu, m, a in of_each]
    return bandit


def kind_of(case: Any, horizon: int) -> tuple[Any, ...]:
    """Return what a new bandit has in common with a case: the arms' order, classes, conditions met.

    The conditions are those of Theorems 4.1 and 4.2 and, arm by arm, of Lemma 4.4 at the horizon.
    """
    from penalized_bandits.theory import conditions
    from penalized_bandits.theory.inputs import instance_of

    means = np.array(case.means)
    ordered = [*np.sign(np.round(np.subtract.outer(means, means), 9)).ravel()]
    if not hasattr(case, "penalties_at"):
        return tuple(ordered)
    rates = case.penalties_at(horizon)
    bandit = instance_of(means, case.fairness_at(horizon), np.maximum(rates, 0.0))
    known: Iterable[Any] = (
        *np.sign(np.round(bandit.margins, 9)),
        *(rates >= LOWEST),
        conditions.condition_4_1(bandit, horizon).all(),
        *(each.all() for each in conditions.conditions_4_2(bandit, horizon)),
        *conditions.condition_lemma_4_4(bandit, horizon),
    )
    return (*ordered, *known)
