"""Configs that hold too little for a claim, which is not measured, and configs under fuzzing."""

import json
import math
import shutil
import warnings
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from fuzz_helpers import SMALL, Edits, changed, changes, outcome_of
from outcome_factories import Runs, outcome
from penalized_bandits.common.errors import UserError
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims import CLAIMS
from penalized_replication.claims import claims_on as claims_among
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.results import (
    ClaimResult,
    by_id,
    decide,
    measure,
    read_results,
    to_json,
)
from penalized_replication.claims.table.render import described, facts_of
from penalized_replication.claims.table.tables import claims_table, comparisons_table
from penalized_replication.command import in_full
from penalized_replication.common.errors import ClaimError, ConfigError, NotMeasuredError
from penalized_replication.config.model import BaseConfig, parse_config
from penalized_replication.experiments.catalogue import EXPERIMENTS, SETTINGS
from penalized_replication.figures import EVERY_FIGURE, Figure
from penalized_replication.figures.base import draw_figure
from penalized_replication.figures.captions import caption_of
from smoke_run import TOPICS
from tiny_tables import simulated, write_summaries

Tables = dict[str, list[Path]]


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    folder = tmp_path_factory.mktemp("unchanged")
    return {name: simulated(parse_config(SMALL), name, folder) for name in EXPERIMENTS}


@dataclass
class Judged:
    results: dict[str, ClaimResult] = field(default_factory=dict)
    """The results, by claim."""
    captions: dict[str, str] = field(default_factory=dict)
    """Of the figures drawn."""

    @property
    def missing(self) -> dict[str, str]:
        return {n: r.missing for n, r in self.results.items() if r.verdict == "not measured"}


def judged(config: BaseConfig, names: list[str], unchanged: Tables, folder: Path) -> Judged:
    """Simulate experiments, and return the results and the captions that depend on one of them.

    ``unchanged`` has the tables of the others.
    """
    tables = {**unchanged, **{name: simulated(config, name, folder) for name in names}}
    done = Judged()
    for topic, experiments in TOPICS.items():
        if not set(experiments) & set(names):
            continue
        sections = {name: config.section(name).model_dump() for name in experiments}
        evidence = Evidence(sections, {name: tables[name] for name in experiments})
        path = folder / f"{topic}.json"
        measured = [measure(claim.id, evidence) for claim in claims_among(EXPERIMENTS, topic)]
        path.write_text(to_json(measured), encoding="utf-8")
        results = [described(decide(result)) for result in read_results(path)]
        assert all(map(facts_of, results))
        done.results |= by_id(results)
    for figure in EVERY_FIGURE.values():
        behind = {*figure.experiments, *chain(*(TOPICS[topic] for topic in figure.topics))}
        if behind & set(names):
            done.captions[figure.id] = _drawn(figure, config, tables, folder)
    return done


def _drawn(figure: Figure, config: BaseConfig, tables: Tables, folder: Path) -> str:
    paths: dict[str, Any] = {f"{x}_claims": str(folder / f"{x}.json") for x in figure.topics}
    for name in figure.experiments:
        write_summaries(name, tables[name], folder)
        paths["summary" if figure.setting else name] = str(folder / f"{name}.csv")
        paths[f"{name}_replicates"] = tables[name]
        if EXPERIMENTS[name].has_frontier:
            paths["frontier"] = str(folder / f"{name}_frontier.csv")
    paths["provenance"] = str(folder / "provenance.json")
    source = {"source_used": "bundled", "dataset": "movielens_1m", "title": "MovieLens 1M"}
    Path(paths["provenance"]).write_text(json.dumps(source), encoding="utf-8")
    with warnings.catch_warnings():
        # Of matplotlib: an axis that is to be logarithmic, or have a width, has nothing on it.
        warnings.simplefilter("ignore", UserWarning)
        plt.close(draw_figure(figure, paths))
    values = config.model_dump()
    section = values[figure.setting] if figure.setting else values
    return caption_of(figure, paths, section, config.interpretations)


