"""The paper's figures, one file each.  A new one is a file and a line here.

``figures/figure_1.py`` and its like hold ``draw`` and ``caption``; they are imported
when a figure is drawn, so that reading the list does not pay for matplotlib.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A figure and the setting whose tables it is drawn from."""

    id: str
    setting: str
    title: str


FIGURES: dict[str, Figure] = {
    figure.id: figure
    for figure in (
        Figure("figure_1", "setting_1", "penalized regret against the horizon"),
        Figure("figure_2", "setting_2", "path of each arm's unfairness along the scale η"),
        Figure("figure_3", "setting_3", "reward against unfairness on MovieLens 1M"),
        Figure("figure_4", "setting_4", "pulls against the inverse squared gap"),
        Figure("figure_5", "setting_5", "reward against unfairness under three reward laws"),
    )
}
