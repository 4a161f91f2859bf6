"""Evidence: the replicates that claims are measured on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.errors import ClaimError, NotMeasuredError
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.experiments.catalogue import experiment as experiment_of
from penalized_bandits.storage.replicates import Outcome, read_metadata, read_replicates


def penalties_of(outcome: Outcome) -> FloatArray:
    """Return A of each replicate, shape (R, K), of an outcome that has penalty rates."""
    assert outcome.penalties is not None  # noqa: S101
    return outcome.penalties


def _some(outcome: Outcome, kept: IntArray) -> Outcome:
    """Return some replicates of an outcome: copies, as views would keep all in memory."""
    return replace(
        outcome,
        pulls=outcome.pulls[kept],
        max_deficit=outcome.max_deficit[kept],
        means=outcome.means[kept],
        fairness=outcome.fairness.copy(),
        penalties=None if outcome.penalties is None else outcome.penalties[kept],
    )


def first_replicates(outcome: Outcome, number: int) -> Outcome:
    """Return the first replicates of an outcome, as a smaller run would have them."""
    return outcome if number >= len(outcome.pulls) else _some(outcome, np.arange(number))


def without_group(outcome: Outcome, group: int, groups: int) -> Outcome:
    """Leave one of several groups of replicates out; a single replicate stays."""
    n = len(outcome.pulls)
    return outcome if n == 1 else _some(outcome, np.flatnonzero(np.arange(n) % groups != group))


def grouped(outcomes: Iterable[Outcome], key: Callable[[Outcome], Any]) -> dict[Any, list[Outcome]]:
    """Return outcomes by a key, in order."""
    groups: dict[Any, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return groups


def in_place_of(default: Iterable[Outcome], alternative: Iterable[Outcome]) -> list[Outcome]:
    """Return the default's outcomes, the same runs replaced by those of an alternative reading.

    Cases and policies without an alternative outcome stay as they are.  Raises ClaimError if the
    default has no outcome of a case and policy of ``alternative``.
    """
    both = (default, alternative)
    places, new = (grouped(outcomes, lambda o: (o.case, o.policy)) for outcomes in both)
    unknown = [key for key in new if key not in places]
    if unknown:
        raise ClaimError(f"{unknown} were simulated under an alternative reading alone")
    return list(chain.from_iterable((places | new).values()))


class Evidence:
    """Replicates of some experiments, read when first asked for.

    ``sections`` has each experiment's section of the config, ``replicates`` its tables, in order;
    ``limit`` is how many replicates to look at, by experiment where they differ.
    """

    level: float = 0.05
    """Of all tests of a claim together; a confirmation divides it between its seeds."""
    resamples: int = 999
    """Of the longer bootstraps; few where a group is left out, as only estimates count there."""

    def __init__(
        self,
        sections: Mapping[str, Mapping[str, Any]],
        replicates: Mapping[str, Sequence[Path | str]],
        limit: int | Mapping[str, int] | None = None,
    ) -> None:
        self._sections = {
            name: experiment_of(name).section.model_validate(dict(values))
            for name, values in sections.items()
        }
        self._paths = dict(replicates)
        self._limit = limit
        self._outcomes: dict[str, list[Outcome]] = {}
        self._load: Callable[[str], list[Outcome]] = self._read

    def confidence(self, tests: int) -> float:
        """Return the confidence of each of several intervals, by Bonferroni's correction."""
        return 1 - self.level / tests

    def with_alternative(self, alternative: Mapping[str, Iterable[Outcome]]) -> "Evidence":
        """Return the evidence with outcomes under an alternative reading, on as many replicates."""
        changed = copy(self)
        changed._outcomes = self._outcomes | {
            name: in_place_of(self.outcomes(name), outcomes)
            for name, outcomes in alternative.items()
        }
        return changed

    def without(self, group: int, groups: int) -> "Evidence":
        """Return the evidence without replicates whose number is ``group`` modulo ``groups``."""
        rest = copy(self)
        rest._outcomes = {}
        rest.resamples = 2
        rest._load = lambda name: [without_group(o, group, groups) for o in self.outcomes(name)]
        return rest

    @property
    def experiments(self) -> list[str]:
        """Ids of the experiments that the config has sections for."""
        return list(self._sections)

    def section(self, experiment: str) -> Any:
        """Return an experiment's section of the config."""
        if experiment not in self._sections:
            known = ", ".join(self._sections)
            raise ClaimError(f"no evidence from {experiment}: there is some from {known}")
        return self._sections[experiment]

    def _tables(self, experiment: str) -> Sequence[Path | str]:
        paths = self._paths.get(experiment)
        if not paths:
            raise ClaimError(f"no tables of replicates of {experiment} were given")
        return paths

    def seed(self, experiment: str) -> int:
        """Return the master seed of an experiment's replicates."""
        return read_metadata(self._tables(experiment)[0])["seed"]

    def _read(self, experiment: str) -> list[Outcome]:
        limit = self._limit[experiment] if isinstance(self._limit, Mapping) else self._limit
        found = read_replicates(self._tables(experiment))
        return list(found) if limit is None else [first_replicates(o, limit) for o in found]

    def outcomes(
        self,
        experiment: str,
        *,
        case: str | None = None,
        policy: str | None = None,
        horizon: int | None = None,
    ) -> list[Outcome]:
        """Return an experiment's outcomes, in order; those of a case, policy or horizon.

        Where there are none, raises NotMeasuredError if the policy is not to run, else ClaimError.
        """
        if experiment not in self._outcomes:
            self._outcomes[experiment] = self._load(experiment)
        found = [
            outcome
            for outcome in self._outcomes[experiment]
            if case in (None, outcome.case)
            and policy in (None, outcome.policy)
            and horizon in (None, outcome.horizon)
        ]
        if not found:
            section = self._sections.get(experiment)
            if section is not None and policy is not None and policy not in section.policies:
                raise NotMeasuredError(f"{experiment} has no policy {policy}")
            wanted = f"case {case}, policy {policy}, horizon {horizon}"
            raise ClaimError(f"{experiment} has no outcome of {wanted}")
        return found

    def outcome(self, experiment: str, case: str, policy: str, horizon: int) -> Outcome:
        """Return the one outcome of a case, policy and horizon (the first of its tunings)."""
        return self.outcomes(experiment, case=case, policy=policy, horizon=horizon)[0]

    def cases(self, experiment: str) -> list[str]:
        """Return the cases of an experiment, in order."""
        return list(dict.fromkeys(outcome.case for outcome in self.outcomes(experiment)))

    def bandits(self, experiment: str, case: str) -> Instance:
        """Return the bandits of a case, with their reward law.

        Means and rates have shape (R, K), or (1, K) where all replicates have the same bandit:
        divergences of many movies take time.
        """
        first = self.outcomes(experiment, case=case)[0]
        means, penalties = first.means, penalties_of(first)
        if (means == means[0]).all() and (penalties == penalties[0]).all():
            means, penalties = means[:1], penalties[:1]
        return Instance(means, first.fairness, penalties, first.info.rewards)
