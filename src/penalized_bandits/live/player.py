"""A policy that chooses arms for a real system and learns from what it answers."""

import threading
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.errors import LARGEST, BanditError, whole, within
from penalized_bandits.engine.play import Play
from penalized_bandits.engine.unit_rewards import check_range
from penalized_bandits.live import _state as state
from penalized_bandits.policies import Policy, get_policy


class Player:
    """A policy at play with the world: :meth:`choose` an arm, :meth:`update` it with rewards.

    A choice counts at once, in the round n and as a pull N_k, for fairness levels and queues are
    about pulls.  A reward counts when it comes: means and exploration radius are those of the
    rewards seen.  So rewards may come late, in batches and in any order, and some may never come.
    Whether one comes must not depend on what it is: a reward of 0 is to be reported as well.
    Which of an arm's choices it is of makes no difference.  After its first rounds a policy that
    needs a reward of each arm waits for them: meanwhile the arm with the largest tau_k n - N_k is
    pulled, so that floors are kept.

    If each reward comes before the next choice, the arms are those of
    :func:`penalized_bandits.engine.oracle.trace` on the same rewards, and so those of
    :func:`penalized_bandits.simulate`.

    Threads may share a player: a lock makes one call wait for another.  Processes may not; they
    can hand over its :meth:`state`.

    Parameters
    ----------
    policy
        An id of ``POLICIES``, ``my_module:policy`` or a Policy.
    fairness
        Fairness fractions tau, shape (K,) or one number; each >= 0, their sum at most 1.
    penalties
        Penalty rates A in the unit of the rewards, each >= 0, shape (K,) or one number.  One of
        the two has to be a list: it gives the number K of arms.
    tuning
        The policy's own parameter, where it has one.
    noise
        Sigma such that rewards are sigma-sub-Gaussian, for policies that know it; 1/2 is
        right for all rewards in [0, 1].
    seed
        Master seed of the policy's own random numbers, where it draws any: the same seed, the
        same arms.
    log_of
        Whether the exploration radius has log n or log(n - 1) (reading R1).

    Raises
    ------
    BanditError
        If a parameter makes no sense.
    """

    def __init__(
        self,
        policy: str | Policy,
        fairness: ArrayLike,
        penalties: ArrayLike,
        *,
        tuning: float | None = None,
        noise: float = 0.5,
        seed: int = 0,
        log_of: Literal["n", "n-1"] = "n",
    ) -> None:
        rule = get_policy(policy)
        tau, rates = numbers("fairness", fairness), numbers("penalties", penalties)
        sizes = [values.size for values in (tau, rates) if values.ndim == 1]
        if not sizes or rates.ndim > 1:
            raise BanditError(
                f"fairness and penalties have shapes {tau.shape} and {rates.shape}: they must be "
                "(K,) or one number, and not both one number"
            )
        # Means are what a player does not know: any will do to check the rest.
        bandit = Instance(np.zeros(sizes[0]), tau, rates, Deterministic())
        if not within(noise, 0, LARGEST):
            raise BanditError(f"noise is {noise}: it must be finite, >= 0 and at most {LARGEST:g}")
        if log_of not in ("n", "n-1"):
            raise BanditError(f"log_of is {log_of!r}: it must be 'n' or 'n-1'")
        value = rule.check_tuning(tuning)
        exploration = rule.exploration_for(float(noise))
        self._given = state.Given(
            tuning=None if tuning is None else value,
            noise=float(noise),
            seed=whole("seed", seed, 0),
            log_of=log_of,
        )
        self._play = Play(
            rule,
            bandit.fairness.tolist(),
            bandit.penalties.tolist(),
            tuning=value,
            exploration=exploration,
            noise=_noise_of(rule, exploration, self._given.seed),
            log_of=log_of,
        )
        self._lock = threading.RLock()

    @property
    def rounds(self) -> int:
        """Number of choices so far."""
        with self._lock:
            return self._play.rounds

    @property
    def pulls(self) -> list[int]:
        """Number of choices of each arm, shape (K,)."""
        with self._lock:
            return list(self._play.pulls)

    @property
    def outstanding(self) -> list[int]:
        """Number of choices of each arm without a reward yet, shape (K,)."""
        with self._lock:
            play = self._play
            return [play.pulls[k] - play.observed[k] - len(play.waiting[k]) for k in play.arms]

    def choose(self) -> int:
        """Choose the arm of the next round, from 0.

        Raises
        ------
        BanditError
            If the policy names no arm; the round is then not played.
        """
        with self._lock:
            play = self._play
            # What a policy with a memory is shown and keeps changes before it answers.
            names = ("observed", "sums", "waiting", "memory") if play.policy.memory else ()
            kept = {name: deepcopy(getattr(play, name)) for name in names}
            try:
                arm = play.choose()
                play.pulled(arm)
            except BaseException:
                vars(play).update(kept)
                raise
            return arm

    def update(self, arm: ArrayLike, reward: ArrayLike) -> None:
        """Report the reward of a choice, or of many at once: all are taken, or none.

        Parameters
        ----------
        arm
            The arm that was chosen, from 0; or a list of them.
        reward
            Its reward; or a list, one for each arm.

        Raises
        ------
        BanditError
            If there is no such arm, none of its choices waits for a reward, a reward is no finite
            number or above 10^12 in size, or outside [0, 1] for a policy that needs it there, or
            the lists differ in length.
        """
        several = _length(arm), _length(reward)
        if several[0] != several[1]:
            kinds = ["one number" if n is None else f"a list of {n}" for n in several]
            raise BanditError(f"arm is {kinds[0]} and reward {kinds[1]}: each reward needs its arm")
        batch = several[0] is not None
        pairs: list[tuple[Any, Any]]
        pairs = list(zip(arm, reward, strict=True)) if batch else [(arm, reward)]  # type: ignore[arg-type]
        with self._lock:
            due = self.outstanding
            taken: list[tuple[int, float]] = []
            for i, (k, value) in enumerate(pairs):
                place = f"[{i}]" if batch else ""
                k = whole(f"arm{place}", k, 0, len(due) - 1)
                if due[k] == 0:
                    raise BanditError(
                        f"arm{place} is {k}, but no choice of it waits for a reward: it was "
                        f"chosen {self._play.pulls[k]} times"
                    )
                if np.ndim(value) or not within(value, -LARGEST, LARGEST):
                    raise BanditError(
                        f"reward{place} is {value!r}: it must be a finite number, at most "
                        f"{LARGEST:g} in size"
                    )
                check_range(self._play.policy, f"reward{place}", float(value))
                due[k] -= 1
                taken.append((k, float(value)))
            for k, value in taken:
                self._play.rewarded(k, value)

    def state(self) -> str:
        """Return all that the player knows as JSON, exact to the last bit."""
        with self._lock:
            return state.written(self._play, self._given)

    @classmethod
    def from_state(cls, text: str, policy: str | Policy | None = None) -> "Player":
        """Return a player with a saved state; it continues as the saved one would.

        Parameters
        ----------
        text
            What :meth:`state` returned.
        policy
            The policy; by default the one of the package with the id in the state.

        Raises
        ------
        BanditError
            If the text is no state, one of another format or policy, or its numbers do not
            fit together.
        """
        found = state.parsed(text)
        rule = get_policy(found.policy if policy is None else policy)
        if rule.id != found.policy:
            raise BanditError(f"the state is of policy {found.policy}, not of {rule.id}")
        given = vars(found.given)
        player = cls(rule, found.numbers("fairness"), found.numbers("penalties"), **given)
        state.restore(player._play, found)
        return player


def _length(values: object) -> int | None:
    """Return the length of a list, None of what is none."""
    try:
        return None if isinstance(values, str) else len(values)  # type: ignore[arg-type]
    except TypeError:
        return None


def _noise_of(policy: Policy, exploration: float, seed: int) -> Callable[[int, int], float]:
    """Return a function of (arm, round) that draws the policy's own number, as in replicate 0."""
    if not policy.draws:
        return lambda arm, n: 0.0  # noqa: ARG005
    # Drawing needs numba, which takes longer to import than all the rest.
    from penalized_bandits.engine.oracle import noise_of

    return noise_of(policy, exploration, 0, seed, ())
