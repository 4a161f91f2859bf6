"""Tables of figures made up for tests, and what a figure drawn of them says."""

import itertools
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Drawing

from config_helpers import CONFIG
from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.claims.paper.figure_4 import EXPONENT, LINE
from penalized_bandits.claims.parts import EstimateSeries, Part, Status, unknown
from penalized_bandits.claims.results import ClaimResult, to_json
from penalized_bandits.experiments.base import Readings
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.figures.base import draw_figure
from penalized_bandits.figures.captions import CaptionContext, caption_of
from penalized_bandits.figures.tables import tables_of
from penalized_bandits.storage.summaries import COLUMNS

REPLICATES = 1234
SHOWN = "1,234"
HARD = "hard_threshold_ucb"
PAPER = [HARD, "lfg", "fair_learn"]
MEANS = np.array([0.9, 0.7, 0.5, 0.3, 0.1])
HORIZON = 10_000
LEVEL = 0.05 * HORIZON
HORIZONS = (1000, 3000, 10_000, 30_000, 100_000, 300_000)
REGULAR = ([0.9, 0.8, 0.3], [0.1, 0.1, 0.1], [1.0, 1.0, 0.45])
BROKEN = ([0.9, 0.6, 0.3], [0.1, 0.1, 0.1], [1.0, 0.3, 0.1])
CELLS = ("K5_tau0.2", "K20_tau0.8", "setting_2_case_1", "movies_m0_2500")

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
                yield from run(
                    case, policy, horizon, regret, (means, fairness, penalties), **deficits
                )


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


SETTING_3 = ["m0_2500", "m0_1250"]
SETTING_5 = ["K5_tau0.2_gaussian", "K5_tau0.2_beta", "K20_tau0.5_gaussian", "K20_tau0.5_beta"]
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


def crossings() -> list[ClaimResult]:
    """Return claims on overtaking: of UCB1 in C34, of another policy in C36."""
    nan, inf = math.nan, math.inf
    found: list[tuple[float, float, float, Status, str]] = [
        (42_929.3, 34_401.8, 59_175.7, "holds", "overtakes"),
        (nan, 0, 1000, "holds", "ahead"),
        (3000.0, 0.0, inf, "fails", "is overtaken"),
        (nan, 1e6, inf, "fails", "behind"),
    ]
    parts = []
    for case, (at, low, high, status, change) in zip(CELLS, found, strict=True):
        numbers: Row = {"estimate": at, "low": low, "high": high, "status": status}
        about: Row = {"case": case, "policy": HARD, "rival": "ucb1"}
        parts.append(Part(**numbers, **about, values={"change": change, "last": 1_000_000}))
    other = replace(parts[0], rival="explore_then_commit")
    return [ClaimResult("C36", (other,)), ClaimResult("C34", tuple(parts))]


def gains(claim: str, cases: Sequence[str]) -> list[ClaimResult]:
    """Return a claim on a trade-off: the hard threshold ahead by 2 to 4 %."""
    values = (100.0, 200.0, 300.0), (0.02, 0.03, 0.04), (0.01, 0.02, 0.03), (0.03, 0.04, math.nan)
    pairs = itertools.product(cases, ("fair_learn", "lfg"))
    series = (EstimateSeries("gain", case, HARD, rival, *values) for case, rival in pairs)
    return [ClaimResult(claim, series=tuple(series))]


def powers() -> list[ClaimResult]:
    """Return the claims on Figure 4: an exponent of 1 in one panel, too few arms in another."""
    case: Row = {"case": "noncritical_1", "status": "holds"}
    used = {"arms": [2, 3, 4, 5], "used": [False, True, True, True], "factor": 20.0}
    exponent = Part(estimate=1.0, low=0.98, high=1.02, quantity=EXPONENT, values=used, **case)
    line = Part(estimate=0.99, low=0.98, high=1.0, quantity=LINE, **case)
    few = unknown("too few arms", case="noncritical_2", quantity=EXPONENT)
    return [ClaimResult("C29", (exponent, line, few)), ClaimResult("C30")]


def bounds() -> list[ClaimResult]:
    """Return the claims on lower bounds: ratios at some horizons, vacuous at the first."""
    claims = []
    for claim, asymptote in (("C16", 2.0), ("C17", 3.0)):
        parts = []
        for place, horizon in enumerate(HORIZONS):
            status: Status = "holds" if place else "vacuous"
            numbers: Row = {"estimate": 1.0 + place / 10, "low": 1.0, "high": 1.0, "status": status}
            parts.append(Part(**numbers, horizon=horizon, asymptote=asymptote))
        claims.append(ClaimResult(claim, tuple(parts)))
    least = Part(estimate=7.0, low=7.0, high=7.0, status="holds", case="least_regret")
    of_policies = [
        Part(estimate=20.0, low=19.0, high=21.0, status="holds", policy=policy, horizon=horizon)
        for policy in (HARD, "lfg")
        for horizon in HORIZONS
    ]
    return [*claims, ClaimResult("C18", (least, *of_policies))]


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
    """Return rows as a summary; what they lack of their case is made up."""
    known = {"setting": experiment, "n_arms": len(MEANS), "law": "gaussian"}
    full = []
    for one in rows:
        instance = one.get("instance", one["case"])
        full.append({**known, "instance": instance, "label": instance, **one})
    return pd.DataFrame(full).reindex(columns=list(COLUMNS)).astype({"arm": "Int64"})


def frontier_of(table: pd.DataFrame) -> pd.DataFrame:
    frontier = oracle_frontier(MEANS, np.full(len(MEANS), 0.05), HORIZON)
    levels = np.linspace(0, frontier.unfairness[-1], 21)
    curve = {"horizon": HORIZON, "unfairness": levels}
    curve["expected_reward"] = frontier.reward_at(levels)
    cases = table["case"].unique()
    return pd.concat([pd.DataFrame({"case": case, **curve}) for case in cases])


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
        else:
            summary(STUDIES[name](horizons), name).to_csv(tables[name], index=False)
    if "provenance" in tables:
        data = {"dataset": "movielens_1m", "title": "MovieLens 1M"}
        known = {"source_used": "download", "reason": None, **data, **origin}
        Path(tables["provenance"]).write_text(json.dumps(known), encoding="utf-8")
    if "sensitivity" in tables:
        verdicts().to_csv(tables["sensitivity"], index=False)
    results_of = {
        "crossover_claims": crossings,
        "small_studies_claims": bounds,
        "setting_3_claims": partial(gains, "C28", SETTING_3),
        "setting_4_claims": powers,
        "setting_5_claims": partial(gains, "C31", SETTING_5),
    }
    for name in set(results_of) & set(tables):
        Path(tables[name]).write_text(to_json(results_of[name]()), encoding="utf-8")
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
    found = [
        text.get_text()
        for axes in drawing.axes
        for text in (*axes.texts, axes.title, axes._left_title)  # type: ignore[attr-defined]
    ]
    return "\n".join(found).replace("\u2009", " ")
