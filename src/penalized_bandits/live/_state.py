"""The state of a live player as JSON, and back; invalid text raises BanditError with the reason."""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from penalized_bandits.common.errors import LARGEST, BanditError
from penalized_bandits.engine.play import Play

FORMAT = 1
"""Number of the format: another is not read."""
ROUNDING = 1e-6
"""Share by which a sum of rewards may exceed what it is without rounding."""
NOT_FINITE = ("inf", "-inf", "nan")
"""Numbers that JSON does not have: written as text."""


@dataclass(frozen=True)
class Given:
    """Parameters of a player beside policy, fairness and penalties."""

    tuning: float | None
    noise: float
    seed: int
    log_of: Literal["n", "n-1"]


def written(play: Play, given: Given) -> str:
    """Write down the state of a play."""
    facts = {
        "format": FORMAT,
        "policy": play.policy.id,
        "fairness": play.fairness,
        "penalties": play.penalties,
        **asdict(given),
        "pulls": play.pulls,
        "observed": play.observed,
        "sums": play.sums,
        "waiting": play.waiting,
        "levels": play.levels,
        "since": play.since,
        "memory": play.memory.tolist(),
    }
    return json.dumps(_with_text(facts), allow_nan=False)


def _with_text(value: Any) -> Any:
    """Replace numbers that JSON does not have by their names."""
    if isinstance(value, dict):
        return {key: _with_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_text(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True)
class Found:
    """A state that was read: an object of JSON with all keys, its values not yet checked."""

    facts: dict[str, Any]

    @property
    def policy(self) -> str:
        """Id of the policy."""
        return str(self.facts["policy"])

    @property
    def given(self) -> Given:
        """Parameters of the player."""
        return Given(**{name: self.facts[name] for name in Given.__dataclass_fields__})

    def numbers(self, key: str) -> list[float]:
        """Return numbers, shape (K,)."""
        return self._list(key, self.facts[key], _is_number, "numbers", float)

    def counts(self, key: str, least: int = 0) -> list[int]:
        """Return whole numbers from ``least`` on, shape (K,)."""
        kind = f"whole numbers, at least {least}"
        return self._list(key, self.facts[key], lambda x: type(x) is int and x >= least, kind, int)

    def rows(self, key: str) -> list[list[float]]:
        """Return lists of numbers."""
        rows = self._list(key, self.facts[key], lambda x: isinstance(x, list), "lists", list)
        return [self._list(key, row, _is_number, "lists of numbers", float) for row in rows]

    @staticmethod
    def _list(
        key: str, value: Any, fits: Callable[[Any], bool], kind: str, made: Callable[[Any], Any]
    ) -> list[Any]:
        if not isinstance(value, list) or not all(map(fits, value)):
            raise BanditError(f"{key} of the state must be a list of {kind}, but is {value!r}")
        return [made(item) for item in value]


def _is_number(value: object) -> bool:
    if type(value) is int:
        return abs(value) <= LARGEST
    return type(value) is float or value in NOT_FINITE


def parsed(text: str) -> Found:
    """Read a state; raise BanditError unless it is one of this format with all its keys."""
    try:
        facts = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise BanditError(f"the state is no JSON: {error}") from None
    if not isinstance(facts, dict) or "format" not in facts:
        raise BanditError("the state is JSON, but not of a player: it has no format")
    if facts["format"] != FORMAT:
        raise BanditError(f"the state has format {facts['format']!r}: {FORMAT} can be read")
    wanted = {"format", "policy", "fairness", "penalties", *Given.__dataclass_fields__}
    wanted |= {"pulls", "observed", "sums", "waiting", "levels", "since", "memory"}
    if wrong := sorted(wanted ^ facts.keys()):
        raise BanditError(f"the state lacks, or has beside its own, the keys {', '.join(wrong)}")
    return Found(facts)


def restore(play: Play, found: Found) -> None:
    """Bring a new play to a state; raise BanditError if its numbers do not fit together."""
    pulls, observed = found.counts("pulls"), found.counts("observed")
    sums, levels = found.numbers("sums"), found.numbers("levels")
    since, waiting, memory = found.counts("since", -1), found.rows("waiting"), found.rows("memory")
    for key in ("pulls", "observed", "sums", "waiting", "levels", "since"):
        if len(found.facts[key]) != len(play.arms):
            raise BanditError(
                f"{key} of the state has length {len(found.facts[key])}, but there are "
                f"{len(play.arms)} arms"
            )
    if [len(row) for row in memory] != [len(play.arms)] * play.policy.memory:
        raise BanditError(
            f"memory of the state must have shape {play.memory.shape} for policy {play.policy.id}"
        )
    rounds = sum(pulls)
    for k in play.arms:
        if observed[k] + len(waiting[k]) > pulls[k]:
            raise BanditError(f"arm {k} of the state has more rewards than pulls ({pulls[k]})")
        if waiting[k] and not play.policy.memory:
            raise BanditError(
                f"arm {k} of the state has rewards waiting, but policy {play.policy.id} has no "
                "memory"
            )
        if since[k] > rounds:
            raise BanditError(f"since of the state is {since[k]} for arm {k}, after {rounds} pulls")
        largest = LARGEST * (1 + ROUNDING)
        if not (
            abs(sums[k]) <= observed[k] * largest
            and all(abs(reward) <= LARGEST for reward in waiting[k])
            and math.isfinite(levels[k])
        ):
            raise BanditError(f"sums, levels or waiting of arm {k} are more than rewards can make")
    play.rounds, play.pulls, play.observed = rounds, pulls, observed
    play.sums, play.levels, play.since, play.waiting = sums, levels, since, waiting
    play.memory = np.array(memory, dtype=float).reshape(play.memory.shape)
