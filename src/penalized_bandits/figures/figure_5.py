"""Figure 5: reward against unfairness under three reward laws, Setting 5."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from penalized_bandits.figures.base import CaptionContext, summary_of
from penalized_bandits.figures.style import thousands
from penalized_bandits.figures.tradeoff import interval_note, tradeoff_figure

CLAIM = "C31"
LAWS = {"gaussian": "N(μ, 1/K²)", "beta": "Beta(μ, 1 − μ)", "bernoulli": "Bernoulli(μ)"}


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each (K, τ) (rows) and reward law (columns)."""
    return tradeoff_figure(tables, CLAIM, (1.35, 0.85))


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    table = summary_of(tables)
    laws = ", ".join(LAWS[law] for law in context.section["rewards"])
    return (
        "**Figure 5. Reward against unfairness under three reward laws (Setting 5).** "
        "Rows are numbers of arms K and totals τ of the fairness fractions (τ/K each), columns "
        f"the reward laws {laws}; {context.drawn_means()}, the same for all policies. T = "
        f"{thousands(int(table['horizon'].iloc[0]))}, which the paper does not give. "
        f"{interval_note(table, CLAIM)}"
    )
