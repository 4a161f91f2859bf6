"""Artificial tables for tests of figures, and what a figure shows."""

import itertools
import json
import math
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Drawing

from config_helpers import CONFIG
from figure_results import CELLS, HARD, HORIZONS, SETTING_3, SETTING_5, results_of
from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.claims.results import to_json
from penalized_bandits.experiments.base import Readings
from penalized_bandits.figures import ALL_FIGURES, tables_of
from penalized_bandits.figures.base import draw_figure
from penalized_bandits.figures.captions import CaptionContext, caption_of
from penalized_bandits.storage.summaries import COLUMNS
from smoke_run import config_with
from tiny_tables import make_table

REPLICATES = 1234
SHOWN = "1,234"
PAPER = [HARD, "lfg", "fair_learn"]
MEANS = np.array([0.9, 0.7, 0.5, 0.3, 0.1])
HORIZON = 10_000
LEVEL = 0.05 * HORIZON
REGULAR = ([0.9, 0.8, 0.3], [0.1, 0.1, 0.1], [1.0, 1.0, 0.45])
BROKEN = ([0.9, 0.6, 0.3], [0.1, 0.1, 0.1], [1.0, 0.3, 0.1])

Row = dict[str, Any]


def values(mean: float, half: float = 0.02, n: int = REPLICATES) -> Row:
    """Return a mean with an interval of 2 % each way."""
    half = half * abs(mean)
    low, high = (mean - half, mean + half) if n > 1 else (math.nan, math.nan)
    se = half / 2 if n > 1 else math.nan
    return {"mean": mean, "se": se, "ci_low": low, "ci_high": high, "n_replicates": n}


def row(case: str, policy: str, metric: str, mean: float, **more: Any) -> Row:
    head = {"case": case, "policy": policy, "metric": metric, "horizon": HORIZON}
    return {**head, **values(mean), **more}


def regrets(policies: Sequence[str]) -> Iterator[Row]:
    for n_arms, tau in itertools.product((5, 20), (0.2, 0.8)):
        for place, policy in enumerate(policies, start=1):
            for horizon in (500, 1000, 2000):
                mean = place * math.sqrt(horizon)
                more = {"horizon": horizon, "n_arms": n_arms}
                yield row(f"K{n_arms}_tau{tau}", policy, "penalized_regret", mean, **more)


def paths(policies: Sequence[str]) -> Iterator[Row]:
    for case, policy in itertools.product(("case_1", "case_2"), policies):
        for scale, (arm, mean) in itertools.product((0, 0.5, 1), enumerate(MEANS, start=1)):
            gap = MEANS[0] - mean
            unfair = LEVEL if gap > scale else 0.0
            more = {"scale": scale, "tuning": scale, "arm": arm, "gap": gap}
            more["fairness_fraction"] = 0.05
            yield row(case, policy, "arm_unfairness", unfair, **more)


def tradeoffs(policies: Sequence[str], cases: Sequence[str]) -> Iterator[Row]:
    best = HORIZON * MEANS[0]
    laws = {case: law for law in ("gaussian", "beta") for case in cases if case.endswith(law)}
    for case, (place, policy) in itertools.product(cases, enumerate(policies)):
        law = {"law": laws.get(case, "categorical")}
        tunings = [None] if policy == "ucb1" else [0.0, 0.5, 1.0]
        for tuning in tunings:
            given_up = 1 - (0.3 if tuning is None else tuning)
            loss = LEVEL * (3 - given_up) + 40 * place
            unfair = {"expected_reward": best - loss, "reward_loss": loss}
            unfair |= {"unfairness": 2 * LEVEL * given_up}
            for metric, mean in unfair.items():
                yield row(case, policy, metric, mean, tuning=tuning, **law)
            for arm in range(1, len(MEANS) + 1):
                yield row(case, policy, "pulls", LEVEL, tuning=tuning, arm=arm, **law)


def pulls(policies: Sequence[str]) -> Iterator[Row]:
    for group, number in (("noncritical", 1), ("noncritical", 2), ("critical", 1)):
        case, rate = f"{group}_{number}", 0.1 if group == "noncritical" else 0.85
        for policy, (arm, mean) in itertools.product(policies, enumerate(MEANS, start=1)):
            gap = MEANS[0] - mean
            distance = gap if rate > gap else gap - rate
            count = 20 / distance**2 if arm > 1 else HORIZON
            more = {"arm": arm, "gap": gap, "fairness_fraction": 0.05, "penalty_rate": rate}
            yield row(case, policy, "pulls", count, tuning=rate, group=group, **more)


