"""Verdicts of claims in the scenarios of a set, beside those of the paper's config."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from penalized_replication.claims.results import ClaimResult, by_id


def verdicts_table(
    paper: Sequence[ClaimResult],
    scenarios: Mapping[str, Sequence[ClaimResult]],
    changes: Mapping[str, str],
) -> pd.DataFrame:
    """Return a row for each claim that a scenario decides, with the paper's verdict beside.

    ``changes`` has what each scenario changes of the config.  The numbers are those of the headline
    ``comparison``, and those of the same one in the paper's run.
    """
    known = by_id(paper)
    same = "id verdict estimate ci_low ci_high effect hold fail negligible undecided"
    rows: list[dict[str, Any]] = []
    for name, result in ((name, one) for name, results in scenarios.items() for one in results):
        row, of_paper = result.row(), known.get(result.id, ClaimResult(result.id))
        estimates = {shown.key: shown.estimate for shown in of_paper.comparisons}
        # Another verdict, or comparisons that fail: one that held in part may do so otherwise.
        now, before = ((each.verdict, each.statuses["fails"] > 0) for each in (result, of_paper))
        cells = {"scenario": name, "changes": changes[name]}
        cells |= {column: row[column] for column in same.split()}
        cells |= {"comparison": row["headline"], "paper_verdict": of_paper.verdict}
        cells |= {"paper_estimate": estimates.get(result.headline.key)}
        rows.append({**cells, "changed": of_paper.verdict != "" and now != before})
    return pd.DataFrame(rows)


def dependent(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return the scenarios that change each claim's verdict, or its failing comparisons."""
    changed = table[table["changed"]]
    failing = " (" + changed["fail"].astype(str) + " fail)"
    same = changed["verdict"] == changed["paper_verdict"]
    texts = changed["changes"] + ": " + changed["verdict"] + failing.where(same, "")
    by_claim = texts.groupby(changed["id"], sort=False)
    return {str(identifier): scenarios.tolist() for identifier, scenarios in by_claim}
