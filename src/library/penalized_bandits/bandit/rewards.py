"""Reward families of the paper's experiments.

Each hands the engine plain numbers; ``engine/_draws.py`` turns a random word into a reward.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.by_value import ByValue
from penalized_bandits.bandit.checks import in_order, numbers
from penalized_bandits.bandit.logged import logged
from penalized_bandits.common.errors import LARGEST, BanditError, at_least_0, number_in
from penalized_bandits.common.typing import FloatArray, IntArray

GAUSSIAN, BERNOULLI, BETA, CATEGORICAL, DETERMINISTIC, HEAVY_TAILED = range(6)


class RewardCode(NamedTuple):
    """A reward family in the form that compiled code takes.

    Categorical: ``cumulative`` (K, L), ``support`` (L,).  Heavy-tailed: ``support`` is the index.
    """

    family: int
    sd: float = 0.0
    cumulative: FloatArray = np.zeros((1, 1))
    support: FloatArray = np.zeros(1)


class RewardFamily:
    """A law of rewards around the means."""

    id: ClassVar[str]
    _number: ClassVar[int] = -1  # which compiled code does not know
    _noise: float = math.inf

    @property
    def noise(self) -> float:
        """Sigma such that rewards are sigma-sub-Gaussian about their means; inf if none."""
        return self._noise

    def variances(self, means: FloatArray) -> FloatArray:
        """Return the variance of a reward of each arm, of the shape of the means (..., K).

        That of heavy tails is infinite here, whatever the tail.

        >>> Bernoulli().variances(np.array([0.9, 0.5])).round(2).tolist()
        [0.09, 0.25]
        """
        return self._variances(means)

    def _variances(self, means: FloatArray) -> FloatArray:
        return np.full(means.shape, self.noise**2)

    def _exceeds(self, size: FloatArray) -> FloatArray:
        """Return P(|reward - mean| > size) of a law that is not sub-Gaussian, as it is stated."""
        raise NotImplementedError

    def code(self, means: FloatArray) -> RewardCode:
        """Return the law as the engine takes it; BanditError if it does not admit means (..., K).

        >>> Bernoulli().code(np.array([0.9, 0.5])).family == BERNOULLI
        True
        """
        own = getattr(self, "means", None)
        if own is not None:
            # In units of what the means of the arms differ by, else the rewards.
            unit = np.ptp(own) or np.ptp(getattr(self, "support", own))
            if means.shape[-1:] != own.shape or not np.allclose(means, own, 1e-15, 1e-9 * unit):
                raise BanditError(f"means differ from those of the {type(self).__name__} rewards")
        return self._code(means)

    def _code(self, means: FloatArray) -> RewardCode:  # noqa: ARG002
        return RewardCode(self._number)


@dataclass(frozen=True, eq=False, repr=False)
class FittedFamily(ByValue, RewardFamily):
    """A law that may know the means and names of its arms."""

    @classmethod
    def from_data(cls, frame: Any, *, arm: str, reward: str) -> Self:
        """Return the law of logged rewards.

        Categorical: each arm takes its values as often as in the log.  Gaussian: the means, and
        one sd whose square is the sum of squares about them over (rows - arms).

        Parameters
        ----------
        frame
            Columns by name: a dict of lists, or a DataFrame of pandas or polars.
        arm, reward
            Names of the columns with the arm of each row, a text or number, and its reward.
            Arms are sorted: the law's ``arms`` has their names.

        Raises
        ------
        BanditError
            If a column is missing, a reward is no finite number, a row has no arm, or an arm has
            one reward, where a standard deviation needs two.

        Examples
        --------
        >>> log = {"ad": ["y", "x", "y", "x"], "clicks": [1, 0, 3, 0]}
        >>> Gaussian.from_data(log, arm="ad", reward="clicks")
        Gaussian(sd=1.0, means=[0.0, 2.0], arms=('x', 'y'))
        >>> Categorical.from_data(log, arm="ad", reward="clicks").probabilities.tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]
        """
        return cls._fitted(*logged(frame, arm, reward))

    @classmethod
    def _fitted(cls, arms: tuple[Hashable, ...], of_row: IntArray, rewards: FloatArray) -> Self:
        raise NotImplementedError

    def _set(self, n_arms: int, arms: Sequence[Hashable] | None, **fields: Any) -> None:
        names = None if arms is None else tuple(arms)
        if names is not None and not len({*names}) == len(names) == n_arms:
            raise BanditError(f"arms has {len({*names})} names, but the law has {n_arms} arms")
        self.__dict__.update(fields, arms=names)


@dataclass(frozen=True, eq=False, repr=False)
class Gaussian(FittedFamily):
    """N(mean, sd^2), not clipped to [0, 1] (interpretation R3).

    >>> Gaussian(sd=0.2).noise
    0.2
    """

    sd: float
    """Standard deviation of each arm, in units of reward."""
    means: FloatArray | None = None
    """Means, shape (K,), where the law knows them."""
    arms: Sequence[Hashable] | None = None
    """Names of the arms with these means."""
    id: ClassVar[str] = "gaussian"

    def __init__(
        self, sd: float, means: ArrayLike | None = None, arms: Sequence[Hashable] | None = None
    ) -> None:
        means = in_order("means of Gaussian rewards", means, arms)
        mu = None if means is None else numbers("means of Gaussian rewards", means)
        sd = at_least_0("sd of Gaussian rewards", sd)
        self._set(0 if mu is None else mu.size, arms, sd=sd, means=mu)

    @classmethod
    def _fitted(cls, arms: tuple[Hashable, ...], of_row: IntArray, rewards: FloatArray) -> Self:
        counts = np.bincount(of_row)
        if counts.min() < 2:
            alone = counts.argmin()
            raise BanditError(
                f"arm {arms[alone]!r} has one reward, in row {np.argmax(of_row == alone)}: a "
                "standard deviation needs two of each arm"
            )
        means = np.bincount(of_row, rewards) / counts
        squares = float(((rewards - means[of_row]) ** 2).sum())
        return cls(math.sqrt(squares / (rewards.size - means.size)), means, arms)

    @property
    def noise(self) -> float:
        """The standard deviation."""
        return self.sd

    def _code(self, means: FloatArray) -> RewardCode:  # noqa: ARG002
        return RewardCode(GAUSSIAN, self.sd)


class UnitIntervalFamily(RewardFamily):
    """A family of rewards in [0, 1] that is known by its means."""

    _noise = 0.5
    """As for any reward in [0, 1] (Hoeffding's lemma)."""

    def _variances(self, means: FloatArray) -> FloatArray:
        return means * (1 - means)

    def _code(self, means: FloatArray) -> RewardCode:
        if means.size and (means.min() < 0 or means.max() > 1):
            worst = means.flat[np.argmax(np.abs(means - 0.5))]
            name = type(self).__name__
            raise BanditError(f"{name} rewards have means in [0, 1], but one mean is {worst:g}")
        return super()._code(means)


@dataclass(frozen=True)
class Bernoulli(UnitIntervalFamily):
    """1 with probability mean, else 0.

    >>> Bernoulli().noise
    0.5
    """

    id: ClassVar[str] = "bernoulli"
    _number = BERNOULLI


@dataclass(frozen=True)
class Beta(UnitIntervalFamily):
    """Beta(mean, 1 - mean), the paper's Setting 5(ii).

    Its one parameter is the mean, so that data fit none besides: there is no ``from_data``.

    >>> Beta() == Beta()
    True
    """

    id: ClassVar[str] = "beta"
    _number = BETA

    def _variances(self, means: FloatArray) -> FloatArray:
        return super()._variances(means) / 2


@dataclass(frozen=True)
class Deterministic(RewardFamily):
    """Always the mean: the constructions of Theorems 4.6 and 4.7.

    >>> Deterministic().noise
    0.0
    """

    id: ClassVar[str] = "deterministic"
    _number = DETERMINISTIC
    _noise = 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Categorical(FittedFamily):
    """Arm k takes value support[j] with probability probabilities[k, j].

    Parameters
    ----------
    support
        Values a reward can take, shape (L,).
    probabilities
        Rows summing to 1, shape (K, L).
    arms
        Names of the K arms, where they have any.

    Examples
    --------
    >>> Categorical(support=[0, 1], probabilities=[[0.5, 0.5], [0.25, 0.75]]).means
    array([0.5 , 0.75])
    """

    support: FloatArray
    probabilities: FloatArray
    arms: Sequence[Hashable] | None = None
    id: ClassVar[str] = "categorical"

    def __init__(
        self, support: ArrayLike, probabilities: ArrayLike, arms: Sequence[Hashable] | None = None
    ) -> None:
        values = numbers("support of categorical rewards", support)
        rows = in_order("probabilities", probabilities, arms, axis=0)
        table = numbers("categorical probabilities", rows)
        if values.ndim != 1 or table.ndim != 2 or table.shape[1] != values.size:
            raise BanditError(
                f"categorical rewards need support (L,) and probabilities (K, L), "
                f"but their shapes are {values.shape} and {table.shape}"
            )
        # What a row lacks is multiplied by values, in means, not by their differences.
        span = np.ptp(values) if values.size else 0.0
        size = max(1.0, float(np.abs(values).max() / span)) if span else 1.0
        lack = np.abs(table.sum(axis=1) - 1)
        if not (table >= 0).all() or (np.maximum(lack - 1e-14, 0) * size > 1e-9).any():
            raise BanditError("each row of categorical probabilities must be >= 0 and sum to 1")
        self._set(len(table), arms, support=values, probabilities=table)

    @classmethod
    def _fitted(cls, arms: tuple[Hashable, ...], of_row: IntArray, rewards: FloatArray) -> Self:
        support, column = np.unique(rewards, return_inverse=True)
        counts = np.zeros((len(arms), support.size))
        np.add.at(counts, (of_row, column), 1)
        return cls(support, counts / counts.sum(axis=1, keepdims=True), arms)

    @property
    def means(self) -> FloatArray:
        """Mean reward of each arm, shape (K,)."""
        return self.probabilities @ self.support

    @property
    def noise(self) -> float:
        """Half the range of the support (Hoeffding's lemma)."""
        return float(np.ptp(self.support)) / 2

    def _variances(self, means: FloatArray) -> FloatArray:
        return (self.probabilities * (self.support - means[..., None]) ** 2).sum(axis=-1)

    def _code(self, means: FloatArray) -> RewardCode:  # noqa: ARG002
        cumulative = np.cumsum(self.probabilities, axis=1)
        # A value above every word in [0, 1): rounding must not lose the last category.
        last = self.probabilities.shape[1] - 1 - np.argmax(self.probabilities[:, ::-1] > 0, axis=1)
        cumulative[np.arange(cumulative.shape[1]) >= last[:, None]] = 2.0
        cumulative.flags.writeable = False
        return RewardCode(CATEGORICAL, 0.0, cumulative, self.support)


@dataclass(frozen=True)
class HeavyTailed(RewardFamily):
    """Mean plus a symmetric Pareto (Lomax) error: P(|error| > scale x) = (1 + x)^-tail.

    Not sub-Gaussian for any sigma; the variance is infinite up to a tail index of 2.

    >>> HeavyTailed(scale=0.1, tail=1.5).noise
    inf
    """

    scale: float
    """Unit of the error, in units of reward."""
    tail: float
    """Tail index, above 1: a mean must exist."""
    id: ClassVar[str] = "heavy_tailed"

    def __post_init__(self) -> None:
        scale = at_least_0("scale of heavy-tailed rewards", self.scale)
        tail = number_in("tail index of rewards", self.tail, 1 + 2**-52, LARGEST, "finite, above 1")
        self.__dict__.update(scale=scale, tail=tail)

    def _exceeds(self, size: FloatArray) -> FloatArray:
        return (1 + size / self.scale) ** -self.tail

    def _code(self, means: FloatArray) -> RewardCode:  # noqa: ARG002
        return RewardCode(HEAVY_TAILED, self.scale, support=np.array([self.tail]))


EXAMPLES: dict[str, RewardFamily] = {
    law.id: law
    for law in (
        Gaussian(0.3),
        Bernoulli(),
        Beta(),
        Categorical([0, 0.25, 0.5, 0.75, 1], [[0.2] * 5]),
        Deterministic(),
        HeavyTailed(0.1, 1.5),
    )
}
"""The registry: a law of each family, by id.  Tests go through all."""
FAMILIES: dict[str, Callable[..., RewardFamily]] = {i: type(law) for i, law in EXAMPLES.items()}
