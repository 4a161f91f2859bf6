"""The state of a live player as JSON, and back; invalid text raises BanditError with the reason."""

import hashlib
import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from penalized_bandits.common.errors import LARGEST, BanditError
from penalized_bandits.engine._disk import turn
from penalized_bandits.engine.play import Accrual, Play
from penalized_bandits.storage.files import digest_of, write_text

FORMAT = 2
"""Number of the format; format 1 has no ids of choices, and all its arms are in service."""
ROUNDING = 1e-6
"""Share by which a sum of rewards may exceed what it is without rounding."""


@dataclass(frozen=True)
class Given:
    """Parameters of a player beside policy, fairness and penalties."""

    tuning: float | None
    noise: float
    seed: int
    log_of: Literal["n", "n-1"]
    accrual: Accrual = "always"
    patience: int = 1000


Open = list[dict[str, None]]
"""Ids of each arm's choices without a reward, oldest first, shape (K,)."""
LISTS = {
    "pulls": int, "observed": int, "since": int, "sums": float, "levels": float,
    "credit": float, "waiting": list, "open": list,
}  # fmt: skip
"""Lists of a state with an item for each arm, and the type of an item."""
NAMES = {int: "whole numbers", float: "numbers", list: "lists"}
KEYS = {"format", "policy", "fairness", "penalties", "in_service", "started", "memory"}
KEYS |= {*LISTS, *Given.__dataclass_fields__}


def written(play: Play, given: Given, open_choices: Open) -> str:
    """Return the state of a play and its choices as JSON."""
    # JSON has no name for what is not finite: it is text.
    memory = [[x if math.isfinite(x) else str(x) for x in row] for row in play.memory.tolist()]
    facts = {"format": FORMAT, "policy": play.policy.id, **asdict(given), "memory": memory}
    facts["open"] = [list(ids) for ids in open_choices]
    facts |= {key: getattr(play, key) for key in sorted(KEYS - facts.keys())}
    return json.dumps(facts, allow_nan=False)


def parsed(text: str) -> dict[str, Any]:
    """Return a state, its values not yet checked; raise BanditError if keys are wrong."""
    try:
        facts = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise BanditError(f"the state is no JSON: {error}") from None
    if not isinstance(facts, dict) or "format" not in facts:
        raise BanditError("the state is JSON, but not of a player: it has no format")
    if facts["format"] == 1 and isinstance(facts.get("pulls"), list):
        n_arms = len(facts["pulls"])
        added = {"accrual": "always", "patience": 1000, "credit": [0.0] * n_arms, "started": False}
        facts |= {"format": FORMAT, "open": [[]] * n_arms, "in_service": [*range(n_arms)]} | added
    if facts["format"] != FORMAT:
        raise BanditError(f"the state has format {facts['format']!r}: 1 and {FORMAT} can be read")
    if wrong := sorted(KEYS ^ facts.keys()):
        raise BanditError(f"the state lacks, or has beside its own, the keys {', '.join(wrong)}")
    return facts


def restore(play: Play, facts: dict[str, Any]) -> Open:
    """Bring a new play to a state; raise BanditError if its numbers do not fit together."""
    n_arms, shape = len(play.arms), play.memory.shape
    for key, kind in LISTS.items():
        items, kinds = facts[key], (int, float) if kind is float else (kind,)
        fit = isinstance(items, list) and all(type(item) in kinds for item in items)
        if not fit or len(items) != n_arms:
            what = f"a list of {n_arms} {NAMES[kind]}, one for each arm"
            raise BanditError(f"{key} of the state must be {what}, but is {items!r}")
    try:
        play.memory = np.array(facts["memory"], dtype=float).reshape(shape)
        waiting = [np.array(row, dtype=float).tolist() for row in facts["waiting"]]
        open_choices: Open = [dict.fromkeys(map(str, ids)) for ids in facts["open"]]
        play.in_service = [k for k in play.arms if k in facts["in_service"]]
        for key in LISTS.keys() - {"open"}:
            setattr(play, key, waiting if key == "waiting" else [*map(LISTS[key], facts[key])])
    except (TypeError, ValueError, OverflowError) as error:
        raise BanditError(
            f"memory (shape {shape} for policy {play.policy.id}), waiting or in_service of the "
            f"state is wrong: {error}"
        ) from None
    if not play.in_service or play.in_service != facts["in_service"]:
        raise BanditError(
            f"in_service of the state must be arms from 0 to {n_arms - 1}, in order, but is "
            f"{facts['in_service']!r}"
        )
    play.rounds, play.started = sum(play.pulls), facts["started"] is True
    for k in play.arms:
        if not _fits(play, k, len(open_choices[k])):
            numbers = {key: facts[key][k] for key in LISTS}
            raise BanditError(
                f"the numbers of arm {k} of the state do not fit together, after {play.rounds} "
                f"rounds: {numbers}"
            )
    return open_choices


def _fits(play: Play, k: int, n_open: int) -> bool:
    """Return whether the numbers of an arm can be those of a play."""
    seen, waiting = play.observed[k], play.waiting[k]
    return (
        min(seen, play.pulls[k]) >= 0
        and seen + len(waiting) + n_open <= play.pulls[k]
        and (play.policy.memory > 0 or not waiting)
        and -1 <= play.since[k] <= play.rounds
        and abs(play.sums[k]) <= seen * LARGEST * (1 + ROUNDING)
        and all(abs(reward) <= LARGEST for reward in waiting)
        and math.isfinite(play.levels[k])
        and abs(play.credit[k]) <= play.rounds + 1
    )


def checksum(text: str) -> str:
    """Return the checksum of a state."""
    return hashlib.sha256(text.encode()).hexdigest()


def save(path: Path, text: str, known: str | None) -> str:
    """Write a state unless the file is not the known one; take and return checksums."""
    # Between the look at the file and its replacement no other process may write it.
    with turn(path.with_name(f".{path.name}.lock")):
        if path.exists() and digest_of(path) != known:
            raise BanditError(
                f"path is {str(path)!r}, which another player has saved since this one was loaded "
                "or saved: load it and report to that player what only this one knows, or save to "
                "another file"
            )
        write_text(path, text)
    return checksum(text)
