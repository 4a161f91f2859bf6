"""Put the playground together: one page with its engine, theory, bandits and drawings.

Bandits to begin with are cases of the config, made by the code of their experiments.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from penalized_bandits.policies import FILES, PAPER_POLICY, POLICIES
from penalized_bandits.statistics.estimates import student
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import linear_constant
from penalized_replication.config.model import BaseConfig
from penalized_replication.datasets import counts as ratings
from penalized_replication.experiments.base import Case, Context, half_spread
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.figures.style import look_of
from penalized_replication.pages.render import environment, written
from penalized_replication.playground import LIVE
from penalized_replication.playground.scripts import engine_source

TEMPLATES = Path(__file__).parent / "templates"


class Preset(NamedTuple):
    """A bandit with policies, a horizon and replicates, as the page takes them."""

    id: str
    group: str
    title: str
    text: str
    """What there is to see, in a sentence or two."""
    state: dict[str, Any]


GUIDE = Preset(
    "guide",
    "The guide",
    "three arms",
    "Arm 2 is worth its share while A is above its gap, 0.3; arm 3 while it is above 0.5.",
    {
        "means": [0.9, 0.6, 0.4],
        "fairness": [0.1] * 3,
        "penalties": [0.34] * 3,
        "law": {"id": "gaussian", "sd": 0.3},
        "policies": [{"id": policy, "tuning": None} for policy in LIVE],
        "horizon": 100_000,
        "replicates": 20,
        "seed": 1,
    },
)
"""The bandit that the playground opens with."""


def cases_of(config: BaseConfig, name: str) -> list[Case]:
    """Return the cases of an experiment with few arms, with the means of some replicates."""
    context = Context(config.seed, config.interpretations, 0, 20, str(ratings.BUNDLED_COUNTS))
    cases = EXPERIMENTS[name].all_cases(config.section(name), context)
    return [case for case in cases if case.fairness.size <= 31]  # more lanes are hard to look at


def _state(
    config: BaseConfig, case: Case, policies: Sequence[str], horizon: int, penalties: Any
) -> dict[str, Any]:
    arms = {"means": case.means, "fairness": case.fairness, "penalties": penalties}
    shape = case.fairness.shape
    return {
        **{n: np.broadcast_to(np.atleast_2d(x)[0], shape).tolist() for n, x in arms.items()},
        "law": {"id": case.info.law, **case.info.parameters},
        # Without a number of its own a policy has the tuning of its rule for regret.
        "policies": [{"id": p, "tuning": None} for p in policies],
        "horizon": horizon,
        "replicates": 20,
        "seed": config.seed,
    }


def presets(config: BaseConfig) -> Iterator[Preset]:
    """Yield all presets, of a config with the sections of ``PRESENTED``."""
    yield GUIDE
    section = config.section("setting_1")
    group = "Figure 1: penalized regret"
    text = (
        "A bandit of Figure 1 with an arm worth its share (0 < Δ < A): in the long run the hard "
        "threshold loses less than UCB1, which may lead at first. If UCB1 still leads, raise T."
    )
    for case in cases_of(config, "setting_1"):
        title = f"{case.fairness.size} arms, τ = {case.fairness.sum():.2g}"
        drawn = np.atleast_2d(case.means)
        worth = linear_constant(instance_of(drawn, case.fairness, half_spread(drawn))) > 0
        # Where no arm is worth its share UCB1 stays ahead.
        for means in drawn[worth][:1]:
            of_one, rates = replace(case, means=means), half_spread(means)
            state = _state(config, of_one, section.policies[:4], section.horizons[-1], rates)
            yield Preset(case.id, group, title, text, state)

    horizon, group = config.section("setting_2").horizon, "Figure 2: one arm after another"
    text = "All arms share A: raise it, and one arm after another comes up to its dashed line."
    for number, case in enumerate(cases_of(config, "setting_2"), start=1):
        state = _state(config, case, [PAPER_POLICY, "ucb1"], horizon, 0.5)
        yield Preset(case.id, group, f"Case {number}", text, state)

    horizon, group = config.section("setting_3").horizon, "Movies: each arm is a film of MovieLens"
    text = "Rewards are ratings by viewers, from 0 to 1. A is half the spread of the means."
    for case in cases_of(config, "setting_3"):
        title = f"{case.fairness.size} movies with more than {case.m0} ratings"
        rates, law = half_spread(case.means), {"id": "categorical", "movies": case.id}
        state = _state(config, case, [PAPER_POLICY, "ucb1", "lfg"], horizon, rates)
        yield Preset(case.id, group, title, text, state | {"law": law})

    section, cases = config.section("deterministic"), cases_of(config, "deterministic")
    case = [case for case in cases if case.group == "least_margin"][2]
    horizon, penalties = case.runs[0].checkpoints[-1], case.runs[0].penalties
    text = (
        "Rewards without noise, unequal fractions, A above every gap by the theorem's margin at "
        f"T = {horizon:,}: there arm 1 is far short of the {case.fairness[0]:g} T pulls that it is "
        "owed. With ten times this T it has them: each T has a counterexample of its own."
    )
    state = _state(config, case, section.policies, horizon, penalties) | {"replicates": 1}
    yield Preset("theorem_4_1", "Theorems", f"{case.label}: a counterexample", text, state)


def live_data(config: BaseConfig) -> dict[str, Any]:
    """Return the bandits of a config, and what they are drawn with."""
    titles = ratings.read_counts_csv().table["title"].tolist()
    colours = {policy: look_of(policy).colour for policy in POLICIES}
    # Half way to white: these stand out from a dark ground.
    light = {c: bytes((x + 256) // 2 for x in bytes.fromhex(c[1:])) for c in colours.values()}
    return {
        "presets": [preset._asdict() for preset in presets(config)],
        # Titles, support and probabilities of the movies of the presets, by their case.
        "movies": {
            case.id: {"titles": titles[: case.fairness.size], **case.info.parameters}
            for case in cases_of(config, "setting_3")
        },
        "colours": colours,
        "first": GUIDE.id,
        "onDark": {colour: f"#{parts.hex()}" for colour, parts in light.items()},
        # For 2, 3, ... replicates.
        "quantiles": [round(student(n), 4) for n in range(2, 1001)],
    }


def build_playground(config: BaseConfig) -> str:
    """Return the playground as HTML, with presets of a config (``PRESENTED``)."""
    kinds = {policy: FILES.get(policy, "added").split("/")[0] for policy in POLICIES}
    template = environment(TEMPLATES).get_template("playground.html.j2")
    return template.render(
        palette=written("page.css").split("\n\n")[0],
        written=partial(written, folder=TEMPLATES),
        engine=Markup(engine_source()),  # noqa: S704  (our own)
        data=live_data(config) | {"kinds": kinds},
    )
