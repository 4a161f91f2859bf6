"""Fuzzing: how many cases, bounds on each, and configs made from the config's own schema.

In ``.ci/run`` every property gets a few hundred cases, the same each time.  The nightly
form has more and other ones each time:

    PENALIZED_BANDITS_FUZZ=nightly uv run pytest -q tests/hostile/test_fuzz_*.py
"""

import copy
import math
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from config_helpers import PAPER
from penalized_bandits.config import Config
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.policies import POLICIES

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

NIGHTLY = os.environ.get("PENALIZED_BANDITS_FUZZ") == "nightly"
CASES = {
    "config": (150, 4000),
    "config, simulated": (40, 1000),
    "config, judged": (8, 200),
    "config files": (60, 1500),
    "command line": (30, 600),
    "archives": (80, 3000),
    "ratings tables": (40, 1500),
    "counts": (40, 2000),
}
"""Cases of each property, in ``.ci/run`` and in the nightly form."""
CPU_SECONDS = 30
"""Bound on one case, far above what any takes: more is a hang."""


def fuzz(name: str) -> Callable[[F], F]:
    """Give a property its number of cases."""
    few, many = CASES[name]
    return settings(
        max_examples=many if NIGHTLY else few,
        derandomize=not NIGHTLY,
        # Processors here are shared: see `no_hang`, which counts what is spent.
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )


@contextmanager
def no_hang(seconds: float = CPU_SECONDS) -> Iterator[None]:
    """Fail where a block spends more processor time than it ever should."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"not done after {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def outcome_of(call: Callable[[], T], *errors: type[Exception]) -> tuple[T | None, str | None]:
    """Return what a call gives, or what it says with one of these errors; others are raised."""
    with no_hang():
        try:
            return call(), None
        except errors as error:
            return None, str(error)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
"""Aliases upon aliases: few lines that stand for 43 million words."""


# --- Values ----------------------------------------------------------------------

HUGE = 10**4200
"""Nearly as many digits as Python turns into text (see ``test_numbers_without_text``)."""
TEXTS = st.one_of(
    # A text such as os:x would name a policy to be imported.
    st.text(max_size=8).filter(lambda text: ":" not in text),
    st.sampled_from(
        [
            "",
            " ",
            "../../etc/passwd",
            "/etc/passwd",
            "a/b",
            "{setting}",
            "$(touch x)",
            "`touch x`",
            "'; touch x #",
            "a\nb",
            "a\x00b",
            "\ud800",
            "x" * 5000,
            "<script>",
            "😀",
            "nan",
            "1e3",
        ]
    ),
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
"""What YAML, or Python, can hold."""


# --- Configs ---------------------------------------------------------------------

SCHEMA = Config.model_json_schema()
NAMES = st.one_of(
    st.from_regex(r"\A(case|critical|noncritical)_[0-9]{1,2}\Z"),
    st.sampled_from(["K5_tau0", "K5_tau1", "CASE_1", "all", "fixed", "a" * 100, "a" * 101, "1"]),
    TEXTS,
)
POLICY_LISTS = st.lists(
    st.one_of(st.sampled_from(sorted(POLICIES)), st.just("epsilon")), min_size=1, max_size=4
)
MODULES = ("no_such_module", "math", "penalized_bandits.policies.ucb1")
"""What the policies of a fuzzed config may import: nothing that importing could do harm with."""
OWN_POLICIES = st.dictionaries(
    st.one_of(NAMES, st.sampled_from(["mine", "ucb1", "a=b", "a,b"])),
    st.one_of(
        st.builds("{}:{}".format, st.sampled_from(MODULES), st.sampled_from(["POLICY", "sqrt"])),
        st.sampled_from(
            ["math", "math:", ":sqrt", "math:sqrt:pi", "../math:sqrt", "math:sqrt,b=c:d"]
        ),
        TEXTS.filter(lambda text: ":" not in text),
    ),
    max_size=2,
)


def _bounded(node: dict[str, Any], least: float, most: float) -> tuple[Any, Any]:
    low = node.get("minimum", node.get("exclusiveMinimum", least))
    high = node.get("maximum", node.get("exclusiveMaximum", most))
    return low, high


def from_schema(node: dict[str, Any], key: str = "") -> st.SearchStrategy[Any]:
    """Make values of the form that the schema asks for, its bounds often among them.

    What the schema does not tell (lists of one length, sums below 1) is left to chance.
    """
    if "$ref" in node:
        return from_schema(SCHEMA["$defs"][node["$ref"].rpartition("/")[2]], key)
    if "anyOf" in node:
        return st.one_of([from_schema(inner, key) for inner in node["anyOf"]])
    if "enum" in node:
        return st.sampled_from(node["enum"])
    if key == "policies" and node["type"] == "object":
        return OWN_POLICIES
    if key == "policies":
        return POLICY_LISTS
    kind = node["type"]
    if kind == "integer":
        low, high = _bounded(node, 0, 2**63)
        return st.one_of(st.integers(low, min(high, low + 60)), st.sampled_from([low, high]))
    if kind == "number":
        low, high = _bounded(node, 0, 1e300)
        inside = st.floats(low, min(high, 2.0))
        eighths = st.integers(0, 8).map(lambda i: low + (min(high, 1.0) - low) * i / 8)
        return st.one_of(inside, eighths, st.sampled_from([low, high]))
    if kind == "array":
        items = from_schema(node["items"], key)
        return st.lists(items, min_size=node.get("minItems", 0), max_size=4)
    if kind == "object" and "properties" in node:
        fields = {name: from_schema(inner, name) for name, inner in node["properties"].items()}
        needed = set(node.get("required", ()))
        return st.fixed_dictionaries(
            {name: made for name, made in fields.items() if name in needed},
            optional={name: made for name, made in fields.items() if name not in needed},
        )
    if kind == "object":
        names = st.one_of(NAMES, st.sampled_from(sorted(EXPERIMENTS)))
        inner = from_schema(node["additionalProperties"], key)
        return st.dictionaries(names, inner, min_size=node.get("minProperties", 0), max_size=3)
    return {"string": TEXTS, "boolean": st.booleans(), "null": st.none()}[kind]


def _small(paper: dict[str, Any]) -> dict[str, Any]:
    """Return the config with sizes that simulate in no time."""
    config = copy.deepcopy(paper)
    config["movielens"] = {"source": "bundled"}
    for name in EXPERIMENTS:
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
    config["deterministic"]["horizons"] = [150, 250]
    config["deterministic"]["theorem_4_7"]["critical_penalty"] = 0.8
    config["deterministic"]["theorem_4_7"]["critical_gap"] = 0.5
    instances = config["log_laws"]["instances"]
    config["log_laws"]["instances"] = dict(list(instances.items())[:3])
    config["log_laws"]["horizons"] = [200, 400]
    return config


SMALL = _small(PAPER)
"""A valid config that takes no time to run."""


def _places(
    node: dict[str, Any], values: Any, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Yield the path and the schema of every key of a config, those left out included."""
    if "$ref" in node:
        yield from _places(SCHEMA["$defs"][node["$ref"].rpartition("/")[2]], values, path)
        return
    values = values if isinstance(values, dict) else {}
    for name, inner in node.get("properties", {}).items():
        yield (*path, name), inner
        yield from _places(inner, values.get(name), (*path, name))
    if isinstance(node.get("additionalProperties"), dict):
        for name, value in values.items():
            yield (*path, name), node["additionalProperties"]
            yield from _places(node["additionalProperties"], value, (*path, name))


