"""Experiments of a config simulated, summarised, judged and drawn, without the workflow."""

import json
import warnings
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

from fuzz_helpers import SMALL
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
from penalized_replication.config.model import BaseConfig, parse_config
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.figures import EVERY_FIGURE, Figure
from penalized_replication.figures.base import draw_figure
from penalized_replication.figures.captions import caption_of
from smoke_run import TOPICS
from tiny_tables import simulated, write_summaries

Tables = dict[str, list[Path]]


@pytest.fixture(scope="module", name="unchanged")
def unchanged_fixture(tmp_path_factory: pytest.TempPathFactory) -> Tables:
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
