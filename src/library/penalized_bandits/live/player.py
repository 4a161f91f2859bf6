"""A policy that chooses arms for a real system and learns from what it answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, overload

from numpy.typing import ArrayLike

from penalized_bandits.common.errors import LARGEST, MOST_ROUNDS, BanditError, at_least_0, whole
from penalized_bandits.common.files import digest
from penalized_bandits.engine.noise import noise_of
from penalized_bandits.engine.play import Accrual, Play
from penalized_bandits.live import _state as state
from penalized_bandits.live._arms import Catalogue
from penalized_bandits.live._checks import arms_in, bandit_of, length, listed, number_of, reward_of
from penalized_bandits.live._events import Taken, alone
from penalized_bandits.live.choice import MOST_DRAWS, Choice, now, warn_of_silence
from penalized_bandits.policies import POLICIES, Policy, get_policy


class Player(Catalogue):
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

    A choice, or whatever changes the player, happens whole or not at all, in the player and in its
    journal, whatever exception comes in the middle.  Threads may share a player: a lock makes one
    call wait for another.  Processes may not: forks, copies and pickles go on alone, with ids of
    their own; a fork of a player with a journal refuses events.  A process can hand over the
    player's :meth:`state`, and :meth:`save` does not overwrite that of another process.

    Arms may be missing in a round (``available``) and come and go (:meth:`add_arm`,
    :meth:`retire_arm`): the policy plays those that are there.  ``accrual`` declares the floor of
    an arm that sleeps: tau_k of all choices, so that it makes up for what it missed, as in LFG
    (``"always"``), or of the choices made while it was there (``"available"``).  Policies that draw
    their floors (``thompson_floors``, ``revenue_floors``) never make up; ``pond``, ``banditq`` and
    ``moss_due_first`` refuse sleeping arms, as what they keep is about all arms together.

    Ceilings are shares of the same choices as floors: ``"always"`` of all, so that an arm that
    slept may be chosen more often later, or of those made while it was there.  Where all arms that
    are there are at hard caps, the one with the least excess N_k - c_k n is chosen all the same.
    Policies that know floors alone refuse ceilings.

    Parameters
    ----------
    policy
        An id of ``POLICIES``, ``my_module:policy`` or a Policy.
    fairness
        Fairness fractions tau, shape (K,) or one number; each >= 0, their sum at most 1.
    penalties
        Penalty rates A in the unit of the rewards, each >= 0, shape (K,) or one number.  One of
        the two has to be a list: it gives the number K of arms.
    ceilings
        Largest shares c of the choices, at least tau and at most 1, shape (K,) or one number.
    excess_penalties
        Rates B of choices above the ceiling, each >= 0; infinite for a hard cap.
    tuning
        The policy's own parameter, where it has one.
    noise
        Sigma such that rewards are sigma-sub-Gaussian, for policies that know it; 1/2 is
        right for all rewards in [0, 1].
    seed
        Master seed of the policy's own random numbers, where it draws any: the same seed, the
        same arms.
    log_of
        Whether the exploration radius has log n or log(n - 1) (interpretation R1).
    accrual
        Whether the floor of a sleeping arm grows ``"always"`` or only while it is ``"available"``.
    patience
        Choices of an arm without any reward of it after which a LateRewardsWarning is given.  An
        arm that had none yet then gets its floor alone, once other arms have rewards.  A player
        made from a state counts them anew.
    names
        Names of the arms, shape (K,), texts: methods take them in place of numbers.
    remembered
        Newest choices of an arm without a reward whose ids are known: each takes up to 150 bytes.

    Raises
    ------
    BanditError
        If a parameter makes no sense.

    Examples
    --------
    >>> player = Player("hard_threshold_ucb", fairness=[0.2, 0.2], penalties=1.0)
    >>> player.update(player.choose(), 0.5)
    >>> player.choose(available=[0]), player.rounds
    (0, 2)
    >>> player.means, player.intervals().round(2).tolist(), player.best()
    (array([0.5, nan]), [[0.01, 0.99], [0.0, 1.0]], [0, 1])
    >>> Player.from_state(player.state()).pulls
    [2, 0]
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     player.save(f"{folder}/player.json")
    ...     Player.load(f"{folder}/player.json").outstanding
    [1, 0]
    >>> player.retire_arm(1, fairness=0.2)
    """

    def __init__(
        self,
        policy: str | Policy,
        fairness: ArrayLike,
        penalties: ArrayLike,
        *,
        ceilings: ArrayLike = 1.0,
        excess_penalties: ArrayLike = 0.0,
        tuning: float | None = None,
        noise: float = 0.5,
        seed: int = 0,
        log_of: Literal["n", "n-1"] = "n",
        accrual: Accrual = "always",
        patience: int = 1000,
        names: Sequence[str] | None = None,
        remembered: int = 100_000,
    ) -> None:
        rule = get_policy(policy)
        bandit = bandit_of(rule, fairness, penalties, ceilings, excess_penalties)
        noise = at_least_0("noise", noise)
        value = rule.check_tuning(tuning)
        exploration = rule.exploration_for(noise)
        given: dict[str, Any] = {
            "tuning": None if tuning is None else value,
            "noise": noise,
            "seed": whole("seed", seed, 0),
            "log_of": log_of,
            "accrual": accrual,
            "patience": whole("patience", patience, 1),
            "remembered": whole("remembered", remembered, 1),
        }
        play = Play(
            rule,
            bandit,
            tuning=value,
            exploration=exploration,
            noise=noise_of(rule, exploration, 0, given["seed"], ()),
            log_of=log_of,
            accrual=accrual,
            patience=given["patience"],
            compiles=True,
        )
        super().__init__(play, names, given)
        self._other_noise = noise_of(rule, exploration, 0, given["seed"], ("probability",))
        self._origin: str | None = None
        self._files: dict[Path, str] = {}

    @overload
    def choose(self, *, available: ArrayLike | None = None, draws: int = 0) -> Choice: ...

    @overload
    def choose(
        self, n: int, *, available: ArrayLike | None = None, repeat: bool = True, draws: int = 0
    ) -> list[Choice]: ...

    @alone
    def choose(
        self,
        n: int | None = None,
        *,
        available: ArrayLike | None = None,
        repeat: bool = True,
        draws: int = 0,
    ) -> Choice | list[Choice]:
        """Choose the arm of the next round, from 0, or the arms of a batch.

        Parameters
        ----------
        n
            Slots of a batch; by default one choice, which is no batch.  Each slot is a round, so
            floors hold within the batch; rewards of the batch may come in any order.
        available
            Arms that are there: a list of numbers or names, or truth values of shape (K,).  By
            default, all; retired arms are left out.
        repeat
            Whether an arm may come twice in the batch.  If not, the batch is shorter than n if
            fewer arms are there, and LFG and TSCSF-B pull the arms of the n largest indices.
        draws
            Monte Carlo draws D behind ``Choice.probability``, for policies that draw: the choice is
            made again with D other samples, and (1 + hits) / (1 + D) is its probability p, with
            standard error sqrt(p (1 - p) / D) or so.  Each draw takes as long as a choice.

        Raises
        ------
        BanditError
            If a parameter makes no sense, or the policy names no arm or cannot play some arms
            alone; no round is then played.
        """
        slots = 1 if n is None else whole("n", n, 1, MOST_ROUNDS)
        draws = draws and whole("draws", draws, 0, MOST_DRAWS)
        there = None if available is None else arms_in(self._play, available, self._numbers)
        if self._play.silent:
            warn_of_silence(self._play)
        issued = self._do(self._choose, slots, there, bool(repeat), now(), draws)
        names = [*self._numbers]
        for choice in issued if names else ():
            choice.name = names[choice]
        return issued[0] if n is None else issued

    @alone
    def update(self, arm: ArrayLike, reward: ArrayLike) -> None:
        """Report the reward of a choice, or of many at once: all are taken, or none.

        Parameters
        ----------
        arm
            What :meth:`choose` returned or its id, whose reward is taken once; or the number, from
            0, or name of the arm that was chosen; or a list of them.
        reward
            Its reward; or a list, one for each arm.

        Raises
        ------
        BanditError
            If there is no such arm, the choice waits for no reward, a reward is no finite
            number or above 10^12 in size, or outside [0, 1] for a policy that needs it there, or
            the lists differ in length.
        RepeatedRewardError
            Of these, if the choice, known by its id, has a reward.
        """
        single = isinstance(arm, (int, str)) and isinstance(reward, (int, float))
        sizes = (None, None) if single else (length(arm), length(reward))
        if sizes[0] != sizes[1]:
            kinds = ["one number" if n is None else f"a list of {n}" for n in sizes]
            text = f"arm is {kinds[0]} and reward {kinds[1]}"
            raise BanditError(f"{text}: each reward needs its arm")
        pairs: Any = [(arm, reward)]
        if batch := sizes[0] is not None:
            pairs = [*zip(listed(arm), listed(reward), strict=True)]
        due: dict[int, int] = {}
        used: set[int] = set()
        taken: list[Taken] = []
        bounded = self._play.policy.needs_unit_rewards
        for i, (choice, value) in enumerate(pairs):
            place, number = f"[{i}]" if batch else "", None
            key = choice.id if isinstance(choice, Choice) else choice
            if not batch and key is not choice and self._choices.waits(choice):
                k, number = int(choice), choice.number
            elif isinstance(key, str) and key not in self._numbers:
                k, number = self._choices.of_id(f"arm{place}", key, self._play.rounds, used)
                used.add(number)
            else:
                k = number_of(self._play, f"arm{place}", choice, self._numbers)
            if batch or number is None:  # one that is known by its id is waited for
                due[k] = (due[k] if k in due else self._due(k)) - 1
                if due[k] < 0:
                    why = f"no choice of it waits for a reward: it was chosen {self._play.pulls[k]}"
                    raise BanditError(f"arm{place} is {k}, but {why} times")
            if type(value) is not float or bounded or not -LARGEST <= value <= LARGEST:
                value = reward_of(self._play, f"reward{place}", value)
            taken.append((k, number, value))
        self._do(self._update, taken)

    @alone
    def state(self) -> str:
        """Return all that the player knows as JSON, exact to the last bit."""
        about = {
            "names": [*self._numbers],
            **self._choices.facts(self._play.rounds),
            **vars(self._tally),
        }
        return state.written(self._play, self._given, about)

    @classmethod
    def from_state(cls, text: str, policy: str | Policy | None = None) -> "Player":
        """Return a player with a saved state; it continues as the saved one would.

        The policy is by default the one of the package with the id in the state.  An own policy
        must be as it was, which is known if Python has the same minor version, or else warned of.

        Raises
        ------
        BanditError
            If the text is no state, one of another format or policy, or was changed.
        """
        facts = state.parsed(text)
        if policy is None and facts["policy"] not in POLICIES:
            raise BanditError(f"the state is of own policy {facts['policy']}: pass it as policy=")
        rule = get_policy(str(facts["policy"]) if policy is None else policy)
        if rule.id != facts["policy"]:
            raise BanditError(f"the state is of policy {facts['policy']}, not of {rule.id}")
        arms = {key: facts[key] for key in state.BY_ARM}
        player = cls(rule, **arms, **facts["given"], names=facts["names"] or None)
        state.restore(player._play, player._tally, facts)
        player._choices.restore(facts, player._play.rounds)
        player._origin = digest(text)
        return player

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle a player by its state; the copy issues ids with another word."""
        return type(self).from_state, (self.state(), self._play.policy)

    @alone
    def save(self, path: Path | str) -> None:
        """Write the state to a file, whole or not at all.

        An existing file is replaced only if it is the one that the player was loaded from, or
        saved to last: what another process has saved since then is not lost.

        Raises
        ------
        BanditError
            If the file is another one.
        WriteError
            If the disk is full, or the file cannot be written.
        """
        file = Path(path).resolve()
        self._files[file] = state.save(file, self.state(), self._files.get(file, self._origin))

    @classmethod
    def load(cls, path: Path | str, policy: str | Policy | None = None) -> "Player":
        """Return a player with the state in a file, as :meth:`from_state` does."""
        return cls.from_state(Path(path).read_text(encoding="utf-8", errors="replace"), policy)