PLACES = list(_places(SCHEMA, SMALL))


def put(config: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set a key of a config, sections that are missing made on the way."""
    for key in path[:-1]:
        inner = config.get(key)
        if not isinstance(inner, dict):
            inner = config[key] = {}
        config = inner
    config[path[-1]] = value


def _edited(draw: st.DrawFn, old: Any) -> Any:
    """Change a number or an element of a list a little, or a lot."""
    if isinstance(old, list) and old:
        new = list(old)
        place = draw(st.integers(0, len(new) - 1))
        new[place] = draw(st.one_of(NUMBERS, st.just(new[0]), JUNK))
        return draw(st.sampled_from([new, new + new, new[:1], new[::-1]]))
    return draw(st.one_of(NUMBERS, JUNK))


Edits = list[tuple[tuple[str, ...], Any]]
KINDS = ("form", "form", "edit", "junk", "extra")


@st.composite
def changes(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS, most: int = 3) -> Edits:
    """Draw some changes of a valid config: each a path and its new value.

    Kinds: ``form`` is a value of the form that the schema asks for, ``edit`` a number or an
    element changed, ``junk`` any value, ``extra`` a key of any name.
    """
    drawn = []
    for _ in range(draw(st.integers(1, most))):
        path, node = draw(st.sampled_from(PLACES))
        how = draw(st.sampled_from(kinds))
        if how == "extra":
            path, value = (*path[:-1], draw(NAMES)), draw(st.one_of(JUNK, from_schema(node)))
        elif how == "form":
            value = draw(from_schema(node, path[-1]))
        else:
            old: Any = SMALL
            for key in path:
                old = old.get(key) if isinstance(old, dict) else None
            value = _edited(draw, old) if how == "edit" else draw(JUNK)
        drawn.append((path, value))
    return drawn


def changed(edits: Edits) -> dict[str, Any]:
    """Return the valid config with these changes made."""
    config = copy.deepcopy(SMALL)
    for path, value in edits:
        put(config, path, copy.deepcopy(value))
    return config
