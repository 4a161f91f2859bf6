"""Figure 5: reward against unfairness under three reward laws, Setting 5."""

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from penalized_replication.figures.captions import CaptionContext
from penalized_replication.figures.tradeoff import tradeoff_figure, tradeoff_values

LAWS = {"gaussian": "N(μ, 1/K²)", "beta": "Beta(μ, 1 − μ)", "bernoulli": "Bernoulli(μ)"}


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw a panel for each (K, τ) (rows) and reward law (columns)."""
    return tradeoff_figure(tables, (1.35, 0.85), column=column)


def caption_values(tables: Mapping[str, str], context: CaptionContext) -> dict[str, Any]:
    """Return the reward laws and what captions of trade-offs have in common."""
    laws = [LAWS[law] for law in context.section["rewards"]]
    return {"laws": laws, **tradeoff_values(tables, draw(tables))}