def claims_on(experiment: str) -> list[str]:
    return [claim.id for claim in CLAIMS.values() if experiment in claim.experiments]


ALONE = {
    PAPER_POLICY: (
        {"setting_1", "setting_2", "setting_3", "setting_5", "crossover", "worst_case"},
        {"C26", "C26P", "C32", "C14", "C15"},
    ),
    "ucb1": (
        {*SETTINGS, "movie_crossover", "worst_case", "deterministic"}
        | {"two_instances", "equal_penalties"},
        # C30: its panels are all of the other row, whatever the policies.
        {"C18", "C30"},
    ),
    "explore_then_commit": ({"crossover"}, set[str]()),
}
"""A policy alone in some experiments, and the claims on them that do not lack another."""
FEW: dict[str, tuple[dict[str, dict[str, Any]], dict[str, str]]] = {
    "one replicate": ({name: {"replicates": 1} for name in EXPERIMENTS}, {}),
    "one horizon": (
        {n: {"horizons": SMALL[n]["horizons"][-1:]} for n in EXPERIMENTS if "horizons" in SMALL[n]},
        {"C11": "no case of log_laws meets the statement's conditions"},
    ),
    "fits of one replicate": (
        {
            "log_laws": {"replicates": 1, "horizons": [200, 300, 400, 600, 800]},
            "worst_case": {"replicates": 1, "horizons": [20, 30, 40]},
        },
        {},  # their intervals have no ends
    ),
}
"""Experiments that are made small enough for some statistic to fail, and what claims lack."""


def made(changes: dict[str, dict[str, Any]], unchanged: Tables, folder: Path) -> Judged:
    edits = [((name, key), v) for name, keys in changes.items() for key, v in keys.items()]
    return judged(parse_config(changed(edits)), list(changes), unchanged, folder)


@pytest.mark.sample
@pytest.mark.parametrize("policy", ALONE)
def test_one_policy_alone(policy: str, unchanged: Tables, tmp_path: Path) -> None:
    names, measured = ALONE[policy]
    done = made({name: {"policies": [policy]} for name in sorted(names)}, unchanged, tmp_path)
    claims = {claim for name in names for claim in claims_on(name)} - measured
    assert claims <= set(done.missing)
    assert not measured & set(done.missing) - {"C30"}
    for claim in claims:
        experiment, _, reason = done.missing[claim].partition(" ")
        assert reason.startswith("has no policy "), claim
        assert experiment in names
    if policy == PAPER_POLICY:
        assert "is not measured under this config" in done.captions["theory_crossover"]


@pytest.mark.slow
@pytest.mark.parametrize("few", FEW)
def test_too_few(few: str, unchanged: Tables, tmp_path: Path) -> None:
    changes, missing = FEW[few]
    done = made(changes, unchanged, tmp_path)
    assert {claim for name in changes for claim in claims_on(name)} <= set(done.results)
    assert {claim: done.missing[claim] for claim in missing} == missing


def test_a_claim_that_was_not_measured_is_shown(unchanged: Tables) -> None:
    policies = [PAPER_POLICY, "fair_learn"]
    reduced = Evidence(
        {"setting_1": {**SMALL["setting_1"], "policies": policies}},
        {"setting_1": unchanged["setting_1"]},
    )
    kept = [run for run in reduced.outcomes("setting_1") if run.policy != "lfg"]
    reduced._outcomes["setting_1"] = kept
    missing, measured = (described(decide(measure(claim, reduced))) for claim in ("C24", "C25"))
    assert not missing.comparisons
    assert math.isnan(missing.row()["estimate"])
    assert missing.verdict == "not measured" != measured.verdict
    note = "setting_1 has no policy lfg (it is measured on setting_1)."
    assert missing.note == f"Not measured under this config: {note}"
    both = [missing, measured]
    assert claims_table(both)["verdict"].to_list() == ["not measured", measured.verdict]
    assert set(comparisons_table(both)["id"]) == {"C25"}
    assert "Measured" not in facts_of(missing)
    (text,) = in_full(missing)
    assert note in str(text)


