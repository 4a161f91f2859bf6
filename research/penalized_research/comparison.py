"""The table of all policies: regret against the lower bound, reward against the frontier."""

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from penalized_bandits.common.numbers import percent
from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_bandits.statistics.estimates import Estimate, ratio_of_means
from penalized_bandits.theory.lower_bound import lower_bound
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.horizon_series import bandits_of
from penalized_replication.claims.measures.comparison import curve_of
from penalized_replication.claims.table.render import templates
from penalized_replication.claims.table.tables import markdown_table
from penalized_research import REGRET, TRADEOFF
from penalized_research.measures import comparison as measures

HEADS = {
    "label": "policy",
    "side_information": "side information",
    "extended_1_over_bound_published": "Setting 1, published",
    "extended_1_over_bound_tuned": "Setting 1, tuned",
    "extended_1_over_bound_limit": "Setting 1, limit",
    "extended_regret_over_bound_published": "Setting 5 and movies, published",
    "extended_regret_over_bound_tuned": "Setting 5 and movies, tuned",
    "extended_regret_over_bound_limit": "Setting 5 and movies, limit",
    "extended_regret_unfairness": "unfairness",
    "extended_3_below_ours": "reward, MovieLens",
    "extended_5_below_ours": "reward, Setting 5",
}
Row = tuple[str, str, Estimate, int, str]
"""Policy, measure, estimate, horizon, and what was chosen: its tuning, or its level."""


def _regret_rows(evidence: Evidence, name: str, case: str) -> Iterator[Row]:
    """Yield regret, its ratio to the lower bound and unfairness, for each policy in a case."""
    horizon = max(evidence.section(name).horizons)
    first = evidence.outcomes(name, case=case)[0]
    least = np.broadcast_to(lower_bound(bandits_of(first), horizon), len(first.pulls))
    ones = np.ones(len(first.pulls))
    units = ("regret", ones), ("over_bound", least)
    for policy in evidence.section(name).policies:
        regrets = measures.regrets_of(evidence, name, case, policy)
        tunings = ("published", "as published"), ("tuned", regrets.chosen)
        for (how, chosen), (what, below) in product(tunings, units):
            ratio = ratio_of_means(getattr(regrets, how), below)
            yield policy, f"{what}_{how}", ratio, horizon, chosen
        short = ratio_of_means(regrets.unfairness, ones)
        yield policy, "unfairness_published", short, horizon, "as published"
        limit = measures.limit_over_bound(evidence, name, case, policy)
        if limit is not None:
            # Nothing in it is random but the bandits.
            yield policy, "over_bound_limit", Estimate(limit, limit, limit, 1), horizon, ""


def _tradeoff_rows(evidence: Evidence, name: str, case: str) -> Iterator[Row]:
    """Yield the distance to the frontier and to the paper's policy, for each policy in a case."""
    ours = curve_of(evidence, name, case, PAPER_POLICY)
    outcome = evidence.outcomes(name, case=case)[0]
    for policy in evidence.section(name).policies:
        theirs = curve_of(evidence, name, case, policy)
        distances = measures.distance(ours, theirs, outcome) or ()
        chosen = "at its own unfairness" if theirs.unfairness.shape[1] == 1 else ""
        for measure, distance in zip(("below_frontier", "below_ours"), distances, strict=False):
            yield policy, measure, distance.estimate, outcome.horizon, chosen


def by_case(evidence: Evidence) -> pd.DataFrame:
    """Return a row for every measure of every policy in every case."""
    return pd.DataFrame(
        {"experiment": name, "case": case, "policy": policy, "measure": measure}
        | dict(zip(("estimate", "ci_low", "ci_high"), estimate.interval, strict=True))
        | {"n_replicates": estimate.n, "horizon": horizon, "chosen": chosen}
        | {"law": evidence.outcomes(name, case=case)[0].info.law}
        for names, rows in ((REGRET, _regret_rows), (TRADEOFF, _tradeoff_rows))
        for name in names
        for case in evidence.cases(name)
        for policy, measure, estimate, horizon, chosen in rows(evidence, name, case)
    )


def side_information(policy: str) -> str:
    """Return a policy's knowledge besides fractions and rewards: an oracle's, or T."""
    rule = POLICIES[policy]
    known = [] if rule.ignores_penalties else ["A"]
    if callable(rule.exploration):
        known.append("σ")
    regret = None if rule.tuning is None else rule.tuning.regret
    if regret is not None and regret(5, 1000) != regret(5, 4000):
        known.append("T")
    return ", ".join(known)


def geometric_mean(values: pd.Series) -> float:
    """Return the geometric mean of positive values; NaN if some are not, or there are none."""
    array = values.to_numpy(dtype=np.float64)
    return float(np.exp(np.log(array).mean())) if array.size and (array > 0).all() else np.nan


def comparison(cases: pd.DataFrame) -> pd.DataFrame:
    """Return one row a policy: averages over the rows of `by_case`."""
    rows: list[dict[str, Any]] = []
    for policy, own in cases.groupby("policy", sort=False):
        by_measure = own.groupby(["experiment", "measure"])["estimate"]
        values = defaultdict(lambda: pd.Series(dtype=np.float64), dict(list(by_measure)))
        row = {"policy": policy, "label": POLICIES[str(policy)].label}
        row["side_information"] = side_information(str(policy))
        for name in REGRET:
            for measure in ("over_bound_published", "over_bound_tuned", "over_bound_limit"):
                row[f"{name}_{measure}"] = geometric_mean(values[name, measure])
            row[f"{name}_unfairness"] = values[name, "unfairness_published"].mean()
        for name in TRADEOFF:
            for measure in ("below_frontier", "below_ours"):
                row[f"{name}_{measure}"] = values[name, measure].mean()
            row[f"{name}_panels"] = len(values[name, "below_ours"])
        chosen = own["chosen"][own["measure"] == "below_ours"]
        row["one_point"] = bool(len(chosen)) and bool((chosen != "").all())
        rows.append(row)
    return pd.DataFrame(rows)


def _cell(row: pd.Series, name: str) -> str:
    value = row[name]
    if not isinstance(value, float):
        return str(value) or "–"
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞"
    if name.endswith("unfairness"):
        return percent(value)
    if name.endswith("below_ours"):
        panels = int(row[name.replace("below_ours", "panels")])
        star = "*" if row["one_point"] else ""
        return f"{0.0 - 100 * value:+.1f}{star} ({panels})"
    return f"{value:.2f}"


def comparison_rows(table: pd.DataFrame) -> list[dict[str, str]]:
    """Return the comparison as formatted cells by heading, sorted by regret as published."""
    shown = table.sort_values("extended_regret_over_bound_published", na_position="last")
    return [{head: _cell(row, name) for name, head in HEADS.items()} for _, row in shown.iterrows()]


def comparison_page(table: pd.DataFrame) -> str:
    """Return the comparison as a Markdown table."""
    cells = (row.values() for row in comparison_rows(table))
    lines = markdown_table([*HEADS.values()], cells)
    template = templates(Path(__file__).parent).get_template("comparison.md.j2")
    return template.render(table=lines) + "\n"
