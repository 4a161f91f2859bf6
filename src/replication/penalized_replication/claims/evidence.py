"""Evidence: the replicates that claims are measured on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from penalized_replication.common.errors import ClaimError, NotMeasuredError
from penalized_replication.experiments.catalogue import experiment as experiment_of
from penalized_replication.storage.replicates import Outcome, read_metadata, read_replicates


def grouped(outcomes: Iterable[Outcome], key: Callable[[Outcome], Any]) -> dict[Any, list[Outcome]]:
    """Return outcomes by a key, in order."""
    groups: dict[Any, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return groups


class Evidence:
    """Replicates of some experiments, read when first asked for.

    ``sections`` has each experiment's section of the config, ``replicates`` its tables, in order.
    """

    level: float = 0.05
    """Of all tests of a claim together; a confirmation divides it between its seeds."""

    def __init__(
        self,
        sections: Mapping[str, Mapping[str, Any]],
        replicates: Mapping[str, Sequence[Path | str]],
    ) -> None:
        self._sections = {
            name: experiment_of(name).section.model_validate(dict(values))
            for name, values in sections.items()
        }
        self._paths = dict(replicates)
        self._outcomes: dict[str, list[Outcome]] = {}

    def confidence(self, tests: int) -> float:
        """Return the confidence of each of several intervals, by Bonferroni's correction."""
        return 1 - self.level / tests

    def section(self, experiment: str) -> Any:
        """Return an experiment's section of the config."""
        return self._sections[experiment]

    def seed(self, experiment: str) -> int:
        """Return the master seed of an experiment's replicates."""
        return read_metadata(self._paths[experiment][0])["seed"]

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
            self._outcomes[experiment] = [*read_replicates(self._paths[experiment])]
        found = [
            outcome
            for outcome in self._outcomes[experiment]
            if case in (None, outcome.case)
            and policy in (None, outcome.policy)
            and horizon in (None, outcome.horizon)
        ]
        if not found:
            if policy is not None and policy not in self.section(experiment).policies:
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
