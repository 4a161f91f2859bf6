"""Numbers of the first screen: bandits of its chart, points of Figure 1, and the last scene.

They are read from the run's tables and claims; all words are in the templates.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.results import ClaimResult, by_id
from penalized_replication.claims.table.tables import counted
from penalized_replication.figures import overtaking
from penalized_replication.figures.overtaking import CLAIM, COMMITTING, FIGURE_1_ENDS, is_drawn
from penalized_replication.pages.material import Material
from penalized_replication.storage.tables import read_table
from penalized_replication.summaries import COLUMNS

MOVIES = "movie_crossover"
DRAWN = (PAPER_POLICY, "ucb1", "explore_then_commit")  # policies of the chart
AHEAD = ("ucb1", "soft_threshold_ucb")  # compared at the points of Figure 1
STATISTICS = ["mean", "ci_low", "ci_high"]
SHARE = 0.04  # owed to each arm, as nearly as the run has it: bandits then differ in K
SHARES = "C02"  # the claim with the numbers of the last scene


def regrets(material: Material, experiments: Sequence[str], policies: Sequence[str]) -> Any:
    """Return the rows of penalized regret of some policies, of those experiments that were run."""
    files = [file for name in experiments if (file := material.file(name, "csv"))]
    tables = [read_table(file) for file in files]
    rows = pd.concat(tables) if tables else pd.DataFrame(columns=[*COLUMNS])
    return rows[(rows["metric"] == "penalized_regret") & rows["policy"].isin(policies)]


def bandits(material: Material, late: Mapping[str, Comparison]) -> Iterator[dict[str, Any]]:
    """Yield the bandits of the chart, one for each number of arms: drawn ones, then movies.

    ``rows`` has the horizons that all policies have, with mean and interval of each; ``crossing``
    the comparison by which the hard threshold overtakes UCB1, None if it does not.
    """
    # One replicate has no intervals, and no chart.
    regret = regrets(material, ["crossover", MOVIES], DRAWN).dropna(subset=STATISTICS)
    kinds = regret.drop_duplicates("case")
    kinds = kinds.loc[[is_drawn(x.case) or x.setting == MOVIES for x in kinds.itertuples()]]
    kinds = kinds.assign(off=(kinds["total_fairness"] / kinds["n_arms"] - SHARE).abs())
    kinds = kinds.sort_values("off", kind="stable").drop_duplicates(["setting", "n_arms"])
    for kind in kinds.sort_values(["setting", "n_arms"]).itertuples():
        rows = regret[regret["case"] == kind.case]
        wide = rows.pivot_table(STATISTICS, "horizon", "policy")
        policies = [policy for policy in DRAWN if policy in wide["mean"]]
        wide = wide.dropna().swaplevel(axis=1)
        ends = {t: [[*wide.loc[t, policy][STATISTICS]] for policy in policies] for t in wide.index}
        yield {
            "kind": kind,
            "movies": kind.setting == MOVIES,
            "policies": policies,
            "rows": [*ends.items()],
            "crossing": late.get(kind.case),
            "ends": FIGURE_1_ENDS if is_drawn(kind.case) else 0,
        }


def first_screen(material: Material, results: Sequence[ClaimResult]) -> dict[str, Any]:
    """Return what the templates of the first screen and of the scenes know.

    ``ahead`` has the number of points of Figure 1, of ``n_points``, at which each policy of
    `AHEAD` has less mean regret than the hard threshold.
    """
    known = by_id(results)
    late, committing, shares = (
        known[name].comparisons if name in known else () for name in (CLAIM, COMMITTING, SHARES)
    )
    points = regrets(material, ["setting_1"], (PAPER_POLICY, *AHEAD))
    means = points.pivot_table("mean", ["case", "horizon"], "policy") if len(points) else points
    drawn = bandits(material, {one.case: one for one in late if one.status == "holds"})
    return {
        "asked": counted(results),
        "bandits": [x for x in drawn if x["rows"] and {*DRAWN[:2]} <= {*x["policies"]}],
        "crossed": overtaking.crossings(late),
        "n_kinds": len(late),
        "behind": [one for one in committing if one.values.get("ratio", 0) > 1],
        "ahead": {p: int((means[p] < means[PAPER_POLICY]).sum()) for p in AHEAD if p in means},
        "n_points": len(means),
        "horizons": sorted(points["horizon"].unique()),
        "owed": next((one for one in shares if one.values.get("shares")), None),
        "finding": overtaking.FINDING,
        "paper_ends": FIGURE_1_ENDS,
    }
