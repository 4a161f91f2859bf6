"""The parts of a policy: formulas on one arm's statistics, a card for readers, engine hints.

A policy file holds plain functions of an :class:`Arm`, or, if its rule is no index, of all arms at
once (:class:`Round`, ``Policy.choose``).  The engine compiles them into its loops;
:mod:`penalized_bandits.engine.oracle` calls the very same functions in plain Python.  They may use
arithmetic, comparisons, ``min``, ``max`` and ``math``; a conditional expression compiles to faster
code than multiplying by a truth value.
"""

import math
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import partial
from types import FunctionType, MethodType
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from penalized_bandits.common.errors import BanditError, at_least_0, one_of, whole
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies.known import Arm as Arm
from penalized_bandits.policies.known import Round as Round

NOT_URGENT = -math.inf
"""Urgency of an arm that need not be pulled at once."""
UNPULLED_ROOT = 1e308
"""Stands for 1 / sqrt(0) in a radius: large, yet finite, so that 0 times it is 0."""
Bound: TypeAlias = Literal[
    "radius",
    "soft_radius",
    "kl",
    "kl_loglog",
    "empirical_kl",
    "empirical_kl_log",
    "empirical_variance",
    "unknown_variance",
]
"""Upper confidence bounds that ``theory/exploration.py`` has without noise; with ``soft_radius``
the bonus for a deficit shrinks with it."""


def no_index(_arm: Arm) -> float:
    """Return 0: the placeholder of the index where a policy has ``choose``."""
    return 0.0


def no_urgency(_arm: Arm) -> float:
    """Never override the index."""
    return NOT_URGENT


def no_queue(queue: float, _penalty: float, _tuning: float) -> float:
    """Keep no queue."""
    return queue


ARGUMENTS = {"served": 3, "index_exceeds": 2}
"""Arguments that the engine gives to formulas; to all others one, the arm or the round."""


def _completed(function: FunctionType, given: "partial[Any]", left: int) -> FunctionType:
    """Return a function that adds the arguments of a partial, before and after those left."""
    code, defaults, first = function.__code__, function.__defaults__ or (), given.args
    names = code.co_varnames[: code.co_argcount]
    values = {**dict(zip(names[::-1], defaults[::-1], strict=False)), **given.keywords}
    after = names[len(first) + left :]
    if not {*given.keywords} <= {*after}:
        raise KeyError
    last = tuple(values[name] for name in after)
    return lambda *rest: function(*first, *rest, *last)


def check_id(policy_id: object) -> None:
    """Raise BanditError unless a policy's id is one."""
    if not (isinstance(policy_id, str) and re.fullmatch(r"[A-Za-z]\w*", policy_id, re.ASCII)):
        raise BanditError(f"policy id {policy_id!r} must be a letter, then letters, digits or _")


def spaced_in_logarithms(first: float, last: float, points: int) -> list[float]:
    """Return numbers from ``first`` to ``last``, at least two, evenly spaced in logarithms.

    Rounded once, for tables: powers of floats differ in the last place between processors.
    """
    with localcontext() as context:
        context.prec = 40
        start, ratio = Decimal(str(first)), Decimal(last) / Decimal(str(first))
        return [float(start * ratio ** (Decimal(i) / (points - 1))) for i in range(points)]


@dataclass(frozen=True)
class Tuning:
    """A policy's own parameter, and the values it takes in the paper's experiments.

    Where a rule is None the policy cannot take part in those settings.

    >>> Tuning("alpha", regret=lambda arms, horizon: horizon**0.5 / arms).regret(5, 10_000)
    20.0
    """

    symbol: str
    """Name in messages and figures."""
    regret: Callable[[int, int], float] | None = None
    """Setting 1: the value for (number of arms K, horizon T)."""
    path: Callable[[float, float, int], float] | None = None
    """Setting 2: the value for (scale eta in [0, 1], fairness level tau_1 T, T)."""
    tradeoff: Callable[[int, float, int], list[float]] | None = None
    """Settings 3 and 5: a grid for (number of values, fairness level tau_k T, T)."""
    meaning: str = ""
    """What it is, for the error where it is missing."""


@dataclass(frozen=True)
class Card:
    """What is known of a policy, for figures, pages, predictions and checks: no pull depends on it.

    >>> Policy("mine", Card(label="My rule"), index=lambda arm: arm.mean).label
    'My rule'
    """

    label: str = ""
    """Name in figures; by default the policy's id."""
    reference: str = ""
    """Source of the rule."""
    formula: str = ""
    """The rule as a formula; this and the next two are cells of the table of all policies."""
    guarantees: str = ""
    """Proved bounds, and their conditions."""
    limitations: str = ""
    """Missing guarantees, and quantities that the rule does not know."""
    classical: str | None = None
    """Id of the policy that it is where all penalty rates are 0, if that has a name."""
    bound: Bound | None = None
    """The upper confidence bound in its index, from which the fluid prediction follows; None if no
    prediction is known."""


