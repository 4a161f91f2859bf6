"""Bandits of the sharp studies along the horizon, and the term that carries the constant.

With N the arms of Delta_k > A_k, regret is sum over N of (Delta_k - A_k) N_k(T) and a rest that
stays bounded (theorem A, part 4).  The first sum, here the leading term, grows like log T.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence
from penalized_bandits.claims.evidence import Bandit, Evidence, penalties_of
from penalized_bandits.claims.measures.fluid_law import Track
from penalized_bandits.common.errors import NotMeasuredError
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.experiments.base import case_of
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.exploration import Exploration, exploration_of
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import log_constant

STUDIES = ("sharp_short", "sharp_long", "sharp_kl")
SETTLED = 30_000
"""Laws are held against runs from here on: before, non-critical arms have their fairness level."""
LATE = 100_000
"""What holds from some round on is looked at from here on."""
TIED = 1e-12
"""Margins up to this are none."""


SETTLED_IF = "√(2 log T/(τ_k T)) ≤ |A_k − Δ_k| for every arm of A_k ≠ Δ_k"
"""When a course has settled, in the words of a rule (`Course.settled`)."""


@dataclass(frozen=True, eq=False)
class Course:
    """One policy on one bandit at increasing horizons, each on random numbers of its own."""

    policy: str
    instance: str
    law: RewardFamily
    outcomes: tuple[Outcome, ...]
    earlier: tuple[Outcome, ...] = ()
    """The longest runs themselves, after fewer rounds."""

    @property
    def name(self) -> str:
        """Policy and bandit."""
        return f"{self.policy} {self.instance}"

    @property
    def means(self) -> FloatArray:
        """Mu, shape (K,)."""
        return self.outcomes[0].means[0]

    @property
    def fairness(self) -> FloatArray:
        """Tau, shape (K,)."""
        return self.outcomes[0].fairness

    @property
    def penalties(self) -> FloatArray:
        """A, shape (K,)."""
        return penalties_of(self.outcomes[0])[0]

    @property
    def bandit(self) -> Bandit:
        """Mu, tau and A."""
        return self.means, self.fairness, self.penalties

    @property
    def margins(self) -> FloatArray:
        """Delta - A of the non-critical arms, 0 of all others, shape (K,)."""
        return np.maximum(gaps(self.means) - self.penalties, 0.0)

    @property
    def served(self) -> BoolArray:
        """Arms with A > Delta, which are owed their level, shape (K,)."""
        return self.penalties > gaps(self.means)

    @property
    def horizons(self) -> FloatArray:
        """T, shape (m,)."""
        return np.array([one.horizon for one in self.outcomes], dtype=np.float64)

    @property
    def exploration(self) -> Exploration:
        """How the policy explores."""
        rule = exploration_of(self.policy, self.law.noise)
        assert rule is not None  # noqa: S101
        return rule

    @property
    def limit(self) -> float:
        """What the leading term over log T tends to under the prediction."""
        return float(log_constant(instance_of(*self.bandit), self.exploration))

    def since(self, first: int) -> "Course":
        """Return the course from a horizon on.

        Raises NotMeasuredError if there is none so large.
        """
        late = tuple(one for one in self.outcomes if one.horizon >= first)
        if not late:
            raise NotMeasuredError(f"no horizon of {self.instance} is as large as {first}")
        return replace(self, outcomes=late)

    def _settled(self, horizon: int) -> bool:
        """Say whether the published radius of each arm at its level is within |A - Delta|."""
        margin = np.abs(self.penalties - gaps(self.means))
        some = margin > TIED
        level = self.fairness[some] * margin[some] ** 2 * horizon
        return bool((2 * np.log(horizon) <= level).all())

    def settled(self, first: int) -> "Course | None":
        """Return the settled horizons from a given one on; None if there are none."""
        late = [o for o in self.outcomes if o.horizon >= first and self._settled(o.horizon)]
        return replace(self, outcomes=tuple(late)) if late else None

    def ends(self) -> tuple[Outcome, Outcome] | None:
        """Return the longest runs when they had settled, and at their end; None without the two."""
        early = [one for one in self.earlier if self._settled(one.horizon)]
        return (early[0], self.outcomes[-1]) if early else None

    def leading(self, one: Outcome) -> FloatArray:
        """Return the leading term of each replicate, (R,)."""
        return one.pulls @ self.margins

    def predicted(self, horizon: float) -> float:
        """Return the fluid prediction of the leading term."""
        return float(
            predicted_pulls(instance_of(*self.bandit), horizon, rule=self.exploration)
            @ self.margins
        )

    def track(self) -> Track:
        """Return the leading term with its prediction."""
        wanted = [np.full(1, self.predicted(t)) for t in self.horizons]
        return Track(self.name, self.horizons, [*map(self.leading, self.outcomes)], wanted)


def courses(evidence: Evidence, policies: Sequence[str]) -> list[Course]:
    """Return the courses of some policies on every bandit on which they were simulated.

    Raises NotMeasuredError if there are none.
    """
    assert isinstance(evidence, ExtendedEvidence)  # noqa: S101
    found: dict[tuple[str, str], list[Outcome]] = {}
    laws: dict[tuple[str, str], RewardFamily] = {}
    for study in STUDIES:
        for policy in policies:
            if policy not in evidence.section(study).policies:
                continue
            for one in evidence.outcomes(study, policy=policy):
                key = policy, one.case.rpartition("_T")[0]
                found.setdefault(key, []).append(one)
                laws[key] = evidence.laws.of(study, one.case)
    if not found:
        raise NotMeasuredError(f"no study has the policies {', '.join(policies)}")
    made: list[Course] = []
    for key, runs in found.items():
        runs.sort(key=lambda one: one.horizon)
        ends = [one for one in runs if one.case == case_of(key[1], one.horizon)]
        earlier = [one for one in runs if one.case == ends[-1].case][:-1]
        made.append(Course(*key, laws[key], tuple(ends), tuple(earlier)))
    return made
