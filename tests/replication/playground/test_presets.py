"""Presets of the playground: bandits of the experiments that can be played."""

from typing import Any

import numpy as np
import pytest

from config_helpers import CONFIG
from penalized_bandits import Deterministic, Gaussian, Instance, penalized_regret, simulate
from penalized_bandits.engine.streams import Stream
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.playground.page import Preset, live_data, presets
from penalized_replication.playground.scripts import translations

RIVALS = (PAPER_POLICY, "ucb1")


@pytest.fixture(scope="module", name="found")
def found_fixture() -> dict[str, Preset]:
    return {preset.id: preset for preset in presets(CONFIG)}


def test_every_preset_is_a_bandit_with_policies_of_the_page(found: dict[str, Preset]) -> None:
    there, _ = translations()
    for preset in found.values():
        state = preset.state
        parts = (state[name] for name in ("means", "fairness", "penalties"))
        assert Instance(*parts, rewards=Deterministic()).n_arms >= 2
        assert {policy["id"] for policy in state["policies"]} <= {*there}, preset.id
        assert state["horizon"] <= 1_000_000


def test_bandits_are_those_of_the_config(found: dict[str, Preset]) -> None:
    # In the first replicate of the first cell no arm is worth its share.
    for n_arms, tau, replicate in ((5, 0.2, 1), (5, 0.8, 0), (20, 0.8, 0)):
        name = f"K{n_arms}_tau{tau}"
        stream = Stream(CONFIG.seed, ("setting_1", name, "means"), replicate)
        means = stream.uniforms(1, n_arms)[0]
        assert found[name].state["means"] == means.tolist()
        assert found[name].state["penalties"] == [np.ptp(means) / 2] * n_arms
    for name, case in CONFIG.section("setting_2").cases.items():
        assert found[name].state["means"] == case.means
    tables: dict[str, dict[str, Any]] = live_data(CONFIG)["movies"]
    for name, table in tables.items():
        means = np.array(table["probabilities"]) @ table["support"]
        assert found[name].state["means"] == pytest.approx(means, rel=1e-15)
        assert len(set(table["titles"])) == len(means)


def test_what_texts_of_presets_say_is_true(found: dict[str, Preset]) -> None:
    for preset in found.values():
        place, state = preset.group.split(":")[0], preset.state
        if place != "Figure 1" and preset.id != "theorem_4_1":
            continue
        noise = Gaussian(state["law"]["sd"]) if "sd" in state["law"] else Deterministic()
        bandit = Instance(state["means"], state["fairness"], state["penalties"], noise)
        if place == "Figure 1":
            runs = [simulate(p, bandit, 1_000_000, replicates=5, seed=1) for p in RIVALS]
            ours, free = (penalized_regret(run.pulls[:, -1], bandit).mean() for run in runs)
            assert ours < free, preset.id
        else:
            times = [state["horizon"], 10 * state["horizon"]]
            run = simulate(PAPER_POLICY, bandit, times[1], replicates=1, seed=1, checkpoints=times)
            assert run.pulls[0, :, 0] / times == pytest.approx([0.66, 0.9], abs=0.005)