@dataclass(frozen=True)
class Hints:
    """Properties of a rule that let the engine play it faster; the pulls are the same without.

    With a nondecreasing index formulas are asked for rounds to come, beyond the horizon too.

    >>> Policy("mine", choose=lambda now: now.n % 2, hints=Hints(compiles=True)).hints.compiles
    True
    """

    compiles: bool = False
    """Whether ``choose`` is a plain function that numba can compile."""
    index_is_nondecreasing: bool = False
    """Whether index and urgency never fall as rounds go by, unless the arm is pulled: the engine
    then does not look at every arm in every round."""
    index_exceeds: Callable[[Arm, float], bool] | None = None
    """Test of an index that needs an equation solved: True only if the index is above a value, and
    perhaps not where the two are close.  The engine then computes few indices in a round.  The
    index must be nondecreasing, and the policy have no urgency, queue or commitment."""


@dataclass(frozen=True)
class Policy:
    """A bandit policy: its rule, a card for readers and hints for the engine.

    In each round the arm with the largest ``urgency`` is pulled, if any arm is
    urgent; else the arm with the largest ``index``.  Ties go to the lowest arm number
    (interpretation R2).  A policy with ``choose`` names the arm itself.

    Formulas are functions, partial or not, or methods of an object, compiled if it is a NamedTuple.

    Raises
    ------
    BanditError
        If a field is invalid, or two of them contradict each other.

    Examples
    --------
    >>> greedy = Policy("greedy", index=lambda arm: arm.mean)
    >>> greedy.label, greedy.check_tuning(None), greedy.exploration_for(noise=0.5)
    ('greedy', 0.0, 2.0)
    >>> greedy.scheduled_rounds(n_arms=3, tuning=0.0), greedy.published_tuning(3, 1000)
    (3, None)
    >>> fair = Policy("fair", Card(classical="plain"), index=lambda arm: arm.mean + arm.deficit)
    >>> fair.without_penalties(Card()).penalties_known(np.array([0.3, 0.5]))
    array([0., 0.])
    """

    id: str
    """Name in config files, tables and code."""
    card: Card = Card()
    """Description for readers."""
    index: Callable[[Arm], float] = no_index
    """Index of an arm; the largest is pulled."""
    urgency: Callable[[Arm], float] = no_urgency
    """Priority over every index, or ``NOT_URGENT``."""
    served: Callable[[float, float, float], float] = no_queue
    """Queue of an arm after it was pulled, from (the queue with the round's tau_k, A_k, tuning).
    The queue of every other arm has gained its tau_k."""
    choose: Callable[[Round], int] | None = None
    """The arm to pull, from 0, for a rule that is no index: it takes the place of ``index``
    and ``urgency``.  Compiled with ``numba.njit``, or with ``Hints.compiles``, it runs at full
    speed, else in plain Python."""
    memory: int = 0
    """Numbers for each arm that ``choose`` keeps from round to round."""
    shares_memory: bool = False
    """Whether some of these are about all arms together; the rule then cannot play some alone, as
    the live player has it do while others sleep."""
    forgets: Callable[[float, float], float] | None = None
    """Weight of a reward after so many rounds, given the tuning, if the policy forgets; the first
    three rows of its memory are the sums of weights and of weighted rewards, and their round."""
    tuning: Tuning | None = None
    """The policy's own parameter; None where it has none besides the penalty rates."""
    exploration: float | Callable[[float], float] = 2.0
    """The constant c in the radius sqrt(c log n / N), or a function of sigma where rewards are
    sigma-sub-Gaussian: such a rule knows the noise, which the others do not.  0 for a rule that
    looks at no radius, which then is the same whatever the logarithm is of (interpretation R1)."""
    draws: bool | Literal["uniform", "floors"] = False
    """Whether it draws random numbers of its own (``Arm.noise``): normal ones, zeros if
    ``exploration`` is 0, or ``"uniform"`` ones, from which ``policies/samples.py`` makes others.
    ``"floors"``: uniform ones, with which ``choose`` first pulls arm k with probability tau_k."""
    first_pulls: bool | Literal["commit"] = True
    """Whether each arm is pulled once, in order, before the rule applies; if not, queues hold tau_k
    in the first round.  ``"commit"``: the tuning is the number of these pulls, after which means
    and variances freeze."""
    ignores_penalties: bool = False
    """Whether the rule is played with A = 0 whatever the penalty rates are."""
    needs_unit_rewards: bool | Literal["means"] = False
    """Whether rewards must lie in [0, 1]: others are refused, but for Gaussian ones with means in
    it, with a warning.  ``"means"``: the rule's bounds stop at 1, so that of Gaussian rewards
    means in [0, 1] are enough, without a warning.  A live player refuses any reward outside."""
    hints: Hints = Hints()
    """Shortcuts for the engine."""

    def __post_init__(self) -> None:
        check_id(self.id)
        of = f"of policy {self.id}"
        for name, kinds in {"card": Card, "hints": Hints, "tuning": Tuning | None}.items():
            if not isinstance(given := getattr(self, name), kinds):
                raise BanditError(f"{name} {of} is {given!r:.80}: not a {name.capitalize()}")
        object.__setattr__(self, "memory", whole(f"memory {of}", self.memory, 0))
        if not callable(self.exploration):
            at_least_0(f"exploration {of}", self.exploration)
        if (self.choose is None) == (self.index is no_index):
            raise BanditError(f"policy {self.id} must have either an index or choose")
        hints, exceeds = self.hints, self.hints.index_exceeds
        formulas = ["index", "urgency", "served"]
        for name in [*formulas, "choose"] if hints.compiles else formulas:
            object.__setattr__(self, name, self._formula(name, getattr(self, name)))
        if exceeds is not None:
            plain = self._formula("index_exceeds", exceeds)
            object.__setattr__(self, "hints", replace(hints, index_exceeds=plain))
        one_of(f"draws {of}", self.draws, False, True, "uniform", "floors")
        one_of(f"first_pulls {of}", self.first_pulls, False, True, "commit")
        one_of(f"bound {of}", self.card.bound, *get_args(Bound), None)
        if self.commits and (self.tuning is None or self.choose is not None):
            needs = "an index, and its tuning is the pulls before that"
            raise BanditError(f"policy {self.id} commits: it must have {needs}")
        if hints.index_is_nondecreasing and (self.draws or self.choose is not None):
            why = "it draws its indices" if self.draws else "it has none"
            raise BanditError(f"policy {self.id} cannot have a nondecreasing index: {why}")
        alone = self.served is no_queue and self.urgency is no_urgency and not self.commits
        if exceeds is not None and not (hints.index_is_nondecreasing and alone):
            needs = "a nondecreasing index, without urgency, queue or commitment"
            raise BanditError(f"policy {self.id} has index_exceeds: it needs {needs}")
        if self.memory and self.choose is None:
            raise BanditError(f"memory {of} is for those that choose by themselves")
        if self.forgets is not None and not (callable(self.forgets) and self.memory >= 3):
            raise BanditError(f"forgets {of} must be a function, and its memory at least 3")

    def _formula(self, name: str, formula: Any) -> FunctionType:
        """Return a plain function: it is compiled into the loops, and numba takes nothing else."""
        left = ARGUMENTS.get(name, 1)
        if isinstance(formula, MethodType):
            formula = partial(formula)
        if isinstance(formula, partial) and isinstance(method := formula.func, MethodType):
            formula = partial(method.__func__, method.__self__, *formula.args, **formula.keywords)
        if isinstance(formula, partial):
            with suppress(KeyError):  # a name that is none, before others, or without a value
                return _completed(self._formula(name, formula.func), formula, left)
        formula = getattr(formula, "py_func", formula)
        if not isinstance(formula, FunctionType):
            raise BanditError(
                f"{name} of policy {self.id} is {formula!r}: it must be a function made with "
                "def or lambda, such as one that calls it"
            )
        return formula

    def __deepcopy__(self, memo: object = None) -> "Policy":
        return self

    __copy__ = __deepcopy__

    @property
    def commits(self) -> bool:
        """Whether means freeze after the first pulls."""
        return self.first_pulls == "commit"

    @property
    def label(self) -> str:
        """Name in figures."""
        return self.card.label or self.id

    def without_penalties(self, card: Card, **changes: Any) -> "Policy":
        """Return the policy that is ``classical`` on its card: the same rule, played with A = 0."""
        own = {"id": self.card.classical, "ignores_penalties": True, **changes}
        return replace(self, card=replace(card, bound=card.bound or self.card.bound), **own)

    def penalties_known(self, penalties: FloatArray) -> FloatArray:
        """Return the penalty rates that the rule is played with: the given ones, or zeros (K,)."""
        return np.zeros(penalties.shape[-1]) if self.ignores_penalties else penalties

    def published_tuning(self, n_arms: int, horizon: int) -> float | None:
        """Return the tuning of Setting 1; None where there is none to choose."""
        rule = None if self.tuning is None else self.tuning.regret
        return None if rule is None else rule(n_arms, horizon)

    def check_tuning(self, tuning: float | None) -> float:
        """Return the tuning as the engine takes it; raise BanditError if it is wrong."""
        if self.tuning is None:
            if tuning is not None:
                raise BanditError(f"policy {self.id} has no tuning, but got {tuning!r:.80}")
            return 0.0
        if tuning is None:
            its = f"{self.tuning.symbol}{self.tuning.meaning}"
            raise BanditError(f"policy {self.id} needs its tuning parameter {its}")
        name = f"{self.tuning.symbol} of policy {self.id}"
        value = at_least_0(name, tuning)
        return float(whole(name, tuning, 1)) if self.commits else value

    def exploration_for(self, noise: float) -> float:
        """Return the constant c for rewards that are ``noise``-sub-Gaussian."""
        return self.exploration(noise) if callable(self.exploration) else self.exploration

    def scheduled_rounds(self, n_arms: int, tuning: float) -> int:
        """Count the rounds at the start that pull the arms in turn."""
        return n_arms * int(tuning if self.commits else self.first_pulls)