NAME = "equal_penalties"
SECTION: dict[str, Any] = {
    "replicates": 4,
    "policies": [PAPER_POLICY],
    "horizons": [20, 40],
    "cases": {"case_1": {"means": [0.9, 0.5], "fairness": [0.1, 0.1]}},
}


def test_evidence_with_an_invalid_section() -> None:
    with pytest.raises(ValueError, match="replicates"):
        Evidence({NAME: {**SECTION, "replicates": 0}}, {})


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"case": "case_2"}, "no outcome of case case_2"),
        ({"policy": "ucb1"}, "no policy ucb1"),
        ({"horizon": 30}, "no outcome of horizon 30"),
    ],
)
def test_evidence_that_is_not_there(wanted: dict[str, Any], words: str) -> None:
    pulls, bandit = np.full((4, 1), 5.0), ((0.9, 0.5), (0.1, 0.1), 0.2)
    evidence = Runs({NAME: [outcome(pulls, t, *bandit) for t in (20, 40)]}, {NAME: SECTION})
    with pytest.raises(ClaimError, match=f"^equal_penalties has {words}") as caught:
        evidence.outcomes(NAME, **wanted)
    # A case of the config without replicates is an error.
    assert isinstance(caught.value, NotMeasuredError) == ("policy" in wanted)


def _largest(value: Any) -> float:
    if isinstance(value, dict):
        return max([_largest(inner) for inner in value.values()], default=0)
    if isinstance(value, list):
        return max([len(value), *(_largest(inner) for inner in value)])
    return value if isinstance(value, int) else 0


def is_small(config: BaseConfig, experiment: str) -> bool:
    values = config.section(experiment).model_dump()
    # Thresholds choose among the arms there are.
    values.pop("m0", None)
    return values["replicates"] <= 10 and _largest(values) <= 500


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(changes())
def test_a_valid_config_can_be_judged_and_drawn(
    tmp_path_factory: pytest.TempPathFactory, unchanged: Tables, edits: Edits
) -> None:
    if outcome_of(lambda: parse_config(changed(edits)), ConfigError)[1] is not None:
        return
    config, folder = parse_config(changed(edits)), tmp_path_factory.mktemp("judged")
    edited = {path[0] for path, _ in edits}
    names = [name for name in EXPERIMENTS if name in edited and is_small(config, name)]
    try:
        judged(config, names, unchanged, folder)
    except UserError as error:
        # The ratings decide which thresholds are possible.
        if "m0" not in str(error):
            raise
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("log_laws.instances.two_arms.fairness", [0.0, 0.3]),
        ("setting_2.cases.case_1.fairness", [0.0, *[0.0625] * 7]),
        ("worst_case.fairness", 0.75),
    ],
)
def test_fractions_at_an_edge(tmp_path: Path, unchanged: Tables, key: str, value: Any) -> None:
    config, name = parse_config(changed([(tuple(key.split(".")), value)])), key.partition(".")[0]
    assert judged(config, [name], unchanged, tmp_path).results


def test_cases_of_different_sizes_and_no_regret(tmp_path: Path, unchanged: Tables) -> None:
    edits: Edits = [
        (("setting_2", "cases", "few"), {"means": [1.0, 0.5], "fairness": [0.25, 0.25]}),
        (("crossover", "cases", "alike"), {"means": [0.5, 0.5], "fairness": [0.0, 0.0]}),
        (("crossover", "horizons"), [20]),
        # A lower bound of 0, and tunings from 0 to 0.
        (("deterministic", "theorem_4_6", "fairness"), 0.0),
        (("setting_3", "fairness"), 0.0),
    ]
    names = ["setting_2", "crossover", "deterministic", "setting_3"]
    done = judged(parse_config(changed(edits)), names, unchanged, tmp_path)
    assert {"figure_2", "figure_3", "theory_crossover"} <= set(done.captions)
    assert {"C16", "C19", "C26", "C28"} <= set(done.results)
