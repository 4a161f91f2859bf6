"""Presets of the playground: bandits of the experiments that can be played."""

from typing import Any

import numpy as np
import pytest

from penalized_bandits import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.config import load_config
from penalized_bandits.engine.streams import stream_key, uniforms
from penalized_bandits.playground.presets import Preset, movies, presets
from penalized_bandits.playground.scripts import literal, translations
from playground_page_helpers import CONFIGS

CONFIG = load_config(CONFIGS[0])


@pytest.fixture(scope="module", name="found")
def found_fixture() -> dict[str, Preset]:
    return {preset.id: preset for preset in presets(CONFIG, load_config(*CONFIGS))}


def test_every_preset_is_a_bandit_with_policies_of_the_page(found: dict[str, Preset]) -> None:
    there, _ = translations()
    for preset in found.values():
        state = preset.state
        parts = (state[name] for name in ("means", "fairness", "penalties"))
        assert Instance(*parts, rewards=Deterministic()).n_arms >= 2
        assert {policy["id"] for policy in state["policies"]} <= {*there}, preset.id
        assert state["horizon"] <= 1_000_000


def test_cells_of_figure_1_have_the_means_of_the_first_replicate(found: dict[str, Preset]) -> None:
    for n_arms in (5, 20):
        name = f"K{n_arms}_tau0.8"
        key = stream_key(CONFIG.seed, "setting_1", name, "means")
        means = uniforms(key, 0, 1, n_arms)[0]
        assert found[name].state["means"] == means.tolist()
        assert found[name].state["penalties"] == [np.ptp(means) / 2] * n_arms


def test_cases_of_figures_2_and_4_are_those_of_the_config(found: dict[str, Preset]) -> None:
    for setting in ("setting_2", "setting_4"):
        for name, case in CONFIG.section(setting).cases.items():
            assert found[name].state["means"] == case.means


def test_movies_have_their_titles_and_means(found: dict[str, Preset]) -> None:
    tables: dict[str, dict[str, Any]] = movies(CONFIG)
    for name, table in tables.items():
        means = np.array(table["probabilities"]) @ table["support"]
        assert found[name].state["means"] == pytest.approx(means, rel=1e-15)
        assert len(set(table["titles"])) == len(means)


def test_nothing_in_the_data_ends_its_script() -> None:
    assert "<" not in literal({"title": "</script><b>"})
