"""Fuzzing: values that YAML can hold, and changes of a small valid config."""

import copy
import math
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st

from config_helpers import PAPER, at
from penalized_replication.common.section import leaves
from penalized_replication.experiments.catalogue import SETTINGS, STUDIES

T = TypeVar("T")


def outcome_of(call: Callable[[], T], *errors: type[Exception]) -> tuple[T | None, str | None]:
    """Return the result of a call, or the message of one of these errors; raise any other."""
    try:
        return call(), None
    except errors as error:
        return None, str(error)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
"""Nested aliases: few lines that stand for 43 million words."""

HUGE = 10**4200
"""Nearly as many digits as Python converts to text."""
TEXTS = st.one_of(
    # A text such as os:x would name a policy to be imported.
    st.text(max_size=8).filter(lambda text: ":" not in text),
    st.sampled_from(["", " ", "../../etc/passwd", "/etc/passwd", "a/b", "{setting}", "$(touch x)"]),
    st.sampled_from(["`touch x`", "'; touch x #", "a\nb", "a\x00b", "\ud800", "x" * 5000]),
    st.sampled_from(["<script>", "😀", "nan", "1e3"]),
)
NUMBERS = st.one_of(
    st.integers(-3, 40),
    st.floats(),
    st.sampled_from([0, 1, -1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**30, HUGE, -HUGE]),
    st.sampled_from([0.0, -0.0, 1.0, math.nan, math.inf, -math.inf, 5e-324, 1e-300, 1e308]),
    st.sampled_from([0.1 + 0.2, math.nextafter(1, 0), 1 - 1e-12, 1e-9]),
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS, st.binary(max_size=3), st.dates())
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(TEXTS, SCALARS), inner, max_size=3),
        st.tuples(inner),
        st.sets(st.integers(0, 3)),
    ),
    max_leaves=8,
)
"""Values that YAML, or Python, can hold."""

Edits = list[tuple[tuple[str, ...], Any]]


def _small(paper: dict[str, Any]) -> dict[str, Any]:
    config = copy.deepcopy(paper)
    config["movielens"] = {"source": "bundled"}
    for name in (*SETTINGS, *STUDIES):
        section = config[name]
        section["replicates"] = 3
        for key, value in {
            "horizon": 40,
            "horizons": [20, 40],
            "tuned_horizons": [20, 40],
            "arms": [3] if isinstance(section.get("arms"), list) else 3,
            "fairness": [0.25] if isinstance(section.get("fairness"), list) else None,
            "scale_points": 3,
            "tuning_values": 3,
            "m0": [2500],
            "gaps": [0.5, 2.0],
            "penalty_ratios": [1.0],
        }.items():
            if key in section and value is not None:
                section[key] = value
        if "cases" in section:
            section["cases"] = dict(list(section["cases"].items())[:2])
    laws, played = config["log_laws"], config["deterministic"]
    laws |= {"horizons": [200, 400], "instances": dict([*laws["instances"].items()][:3])}
    played["horizons"] = [150, 250]
    played["theorem_4_7"] |= {"critical_penalty": 0.8, "critical_gap": 0.5}
    return config


SMALL = _small(PAPER)
"""A valid config that runs quickly."""
PLACES = [tuple(key.split(".")) for key, _ in leaves(SMALL)]


@st.composite
def changes(draw: st.DrawFn) -> Edits:
    """Draw a change of a valid config: another value of a key, or an unknown key."""
    path = draw(st.sampled_from(PLACES))
    old, value = at(SMALL, path), draw(st.one_of(NUMBERS, JUNK))
    if isinstance(old, list) and draw(st.booleans()):
        place = draw(st.integers(0, len(old) - 1))
        edited = [*old[:place], draw(NUMBERS), *old[place + 1 :]]
        value = draw(st.sampled_from([edited, old + old, old[:1], old[::-1]]))
    elif draw(st.integers(0, 9)) == 0:
        path = (*path[:-1], draw(TEXTS))
    return [(path, value)]


def changed(edits: Edits) -> dict[str, Any]:
    config = copy.deepcopy(SMALL)
    for path, value in edits:
        at(config, path[:-1])[path[-1]] = value
    return config
