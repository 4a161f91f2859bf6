"""Choices of ours made otherwise: which sections, and what is said of them."""

from typing import Any

import numpy as np
import pytest

from config_helpers import CONFIG
from penalized_bandits.claims.choices import COLUMNS, check_variant, choices_table
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.variants import Variant, variants_of
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.simulate import simulate_group
from penalized_bandits.workflow.plan import BUNDLED_COUNTS

PAPER = CONFIG.model_dump()


def test_every_pair_and_every_grid() -> None:
    found = variants_of(PAPER["choices"], PAPER)
    assert len(found) == 2 * (3 * 3 + 2)
    assert len({(one.experiment, one.changed) for one in found}) == len(found)
    for one in found:
        usual = PAPER[one.experiment]
        other = {key for key, value in one.section.items() if value != usual[key]}
        assert other <= {"horizon", "fairness", "tuning_values"}
        # Each is a section that the experiment takes.
        EXPERIMENTS[one.experiment].section.model_validate(one.section)
    # What is in force is among them.
    assert any(one.section == PAPER["setting_3"] for one in found)


@pytest.mark.parametrize("experiment", ["setting_3", "setting_5"])
def test_a_variant_is_decided_by_the_rule_of_its_claim(experiment: str) -> None:
    small = {"replicates": 6, "horizon": 2000, "tuning_values": 5}
    small |= {"m0": [2500]} if experiment == "setting_3" else {"arms": [5], "rewards": ["beta"]}
    grid = {"horizon": [1000, 2000], "fairness": [0.5], "tuning_values": [3]}
    sections = {name: {**PAPER[name], **small} for name in ("setting_3", "setting_5")}
    choices = {name: {**grid, "horizon": [1000, 2000]} for name in sections}
    variants = [v for v in variants_of(choices, sections) if v.experiment == experiment]
    rows = [check_variant(one, simulated(one)) for one in variants]
    table = choices_table(rows)
    assert tuple(table.columns) == COLUMNS
    assert table["horizon"].to_list() == [1000, 2000, 2000]
    assert table["tuning_values"].to_list() == [5, 5, 3]
    decided = table.dropna(subset="share")
    assert len(decided) > 0
    # One unit for all three, what is at stake.
    for one, two in (("ci_low", "share_low"), ("ci_high", "share_high")):
        products = decided[one] * decided["share"], decided["estimate"] * decided[two]
        np.testing.assert_allclose(*products, atol=1e-12)
    assert (decided["share"].abs() < 1).all()


def simulated(one: Variant) -> Evidence:
    experiment = EXPERIMENTS[one.experiment]
    section: Any = experiment.section.model_validate(one.section)
    context = Context(7, Readings(), 0, 6, str(BUNDLED_COUNTS))
    outcomes = simulate_group(experiment, section, experiment.groups(section), context)
    return Evidence.of({one.experiment: one.section}, {one.experiment: outcomes})