def run(
    case: Row | str, policy: str, horizon: int, regret: Row, bandit: Any, **arms: Any
) -> list[Row]:
    """Return the rows of a run: its regret, and metrics of its arms."""
    case = {"case": case} if isinstance(case, str) else case
    head = {**case, "policy": policy, "horizon": horizon}
    means, fairness, penalties = (np.asarray(part, dtype=float) for part in bandit)
    rows = [{**head, "metric": "penalized_regret", **regret}]
    for metric, of_arms in {"pulls": np.full(means.size, 10.0), **arms}.items():
        for k, mean in enumerate(of_arms):
            about = {"arm": k + 1, "gap": means.max() - means[k]}
            about |= {"fairness_fraction": fairness[k], "penalty_rate": penalties[k]}
            rows.append({**head, "metric": metric, **values(float(mean)), **about})
    return rows


def log_laws(horizons: tuple[int, ...]) -> Iterator[Row]:
    # The broken one first: those that meet the conditions are drawn first nevertheless.
    for name, bandit in (("broken", BROKEN), ("regular", REGULAR), ("tau_power_050", REGULAR)):
        for horizon in horizons:
            means, fairness, penalties = bandit
            if name.startswith("tau"):
                fairness = [horizon**-0.5] * 3
            regret = values(5 + 30 * math.log(horizon))
            deficits = {"max_deficit": [0.1, 0.2, horizon / 12]}
            deficits["arm_unfairness"] = [0.0, 0.0, horizon / 12]
            policies = (HARD, "ucb1") if name == "broken" else (HARD,)
            for policy in policies:
                case: Row = {"case": f"{name}_T{horizon}", "instance": name}
                parts = (means, fairness, penalties)
                yield from run(case, policy, horizon, regret, parts, **deficits)


def worst_case(horizons: tuple[int, ...]) -> Iterator[Row]:
    powers = {HARD: 0.5, "ucb1": 1.0, "explore_then_commit": 2 / 3}
    for horizon in horizons:
        for multiple in (0.5, 1.0, 2.0):
            gap = multiple * math.sqrt(3 * math.log(horizon) / horizon)
            for ratio in (0.5, 2.0):
                bandit = ([0.5 + gap, 0.5, 0.5], [0.1] * 3, [ratio * gap] * 3)
                case = f"T{horizon}_gap{multiple:g}_ratio{ratio:g}"
                for policy, power in powers.items():
                    # Replicates that agree, in a policy that does not look.
                    half = 0.0 if policy == "explore_then_commit" else 0.02
                    regret = values(multiple * ratio * horizon**power, half)
                    yield from run(case, policy, horizon, regret, bandit)


def instances(horizons: tuple[int, ...]) -> Iterator[Row]:
    for horizon, policy in itertools.product(horizons, (HARD, "lfg")):
        regret = values(5 * math.sqrt(horizon))
        yield from run(f"T{horizon}_first", policy, horizon, regret, REGULAR)


PENALTIES = {HARD: 0.0, "ucb1": 0.75, "explore_then_commit": 0.0}
"""Share of its regret that a policy pays for pulls that arm 2 of REGULAR lacks, at 0.9 each."""


def crossover(horizons: tuple[int, ...], cells: tuple[str, ...] = CELLS[:-1]) -> Iterator[Row]:
    for case in cells:
        for policy, power in ((HARD, 0.3), ("ucb1", 0.8), ("explore_then_commit", 0.66)):
            for horizon in horizons if policy != "explore_then_commit" else (1000, 100_000):
                regret, level = horizon**power, 0.1 * horizon
                lacks, pulled = regret * PENALTIES[policy] / 0.9, regret / 0.15
                pulled *= 1 - PENALTIES[policy]
                known = {"pulls": [horizon - pulled, level - lacks, pulled]}
                # Of drawn means, those of K arms, the averages say nothing.
                known["arm_unfairness"] = [0.0, lacks * (case[0] != "K"), level - pulled]
                group = "setting_2" if case.startswith("setting_2") else None
                head = {"case": case, "group": group, "label": f"{case} in words"}
                yield from run(head, policy, horizon, values(regret), REGULAR, **known)


PAPERS = {
    "setting_1": (regrets, [*PAPER, "ucb1", "soft_threshold_ucb"]),
    "setting_2": (paths, PAPER),
    "setting_3": (partial(tradeoffs, cases=SETTING_3), PAPER),
    "setting_4": (pulls, [HARD]),
    "setting_5": (partial(tradeoffs, cases=SETTING_5), PAPER),
}
STUDIES = {
    "log_laws": log_laws,
    "worst_case": worst_case,
    "two_instances": instances,
    "crossover": crossover,
    "movie_crossover": partial(crossover, cells=CELLS[-1:]),
}


