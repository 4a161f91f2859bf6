"""The figures, one file each.  A new one is a file and a line here.

``figures/figure_1.py`` and its like hold ``draw`` and ``caption``; they are imported
when a figure is drawn, so that reading the list does not pay for matplotlib.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A figure and what it is drawn from."""

    id: str
    setting: str
    """The setting of the paper whose tables it shows; empty for a figure of the theory."""
    title: str
    studies: tuple[str, ...] = ()
    """Studies whose summaries it shows, each a table by its id."""
    claims: tuple[str, ...] = ()
    """Tables of the ledger that it shows: ``sensitivity``."""
    topics: tuple[str, ...] = ()
    """Jobs whose checked claims it shows."""
    tables: tuple[str, ...] = ()
    """Tables of ``results/extended`` that it shows."""
    code: tuple[str, ...] = ()
    """Files of the package that it stands on, beside its own and those of every figure."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """The settings and studies that it shows; none where it shows the ledger alone."""
        return (self.setting, *self.studies) if self.setting else self.studies


_PROBLEM = ("theory/__init__.py", "theory/problem.py", "instances.py", "rewards.py")
_BOUNDS = (*_PROBLEM, "theory/bounds.py", "regret.py")
_FITS = ("theory/__init__.py", "theory/fits.py", "theory/statistics.py")
_SHARED = ("figures/theory_series.py",)
_INSTANCES = ("figures/theory_instances.py", "theory/conditions.py")

FIGURES: dict[str, Figure] = {
    figure.id: figure
    for figure in (
        Figure("figure_1", "setting_1", "penalized regret against the horizon"),
        Figure(
            "figure_2",
            "setting_2",
            "path of each arm's unfairness along the scale η",
            code=(*_PROBLEM, "theory/fluid.py"),
        ),
        Figure("figure_3", "setting_3", "reward against unfairness on movie ratings"),
        Figure(
            "figure_4",
            "setting_4",
            "pulls against the inverse squared gap",
            code=(*_PROBLEM, "theory/fluid.py"),
        ),
        Figure("figure_5", "setting_5", "reward against unfairness under three reward laws"),
    )
}
"""The paper's figures."""

THEORY_FIGURES: dict[str, Figure] = {
    figure.id: figure
    for figure in (
        Figure(
            "theory_log_t",
            "",
            "penalized regret against log T, with the slopes of the bounds",
            studies=("log_laws",),
            code=(*_SHARED, *_INSTANCES, *_BOUNDS, *_FITS),
        ),
        Figure(
            "theory_exponents",
            "",
            "the largest regret over gaps against T, and its exponents",
            studies=("worst_case",),
            code=(*_SHARED, *_FITS),
        ),
        Figure(
            "theory_maximal",
            "",
            "the largest deficit over all rounds against T, arm by arm",
            studies=("log_laws",),
            code=(*_SHARED, *_INSTANCES, *_BOUNDS),
        ),
        Figure(
            "theory_lower_bounds",
            "",
            "regret over the lower bounds of Theorems 4.6 to 4.8",
            studies=("deterministic", "two_instances"),
            code=(*_SHARED, *_BOUNDS),
        ),
        Figure(
            "theory_crossover",
            "",
            "regret up to long horizons, and where the hard threshold overtakes UCB1",
            studies=("crossover", "movie_crossover"),
            topics=("crossover",),
            code=_SHARED,
        ),
        Figure(
            "sensitivity",
            "",
            "verdicts of the claims with each reading flipped",
            claims=("sensitivity",),
        ),
    )
}
"""Figures of the theory and of the ledger, which the paper does not have."""

ALL_FIGURES: dict[str, Figure] = {**FIGURES, **THEORY_FIGURES}

EXTENDED_FIGURES: dict[str, Figure] = {
    figure.id: figure
    for figure in (
        Figure(
            "all_policies_regret",
            "",
            "penalized regret of every policy against the lower bound",
            tables=("comparison_by_case",),
            code=("figures/all_policies.py",),
        ),
        Figure(
            "all_policies_tradeoff",
            "",
            "reward lost against the oracle frontier at equal unfairness",
            tables=("comparison_by_case",),
            code=("figures/all_policies.py",),
        ),
    )
}
"""Figures beyond the paper (``config/extended.yaml``)."""
