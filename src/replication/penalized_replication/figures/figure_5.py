"""Figure 5: reward against unfairness under three reward laws, Setting 5."""

from penalized_replication.figures.base import Drawing, Tables, Values
from penalized_replication.figures.tradeoff import tradeoff_figure, tradeoff_values

LAWS = {"gaussian": "N(μ, 1/K²)", "beta": "Beta(μ, 1 − μ)", "bernoulli": "Bernoulli(μ)"}


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each (K, τ) (rows) and reward law (columns)."""
    return tradeoff_figure(tables, (1.35, 0.85), column=column)


def caption_values(tables: Tables) -> Values:
    """Return the reward laws and what captions of trade-offs have in common."""
    return {"laws": LAWS, **tradeoff_values(tables, draw(tables))}