def verdicts(claims: int = 4) -> pd.DataFrame:
    found = [
        ("log_of", "n-1", "C01", "reproduced", "reproduced"),
        ("log_of", "n-1", "C02", "undecided", "reproduced"),
        ("log_of", "n-1", "C03", "partly", "partly"),
        ("lfg", "original", "C03", "not reproduced", "partly"),
        ("lfg", "original", "C04", "not reproduced", "not reproduced"),
        *(("lfg", "original", f"C{i:02}", "partly", "partly") for i in range(5, claims + 1)),
    ]
    names = ("reading", "value", "id", "verdict", "default_verdict")
    return pd.DataFrame(found, columns=list(names))


def summary(rows: Iterator[Row], experiment: str) -> pd.DataFrame:
    """Return rows as a summary; missing fields of the case are artificial."""
    known = {"setting": experiment, "n_arms": len(MEANS), "law": "gaussian"}
    names = ((one.get("instance", one["case"]), one) for one in rows)
    full = [{**known, "instance": name, "label": name, **one} for name, one in names]
    return pd.DataFrame(full).reindex(columns=list(COLUMNS)).astype({"arm": "Int64"})


def frontier_of(table: pd.DataFrame) -> pd.DataFrame:
    frontier = oracle_frontier(MEANS, np.full(len(MEANS), 0.05), HORIZON)
    levels = np.linspace(0, frontier.unfairness[-1], 21)
    curve = {"horizon": HORIZON, "unfairness": levels}
    curve["expected_reward"] = frontier.reward_at(levels)
    cases = table["case"].unique()
    return pd.concat([pd.DataFrame({"case": case, **curve}) for case in cases])


def simulated(experiment: str, folder: Path) -> None:
    """Write the tables of an experiment without artificial rows: those of its smoke run."""
    make_table(experiment, config_with({experiment: {"replicates": 8}}), folder)
    path = folder / f"{experiment}.csv"
    pd.read_csv(path).assign(n_replicates=REPLICATES).to_csv(path, index=False)


def tables_for(
    figure: str,
    folder: Path,
    *,
    policies: Sequence[str] = (),
    horizons: tuple[int, ...] = HORIZONS,
    **origin: str | None,
) -> dict[str, str]:
    """Write a figure's tables into a folder and return their paths by name."""
    about = ALL_FIGURES[figure]
    tables = {name: str(folder / Path(path).name) for name, path in tables_of(about).items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name in about.experiments:
        if name in PAPERS:
            rows, drawn = PAPERS[name]
            table = summary(rows(policies or drawn), name)
            table.to_csv(tables["summary"], index=False)
            if "frontier" in tables:
                frontier_of(table).to_csv(tables["frontier"], index=False)
        elif name in STUDIES:
            summary(STUDIES[name](horizons), name).to_csv(tables[name], index=False)
        else:
            simulated(name, folder)
    if "provenance" in tables:
        data = {"dataset": "movielens_1m", "title": "MovieLens 1M"}
        known = {"source_used": "download", "reason": None, **data, **origin}
        Path(tables["provenance"]).write_text(json.dumps(known), encoding="utf-8")
    if "sensitivity" in tables:
        verdicts().to_csv(tables["sensitivity"], index=False)
    for topic in about.topics:
        Path(tables[f"{topic}_claims"]).write_text(to_json(results_of(topic)), encoding="utf-8")
    return tables


def context_of(figure: str, **readings: Any) -> CaptionContext:
    wanted, config = ALL_FIGURES[figure], CONFIG.model_dump()
    names = [name for name in (*wanted.studies, *wanted.claims) if name in config]
    section = config[wanted.setting] if wanted.setting else {name: config[name] for name in names}
    return CaptionContext(section, Readings(**readings))


def draw(figure: str, tables: dict[str, str]) -> Drawing:
    drawing = draw_figure(ALL_FIGURES[figure], tables)
    drawing.draw_without_rendering()
    return drawing


def caption(figure: str, tables: dict[str, str], **readings: Any) -> str:
    return caption_of(ALL_FIGURES[figure], tables, context_of(figure, **readings))


def words(drawing: Drawing) -> str:
    """Return all that a figure says outside of its legend."""
    found: list[str] = []
    for axes in drawing.axes:
        found += [text.get_text() for text in axes.texts]
        found += [axes.get_title(), axes.get_title("left")]
    return "\n".join(found).replace("\u2009", " ")
