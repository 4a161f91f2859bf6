"""The figures of the research, on artificial runs."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from outcome_factories import info_of, outcome
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import log_constant
from penalized_replication.experiments.base import Interpretations, case_of
from penalized_replication.figures.base import draw_figure
from penalized_replication.figures.captions import caption_of
from penalized_replication.figures.style import look_of
from penalized_replication.storage.tables import write_csv
from penalized_replication.summaries import summarize
from penalized_research.experiments.floors import EQUAL, fractions_of
from penalized_research.figures.all_policies import least_and_paper
from penalized_research.figures.sharp_constants import EXPLORATION
from penalized_research.theory.floors import soft_level, water_level
from tiny_sections import BANDIT, DRAWN

FIGURE = DRAWN["sharp_constants"]
NUMBERS = BANDIT["means"], BANDIT["fairness"], BANDIT["penalties"]
HORIZONS = {
    "sharp_short": (1000, 10_000),
    "sharp_long": (30_000,),
    "sharp_longest": (30_000, 10**5),
}


@pytest.fixture(name="tables")
def tables_fixture(tmp_path: Path) -> dict[str, str]:
    """Return tables of runs with the predicted pulls; of some horizons there are two studies."""
    tables: dict[str, str] = {}
    for study in FIGURE.studies:
        made = []
        for policy, rule in EXPLORATION.items():
            for t in HORIZONS.get(study, (1000,)):
                pulls = predicted_pulls(instance_of(*NUMBERS), t, rule=rule)
                others = np.tile(pulls[1:], (6 if study == "sharp_longest" else 12, 1))
                for seen in (t // 10, t) if study == "sharp_long" else (t,):
                    run = outcome(others * seen / t, seen, *NUMBERS, case=case_of("one", t))
                    made.append(replace(run, policy=policy))
        tables[study] = str(tmp_path / f"{study}.csv")
        write_csv(summarize(study, made), tables[study])
    return tables


@pytest.mark.parametrize("policy", EXPLORATION)
def test_points_curve_and_limit(tables: dict[str, str], policy: str) -> None:
    (axes,) = draw_figure(FIGURE, tables).axes
    colour = look_of(policy).colour.lower()
    lines = [line for line in axes.lines if to_hex(line.get_color()) == colour]
    curve, limit, points = (np.asarray(line.get_ydata(), np.float64) for line in lines[:3])
    rule = EXPLORATION[policy]
    assert limit == pytest.approx(float(log_constant(instance_of(*NUMBERS), rule)))
    horizons = (1000, 10_000, 30_000, 100_000)
    pulls = [predicted_pulls(instance_of(*NUMBERS), t, rule=rule) for t in horizons]
    regrets = [float(penalized_regret(n, instance_of(*NUMBERS))) for n in pulls]
    wanted = np.array(regrets) / np.log(horizons)
    # Pulls are whole numbers; earlier checkpoints are not drawn, and no horizon twice.
    assert points == pytest.approx(wanted, rel=0.05)
    assert curve[[0, -1]] == pytest.approx([wanted[0], wanted[-1]])
    # The bound is the limit of KL.
    dotted = [line for line in axes.lines if line.get_linewidth() == 1.4]
    least = float(log_constant(instance_of(*NUMBERS), EXPLORATION["kl_hard_threshold"]))
    assert [float(line.get_ydata()[0]) for line in dotted] == pytest.approx([least])  # type: ignore[index]


def test_ceilings_are_behind_curve_and_limit(tmp_path: Path) -> None:
    limits = {"ceilings": [0.3, 0.3, 0.3], "excess_penalties": [0.1, 0.4, 0.4]}
    bandit = Instance([0.9, 0.7, 0.4], 0.0, 0.0, Bernoulli(), **limits)
    made = []
    for t in (1000, 10_000):
        others = np.tile(predicted_pulls(bandit, t)[1:], (4, 1))
        info = info_of(case_of("one", t), bandit.fairness, ceilings=limits)
        made.append(outcome(others, t, bandit.means, bandit.fairness, 0.0, case=info))
    path = str(tmp_path / "stairs.csv")
    write_csv(summarize("stairs", made), path)
    axes = draw_figure(DRAWN["stairs"], {"stairs": path}).axes[0]
    curve, limit, points = (np.asarray(line.get_ydata(), np.float64) for line in axes.lines[:3])
    assert axes.get_title(loc="left") == "(a) one, λ = 0.8"
    assert limit == pytest.approx(25)
    assert points == pytest.approx(curve[[0, -1]], rel=0.05)


def test_the_caption_counts_replicates(tables: dict[str, str]) -> None:
    text = caption_of(FIGURE, tables, {}, Interpretations())
    assert "means of 6 to 12 replicates" in text
    assert len(text.split()) <= 90


def test_points_of_the_minimax_rate_are_the_worst_gaps(tmp_path: Path) -> None:
    made = []
    for total, scale in ((0.0, 1.0), (0.5, 2.0)):
        for gap, horizon in product((0.2, 0.4), (1000, 4000)):
            others = np.full((4, 2), 50.0 * scale)
            bandit = [0.9, 0.9 - gap, 0.9 - gap], [total / 3] * 3, 0.0
            info = info_of(f"gap{gap}_{total}_T{horizon}", bandit[1], group="worst")
            made.append(outcome(others, horizon, *bandit, case=info))
    path = str(tmp_path / "minimax.csv")
    write_csv(summarize("minimax_policies", made), path)
    drawn = draw_figure(DRAWN["minimax_rate"], {"minimax_policies": path})
    colour = look_of("hard_threshold_ucb").colour.lower()
    for axes, scale in zip(drawn.axes, (1, 2), strict=True):
        (points,) = (line for line in axes.lines if to_hex(line.get_color()) == colour)
        worst = 2 * 50 * scale * 0.4 / np.sqrt(3000)
        assert np.asarray(points.get_ydata()) == pytest.approx([worst, worst / 2])
        # Bounds of both kinds are on their sides of the points.
        first = [np.asarray(line.get_ydata())[0] for line in axes.lines if line != points]
        assert np.nanmax(first) > worst > np.nanmin(first)


def test_points_of_the_floors_are_the_worst_regret_over_both_units(tmp_path: Path) -> None:
    tau, horizon, gap = fractions_of(EQUAL, 10, 0.1), 20_000, 0.4
    means = np.where(np.arange(10) == 0, 0.5 + gap, 0.5)
    made = []
    for name, more in (("a", 20.0), ("b", 50.0)):
        others = np.tile(tau[1:] * horizon + more * (np.arange(9) == 0), (4, 1))
        info = info_of(f"{name}_T{horizon}", tau, group=EQUAL)
        made.append(outcome(others, horizon, means, tau, 1.0, case=info, policy="moss_due_first"))
    paths = {name: str(tmp_path / f"{name}.csv") for name in DRAWN["floors"].studies}
    for name, path in paths.items():
        write_csv(summarize(name, made), path)
    drawn = draw_figure(DRAWN["floors"], paths)
    colour = look_of("moss_due_first").colour.lower()
    levels = water_level(tau, horizon) ** -0.5, soft_level(tau, horizon)
    for axes, level in zip(drawn.axes, levels, strict=True):
        (points,) = (line for line in axes.lines if to_hex(line.get_color()) == colour)
        assert np.asarray(points.get_ydata()) == pytest.approx([50 * gap / (2000 * level)])
        bounds = [np.asarray(line.get_ydata())[0] for line in axes.lines if line != points]
        assert max(bounds) > 50 * gap / (2000 * level) > min(bounds)


def test_the_least_of_all_policies_is_known_in_all_cases() -> None:
    of_ucb1 = (([4, 1], [1, 2], "ucb1"), ([4, 1], [1, 0], None), ([4], [1, 9], None))
    for ours, theirs, least in of_ucb1:
        rows = [(PAPER_POLICY, x) for x in ours] + [("ucb1", x) for x in theirs]
        table = pd.DataFrame(rows, columns=["policy", "estimate"]).assign(measure="regret")
        assert least_and_paper(table, "regret")["least"] == least
