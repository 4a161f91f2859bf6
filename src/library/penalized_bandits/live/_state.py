"""The state of a live player as JSON, and back; any other text raises BanditError."""

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.files import digest, digest_of, write_text
from penalized_bandits.engine import _scores as rows
from penalized_bandits.engine.disk import turn
from penalized_bandits.engine.play import Play
from penalized_bandits.policies import FILES, POLICIES, Policy
from penalized_bandits.policies.fingerprint import fingerprint
from penalized_bandits.statistics.anytime import Tally

FORMAT = 9
BY_ARM = ("fairness", "penalties", "ceilings", "excess_penalties")
ROWS = {"pulls": rows.PULLS, "levels": rows.LEVEL, "since": rows.SINCE}
ROWS |= {"credit": rows.CREDIT, "capped": rows.CAPPED}
BY_VALUE = ("table", "complete")  # tables whose rows are values in the state, and arms at work


def written(play: Play, given: dict[str, Any], about: dict[str, Any]) -> str:
    """Return the state of a play and facts about its choices and arms as JSON."""
    stats = play.stats
    facts = {
        "format": FORMAT,
        "policy": play.policy.id,
        "given": given,
        "formula": formula_of(play.policy),
        "fairness": stats[rows.FAIRNESS],
        "penalties": play.penalties,
        "ceilings": stats[rows.CEILING],
        # JSON has no infinity, which is the rate of hard caps.
        "excess_penalties": [None if b == np.inf else b for b in play.excess_penalties.tolist()],
        "rounds": play.rounds,
        "observed": stats[rows.OBSERVED].astype(np.int64),
        "sums": stats[rows.SUM],
        "waiting": play.waiting,
        "in_service": play.in_service,
        "started": play.started,
        "variances": np.where(stats[rows.OBSERVED] > 0, stats[rows.VARIANCE], 0.0),
        "memory": play.memory,
        **{name: stats[row] for name, row in ROWS.items()},
        **about,
    }
    facts |= {key: np.transpose(about[key]) for key in BY_VALUE}
    facts = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in facts.items()}
    return json.dumps(facts | {"checksum": _checksum(facts)})


def _checksum(facts: dict[str, Any]) -> str:
    """Return a digest that order of keys and 1 for 1.0, as databases write it, do not change."""
    return digest(json.dumps(json.loads(json.dumps(facts), parse_int=float), sort_keys=True))


def parsed(text: str) -> dict[str, Any]:
    """Return a state; raise BanditError unless it is one that was written so."""
    try:
        facts = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise BanditError(f"the state is no JSON: {error}") from None
    if not isinstance(facts, dict) or "format" not in facts:
        raise BanditError("the state is JSON, but not of a player: it has no format")
    if facts["format"] != FORMAT:
        raise BanditError(
            f"the state has format {facts['format']!r}, but {FORMAT} is read: load it with the "
            "version of the package that wrote it, or start a new player"
        )
    if facts.pop("checksum", None) != _checksum(facts):
        raise BanditError("the state was changed since it was saved: its checksum differs")
    rates = facts["excess_penalties"]
    return {**facts, "excess_penalties": [np.inf if b is None else b for b in rates]}


def formula_of(policy: Policy) -> str:
    """Return a hash of an own policy's rule, after its kind of bytecode; "" of the package's."""
    if policy.id in FILES and POLICIES[policy.id] == policy:
        return ""
    # Fields with their defaults are left out, so that new ones change nothing.
    kept = sorted(vars(policy).keys() - {"id", "card", "hints", "tuning"})
    rule = {k: value for k in kept if (value := getattr(policy, k)) != getattr(Policy, k)}
    return f"{sys.implementation.cache_tag}:{fingerprint(rule, f'policy {policy.id}')}"


def restore(play: Play, tally: Tally, facts: dict[str, Any]) -> None:
    """Bring a new play and a new tally to a state."""
    if len(facts["memory"]) != play.policy.memory:
        raise BanditError(
            f"memory of the state has {len(facts['memory'])} numbers for each arm, but policy "
            f"{play.policy.id} keeps {play.policy.memory}: it is of another version of the policy"
        )
    saved, now = facts["formula"], formula_of(play.policy)
    was, here = (text.partition(":")[0] for text in (saved, now))
    if was and here and was != here:
        text = f"policy {play.policy.id} cannot be compared with that of the state, saved with"
        warnings.warn(f"{text} {was}: make sure that its formula is the same", stacklevel=3)
    elif saved != now:
        raise BanditError(
            f"the state is of {'an own policy' if saved else 'a policy of the package'} with the "
            f"id {play.policy.id}, but its formula or a value in it is another now: pass the one "
            "that was saved as policy=, or start a new player"
        )
    for name, row in ROWS.items():
        play.stats[row] = facts[name]
    play.rounds, play.started = facts["rounds"], facts["started"]
    play.waiting = [[*map(tuple, each)] for each in facts["waiting"]]
    play.learn_all(*(np.array(facts[key], float) for key in ("observed", "sums", "variances")))
    play.in_service = np.array(facts["in_service"], np.int64)
    play.memory = np.array(facts["memory"], dtype=float).reshape(play.memory.shape)
    for key in vars(tally):
        value = facts[key]
        setattr(tally, key, np.transpose(value).tolist() if key in BY_VALUE else value)


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
    return digest(text)
