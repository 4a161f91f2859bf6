"""Figure 5: gain in reward at equal unfairness under three reward laws, Setting 5."""

from itertools import cycle

from penalized_replication.figures import tradeoff
from penalized_replication.figures.base import Drawing, Tables, Values, summary_of
from penalized_replication.figures.panels import CaseGrid, chunks
from penalized_replication.figures.style import GREY, entry, policy_handle

LAWS = {"gaussian": "N(μ, 1/K²)", "beta": "Beta(μ, 1 − μ)", "bernoulli": "Bernoulli(μ)"}
DASHES = ("-", (0, (4, 1.5)), (0, (1, 1.2)))


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each (K, τ), in which the laws are thin lines."""
    cases = summary_of(tables).drop_duplicates("case")
    dashes = dict(zip(cases["law"].unique(), cycle(DASHES), strict=False))
    groups = [some for _, some in cases.groupby(["n_arms", "total_fairness"], sort=False)]
    rows = chunks(groups, 2 if column else 4)
    grid = CaseGrid(rows, 1.5 if column else 2.0, 0.9, column, turned=False, sharey="row")
    gains = tradeoff.gains_of(tables)
    for axes, group in grid:
        looks = {case.case: dashes[case.law] for case in group.itertuples()}
        tradeoff.draw_gains(axes, (gain for gain in gains if gain["case"] in looks), looks)
        grid.title(axes, f"K = {group['n_arms'].iloc[0]}, τ = {group['total_fairness'].iloc[0]:g}")
    grid.label(tradeoff.UNFAIRNESS, tradeoff.GAIN, once=True)
    rivals = dict.fromkeys(gain["rival"] for gain in gains)
    handles = [policy_handle(rival, linestyle="") for rival in rivals]
    handles += [
        entry(str(LAWS.get(law, law)), color=GREY, linestyle=x) for law, x in dashes.items()
    ]
    return grid.legend(handles, 2 if column else None)


def caption_values(tables: Tables) -> Values:
    """Return the reward laws and what captions of trade-offs have in common."""
    return {"laws": LAWS, **tradeoff.tradeoff_values(tables, draw(tables))}
