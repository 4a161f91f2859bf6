"""Verdicts of claims in the scenarios of a set, beside those of the paper's config."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from penalized_replication.claims.results import ClaimResult, by_id

if TYPE_CHECKING:
    import pandas as pd


def _row(result: ClaimResult, paper: ClaimResult) -> dict[str, Any]:
    row = result.row()
    names = "id verdict estimate ci_low ci_high effect hold fail negligible undecided"
    estimates = {shown.key: shown.estimate for shown in paper.comparisons}
    # Another verdict, or comparisons that fail: one that held in part may do so otherwise.
    now, before = ((each.verdict, each.statuses["fails"] > 0) for each in (result, paper))
    return {name: row[name] for name in names.split()} | {
        "comparison": row["headline"],
        "paper_verdict": paper.verdict,
        "paper_estimate": estimates.get(result.headline.key),
        "changed": paper.verdict != "" and now != before,
    }


def verdicts_table(
    paper: Sequence[ClaimResult],
    scenarios: Mapping[str, Sequence[ClaimResult]],
    changes: Mapping[str, str],
) -> "pd.DataFrame":
    """Return a row for each claim that a scenario decides, with the paper's verdict beside.

    ``changes`` has what each scenario changes of the config.  The numbers are those of the headline
    ``comparison``, and those of the same one in the paper's run.
    """
    known = by_id(paper)
    import pandas as pd  # takes long to import, and readers of results need none

    return pd.DataFrame(
        {"scenario": name, "changes": changes[name]}
        | _row(result, known.get(result.id, ClaimResult(result.id)))
        for name, results in scenarios.items()
        for result in results
    )


def dependent(table: "pd.DataFrame") -> dict[str, list[str]]:
    """Return the scenarios that change each claim's verdict, or its failing comparisons."""
    changed = table[table["changed"]]
    failing = " (" + changed["fail"].astype(str) + " fail)"
    same = changed["verdict"] == changed["paper_verdict"]
    texts = changed["changes"] + ": " + changed["verdict"] + failing.where(same, "")
    by_claim = texts.groupby(changed["id"], sort=False)
    return {str(identifier): scenarios.tolist() for identifier, scenarios in by_claim}
