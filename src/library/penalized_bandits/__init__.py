"""Stochastic bandits with penalties on unfairness: simulator, policies, theory, live player."""

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from penalized_bandits.common.garbage import objects_that_stay

if TYPE_CHECKING:
    __version__: str
    from penalized_bandits.bandit.changing import Changing as Changing
    from penalized_bandits.bandit.frontier import Frontier as Frontier
    from penalized_bandits.bandit.frontier import oracle_frontier as oracle_frontier
    from penalized_bandits.bandit.instances import Instance as Instance
    from penalized_bandits.bandit.regret import expected_reward as expected_reward
    from penalized_bandits.bandit.regret import optimal_loss as optimal_loss
    from penalized_bandits.bandit.regret import penalized_regret as penalized_regret
    from penalized_bandits.bandit.regret import unfairness as unfairness
    from penalized_bandits.bandit.rewards import Bernoulli as Bernoulli
    from penalized_bandits.bandit.rewards import Beta as Beta
    from penalized_bandits.bandit.rewards import Categorical as Categorical
    from penalized_bandits.bandit.rewards import Deterministic as Deterministic
    from penalized_bandits.bandit.rewards import Gaussian as Gaussian
    from penalized_bandits.bandit.rewards import HeavyTailed as HeavyTailed
    from penalized_bandits.common.errors import BanditError as BanditError
    from penalized_bandits.comparison.compare import Comparison as Comparison
    from penalized_bandits.comparison.compare import compare as compare
    from penalized_bandits.comparison.predict import predict as predict
    from penalized_bandits.comparison.sweep import Sweep as Sweep
    from penalized_bandits.comparison.sweep import sweep as sweep
    from penalized_bandits.engine.simulate import simulate as simulate
    from penalized_bandits.engine.simulation import Simulation as Simulation
    from penalized_bandits.live.player import Player as Player
    from penalized_bandits.policies import POLICIES as POLICIES
    from penalized_bandits.policies import Policy as Policy
    from penalized_bandits.policies import get_policy as get_policy
    from penalized_bandits.policies.base import Arm as Arm
    from penalized_bandits.policies.base import Card as Card
    from penalized_bandits.policies.base import Hints as Hints
    from penalized_bandits.policies.base import Round as Round
    from penalized_bandits.policies.base import Tuning as Tuning
    from penalized_bandits.statistics.anytime import intervals as intervals
    from penalized_bandits.theory.half_lives import half_life as half_life

# Imported at first use: the workflow reads the config in every job, and must not pay for numba
# there.  What nothing runs is for type checkers and editors; a test compares the two.
_NAMES = """
    bandit.changing Changing
    bandit.frontier Frontier oracle_frontier
    bandit.instances Instance
    bandit.regret expected_reward optimal_loss penalized_regret unfairness
    bandit.rewards Bernoulli Beta Categorical Deterministic Gaussian HeavyTailed
    common.errors BanditError
    comparison.compare Comparison compare
    comparison.predict predict
    comparison.sweep Sweep sweep
    engine.simulate simulate
    engine.simulation Simulation
    live.player Player
    policies POLICIES Policy get_policy
    policies.base Arm Card Hints Round Tuning
    statistics.anytime intervals
    theory.half_lives half_life
"""
_HOME = {
    name: f"{__name__}.{home}"
    for home, *names in map(str.split, _NAMES.strip().splitlines())
    for name in names
}
__all__ = list(_HOME)  # pyright: ignore[reportUnsupportedDunderAll]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


# A type checker takes the list at its word, and no other name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import PackageNotFoundError, version

            with suppress(PackageNotFoundError):  # in an application there may be no metadata
                return version("penalized-bandits")
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        with objects_that_stay():
            return getattr(import_module(_HOME[name]), name)
