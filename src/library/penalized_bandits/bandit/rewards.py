"""Reward families of the paper's experiments.

Each family says what it needs and hands the engine plain numbers
(:class:`RewardCode`); ``engine/_draws.py`` turns one random word into one reward.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.common.errors import LARGEST, BanditError, at_least_0, within
from penalized_bandits.common.typing import FloatArray

GAUSSIAN, BERNOULLI, BETA, CATEGORICAL, DETERMINISTIC, HEAVY_TAILED = range(6)


class RewardCode(NamedTuple):
    """A reward family in the form that compiled code takes.

    ``cumulative`` (K, L) and ``support`` (L,) matter for the categorical family; a heavy
    tail's index is the one number of its ``support``.
    """

    family: int
    sd: float = 0.0
    cumulative: FloatArray = np.zeros((1, 1))
    support: FloatArray = np.zeros(1)


@runtime_checkable
class RewardFamily(Protocol):
    """Interface of a reward family."""

    id: ClassVar[str]

    @property
    def noise(self) -> float:
        """Sigma such that rewards are sigma-sub-Gaussian about their means; inf if none."""
        ...

    def code(self, means: FloatArray) -> RewardCode:
        """Check the family against means (..., K); return what the engine needs."""
        ...


@dataclass(frozen=True)
class Gaussian:
    """N(mean, sd^2), not clipped to [0, 1] (reading R3)."""

    sd: float
    id: ClassVar[str] = "gaussian"

    def __post_init__(self) -> None:
        self.__dict__.update(sd=at_least_0("sd of Gaussian rewards", self.sd))

    @property
    def noise(self) -> float:
        """The standard deviation."""
        return self.sd

    def code(self, means: FloatArray) -> RewardCode:  # noqa: ARG002
        """Return the engine's form; any finite means will do."""
        return RewardCode(GAUSSIAN, self.sd)


class _InUnitInterval:
    """A family of rewards in [0, 1] that is known by its means."""

    family: ClassVar[int]

    @property
    def noise(self) -> float:
        """1/2, as for any reward in [0, 1] (Hoeffding's lemma)."""
        return 0.5

    def code(self, means: FloatArray) -> RewardCode:
        """Return the engine's form; means must lie in [0, 1]."""
        if means.size and (means.min() < 0 or means.max() > 1):
            worst = means.flat[np.argmax(np.abs(means - 0.5))]
            name = type(self).__name__
            raise BanditError(f"{name} rewards have means in [0, 1], but one mean is {worst:g}")
        return RewardCode(self.family)


@dataclass(frozen=True)
class Bernoulli(_InUnitInterval):
    """1 with probability mean, else 0."""

    id: ClassVar[str] = "bernoulli"
    family: ClassVar[int] = BERNOULLI


@dataclass(frozen=True)
class Beta(_InUnitInterval):
    """Beta(mean, 1 - mean), the paper's Setting 5(ii)."""

    id: ClassVar[str] = "beta"
    family: ClassVar[int] = BETA


@dataclass(frozen=True)
class Deterministic:
    """Always the mean: the constructions of Theorems 4.6 and 4.7."""

    id: ClassVar[str] = "deterministic"

    @property
    def noise(self) -> float:
        """None at all."""
        return 0.0

    def code(self, means: FloatArray) -> RewardCode:  # noqa: ARG002
        """Return the engine's form; any finite means will do."""
        return RewardCode(DETERMINISTIC)


@dataclass(frozen=True, eq=False)
class Categorical:
    """Arm k takes value support[j] with probability probabilities[k, j].

    Parameters
    ----------
    support
        Values a reward can take, shape (L,).
    probabilities
        Rows summing to 1, shape (K, L).
    """

    support: FloatArray
    probabilities: FloatArray
    id: ClassVar[str] = "categorical"

    def __post_init__(self) -> None:
        support = numbers("support of categorical rewards", self.support)
        table = numbers("categorical probabilities", self.probabilities)
        if support.ndim != 1 or table.ndim != 2 or table.shape[1] != support.size:
            raise BanditError(
                f"categorical rewards need support (L,) and probabilities (K, L), "
                f"but their shapes are {support.shape} and {table.shape}"
            )
        if not (table >= 0).all() or not np.allclose(table.sum(axis=1), 1, rtol=0, atol=1e-9):
            raise BanditError("each row of categorical probabilities must be >= 0 and sum to 1")
        self.__dict__.update(support=support, probabilities=table)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by the parameters, as an instance does."""
        return type(self), (self.support, self.probabilities)

    @property
    def means(self) -> FloatArray:
        """Mean reward of each arm, shape (K,)."""
        return self.probabilities @ self.support

    @property
    def noise(self) -> float:
        """Half the range of the support (Hoeffding's lemma)."""
        return float(np.ptp(self.support)) / 2

    def code(self, means: FloatArray) -> RewardCode:
        """Return the engine's form; means (..., K) must be those of the distributions."""
        if means.shape[-1] != len(self.probabilities) or not np.allclose(
            means, self.means, rtol=0, atol=1e-9
        ):
            raise BanditError("means differ from those of the categorical distributions")
        cumulative = np.cumsum(self.probabilities, axis=1)
        # A value above every word in [0, 1): rounding must not lose the last category.
        last = self.probabilities.shape[1] - 1 - np.argmax(self.probabilities[:, ::-1] > 0, axis=1)
        cumulative[np.arange(cumulative.shape[1]) >= last[:, None]] = 2.0
        cumulative.flags.writeable = False
        return RewardCode(CATEGORICAL, 0.0, cumulative, self.support)


@dataclass(frozen=True)
class HeavyTailed:
    """Mean plus a symmetric Pareto (Lomax) error: P(|error| > scale x) = (1 + x)^-tail.

    Not sub-Gaussian for any sigma; the variance is infinite up to a tail index of 2.
    """

    scale: float
    tail: float
    """Tail index, above 1: a mean must exist."""
    id: ClassVar[str] = "heavy_tailed"

    def __post_init__(self) -> None:
        scale = at_least_0("scale of heavy-tailed rewards", self.scale)
        if not within(self.tail, np.nextafter(1, 2), LARGEST):
            raise BanditError(
                f"tail index of heavy-tailed rewards is {self.tail}: it must be finite, above 1"
            )
        self.__dict__.update(scale=scale, tail=float(self.tail))

    @property
    def noise(self) -> float:
        """Infinite."""
        return float("inf")

    def code(self, means: FloatArray) -> RewardCode:  # noqa: ARG002
        """Return the engine's form; any finite means will do."""
        return RewardCode(HEAVY_TAILED, self.scale, support=np.array([self.tail]))


FAMILIES = {
    family.id: family
    for family in (Gaussian, Bernoulli, Beta, Deterministic, Categorical, HeavyTailed)
}


def parameters_of(rewards: RewardFamily) -> dict[str, Any]:
    """Return the parameters of a reward family besides the means, as JSON has them."""
    return {name: np.asarray(value).tolist() for name, value in vars(rewards).items()}


def family_of(identifier: str, parameters: Mapping[str, Any]) -> RewardFamily:
    """Return the reward family with an id and the parameters of `parameters_of`."""
    return FAMILIES[identifier](**parameters)
