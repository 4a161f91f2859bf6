"""The smoke run: a few replicates of everything, and the files that the workflow makes."""

from collections.abc import Mapping
from typing import Any

from config_helpers import PAPER
from penalized_replication.claims import CLAIMS, LIST, OURS, claims_on, entries_of, experiments_of
from penalized_replication.config.files import overlaid
from penalized_replication.config.model import BaseConfig, parse_config
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import SETTINGS, STUDIES
from penalized_replication.workflow.paths import Files

_SETTING = {"replicates": 3, "horizon": 300}
_CROSSING = {"replicates": 8, "horizons": [100, 300, 1000], "tuned_horizons": [100, 1000]}
TINY: dict[str, Any] = {
    "seed": 7,
    "movielens": {"source": "bundled"},
    "setting_1": {"replicates": 3, "arms": [5], "fairness": [0.2, 0.8], "horizons": [100, 300]},
    "setting_2": {**_SETTING, "scale_points": 3},
    "setting_3": {**_SETTING, "m0": [2500], "tuning_values": 3},
    "setting_4": {**_SETTING},
    "setting_5": {**_SETTING, "arms": [5], "fairness": [0.5], "tuning_values": 3},
    "pages": {"notebooks": False, "address": "https://example.org/bandits/"},
    # The instances of a study stay: a config merged into another takes no key away.
    "log_laws": {"replicates": 8, "horizons": [700, 2800, 10000, 20000, 40000]},
    "crossover": {**_CROSSING, "arms": [5], "fairness": [0.2, 0.8]},
    "movie_crossover": {**_CROSSING, "m0": [2500]},
    "worst_case": {"replicates": 8, "horizons": [300, 1000, 3000], "gaps": [0.5, 1.0, 2.0]},
    "deterministic": {"replicates": 2, "horizons": [1000, 3000]},
    "two_instances": {"replicates": 8, "horizons": [100, 300]},
    "equal_penalties": {"replicates": 8, "horizons": [100, 300]},
    "lfg_fairness": {"replicates": 8, "horizons": [100, 300], "eta_0": [1.0, 10.0]},
}
"""Sections of the config; all settings, studies, policies and figures stay."""
PAPERS = sorted(entries_of(LIST, OURS))
"""The ids of the paper's claims."""


def values_with(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the smoke run's config as values with some keys changed, section by section."""
    return overlaid(overlaid(PAPER, TINY), changes)


def config_with(changes: Mapping[str, Any]) -> BaseConfig:
    return parse_config(values_with(changes))


FILES = Files(Scenarios(values_with({})))
"""What the smoke run makes."""
EXPERIMENTS = (*SETTINGS, *STUDIES)
_BY_TOPIC = {one.topic: claims_on(EXPERIMENTS, one.topic) for one in CLAIMS.values()}
TOPICS = {topic: experiments_of(entries) for topic, entries in _BY_TOPIC.items() if entries}
"""The experiments of each topic of the paper's claims."""
