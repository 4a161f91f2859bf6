"""What the page says of each figure, in our words.  A new figure may have an entry here.

Numbers have no place here: what was measured is read from the claims named.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A figure on the page."""

    paper: str
    """What the paper says of it, or of the theorem behind it."""
    claims: tuple[str, ...] = ()
    """Claims that it bears on."""
    scale: str = ""
    """Name of the reference scale of its claims' differences."""
    charts: tuple[str, ...] = ()
    """Interactive charts shown beside it, by their names in ``charts.CHARTS``."""


SECTIONS: dict[str, Section] = {
    "figure_1": Section(
        "The paper compares penalized regret at growing horizons for two numbers of arms and three "
        "totals of the fairness fractions. It finds the hard threshold ahead of LFG and Flearn in "
        "all six panels. It shows no policy that ignores fairness.",
        claims=("C24", "C25", "C25H", "C34"),
        scale="the rival's regret",
    ),
    "figure_2": Section(
        "The paper varies one scale η that sets how much fairness counts and follows how far each "
        "arm falls short of its share. Under the hard threshold arms give up their share one after "
        "another, the worst arm first, as variables leave a LASSO path; under Flearn and LFG all "
        "suboptimal arms do so together.",
        claims=("C26", "C26P", "C27", "C32", "C50", "C52"),
    ),
    "figure_3": Section(
        "The paper takes the most rated movies of MovieLens 1M as arms and their ratings as "
        "rewards, and traces each policy's total reward against its unfairness as its tuning "
        "varies. It finds the hard threshold's curve above those of LFG and Flearn for each choice "
        "of movies.",
        claims=("C28", "C28L"),
        scale="the frontier's range of reward",
        charts=("movies", "setting_3"),
    ),
    "figure_4": Section(
        "The theory bounds the pulls of an arm by a multiple of 1/(Δ − A)² if the policy gives the "
        "arm up (upper row), and of 1/Δ² if the policy keeps it fair and exploration takes more "
        "pulls than the share (lower row). The paper draws pulls against these quantities and "
        "reads the points as lines.",
        claims=("C29", "C30", "C35"),
    ),
    "figure_5": Section(
        "The paper repeats the comparison of Figure 3 on simulated bandits with Gaussian, Beta and "
        "Bernoulli rewards, for two numbers of arms and two totals of the fairness fractions. It "
        "finds the hard threshold's curve above the others throughout.",
        claims=("C31", "C31L"),
        scale="the frontier's range of reward",
        charts=("setting_5",),
    ),
    "theory_log_t": Section(
        "Theorem 4.2: if the penalty rates are far enough from the gaps, penalized regret grows "
        "like log T, and each arm that the policy gives up is pulled a multiple of log T/(Δ − A)² "
        "times. Without penalties the policy is UCB1. Section 5 says that the growth stays the "
        "same where the fairness fractions shrink with T.",
        claims=("C03", "C06", "C06P", "C07", "C08", "C09", "C21", "C38"),
    ),
    "theory_exponents": Section(
        "Theorems 4.5 and 4.8: whatever the gaps, the regret of the hard threshold grows no faster "
        "than √T up to logarithms, and no policy does better. Section 5 compares this with "
        "explore-then-commit, whose worst case is of the order T^(2/3).",
        claims=("C14", "C15", "C20", "C39", "C40", "C40A", "C41"),
    ),
    "theory_maximal": Section(
        "Theorem 4.3: the largest shortfall over all rounds, and not only that in the last one, of "
        "an arm worth its share is on average at most a multiple of log T pulls.",
        claims=("C11", "C37"),
    ),
    "theory_lower_bounds": Section(
        "Theorems 4.6 to 4.8: there are bandits on which the policy cannot have less regret than a "
        "stated bound; in Theorem 4.8 no policy can.",
        claims=("C16", "C17", "C18", "C44"),
    ),
    "theory_crossover": Section(
        "Section 5 argues that a soft threshold pays linearly in T where the hard threshold pays "
        "log T. The paper implies but does not show that the hard threshold comes out ahead of "
        "policies that ignore fairness: Figure 1 ends at horizons too short to tell.",
        claims=("C19", "C34", "C36", "C51"),
    ),
    "regret_decomposition": Section(
        "Penalized regret, eq. (10), has two sources: rewards lost on pulls of worse arms, and "
        "penalties for arms that lack pulls. The paper bounds their sum. Drawn apart, they show "
        "why a policy that ignores fairness leads at first and falls behind later.",
        claims=("C34", "C51"),
    ),
    "sensitivity": Section(
        "The paper leaves some choices open and contradicts itself in others: the logarithm of the "
        "index, how means are drawn, the scale of the ratings, a reward law, the exact form of "
        "LFG. Each choice made here is a reading with an alternative in the config.",
    ),
}
"""By the figure's id in ``figures.ALL_FIGURES``."""
