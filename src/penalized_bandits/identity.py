"""What results are made with, in a few hashes: config, seed and code.

They stand in each result's origin (`penalized_bandits.origins`).  As parameters of the
workflow's rules they make results stale whatever the clock says: times of files lie after a
clock was set back, hashes do not.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from penalized_bandits import provenance
from penalized_bandits.catalogue import experiment as experiment_of
from penalized_bandits.origins import digest_of
from penalized_bandits.policies import get_policy
from penalized_bandits.policies.seen import fingerprint

if TYPE_CHECKING:
    from penalized_bandits.config import BaseConfig


def hash_of(values: Any) -> str:
    """Return the SHA-256 of values as JSON, the same whatever the order of their keys."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Identity:
    """What the results of one config and one state of the code are made with."""

    def __init__(self, config: "BaseConfig") -> None:
        self._config = config
        self._values = config.model_dump(mode="json")
        self._digests: dict[tuple[str, ...], str] = {}
        self._files: dict[str, list[str]] = {}
        self._known: dict[str, str] = {}

    def _digest(self, files: Iterable[str]) -> str:
        key = tuple(sorted(set(files)))
        if key not in self._digests:
            self._digests[key] = digest_of(key)
        return self._digests[key]

    def _code(self, experiment: str) -> list[str]:
        """Return the files behind an experiment's replicates."""
        if experiment not in self._files:
            known = experiment_of(experiment)
            files = provenance.simulation_code(known, self._config.section(experiment))
            files += provenance.ratings_code() if known.needs_ratings else []
            self._files[experiment] = files
        return self._files[experiment]

    def _section(self, experiment: str) -> Any:
        """Return the section of an experiment, as values."""
        return self._values.get(experiment) or self._values["extended"][experiment]

    def _settings(self, experiment: str, **changes: Any) -> dict[str, Any]:
        """Return the config behind an experiment's replicates, some readings changed."""
        readings = self._values["readings"] | changes.pop("readings", {})
        # Two policies of one module of the user's have the same code.
        taking_part = getattr(self._config.section(experiment), "policies", [])
        own = {
            policy: [spec, fingerprint(get_policy(policy), f"policy {policy}")]
            for policy, spec in self._values["policies"].items()
            if policy in taking_part
        }
        return {
            **({"policies": own} if own else {}),
            "seed": self._config.seed,
            "readings": {name: readings[name] for name in experiment_of(experiment).readings},
            "section": self._section(experiment),
            **changes,
        }

    def of(self, experiment: str, **changes: Any) -> str:
        """Return what identifies an experiment's replicates: config, seed and code.

        ``changes`` are those of the sensitivity: readings and replicates.
        """
        key = f"{experiment} {changes}"
        if key not in self._known:
            settings = self._settings(experiment, **changes)
            self._known[key] = hash_of({**settings, "code": self._digest(self._code(experiment))})
        return self._known[key]

    def origin(
        self,
        code: Iterable[str],
        experiments: Iterable[str] = (),
        flipped: Mapping[str, Mapping[str, Any]] | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Return what a result is made with.

        Parameters
        ----------
        code
            The package files behind it, beside those of the experiments.
        experiments
            Settings and studies that it stands on.
        flipped
            For each reading that was flipped, the changes to each experiment, as in `of`.
        more
            Other keys of the config that it depends on.

        Returns
        -------
        dict
            ``seed``, None where nothing is drawn; SHA-256 of the ``config`` and of the ``code``
            behind it; and for each of the ``experiments`` what identifies it.
        """
        names = list(dict.fromkeys(experiments))
        changed = {
            f"{name} with {reading} flipped": (name, changes)
            for reading, by_name in (flipped or {}).items()
            for name, changes in by_name.items()
        }
        files = set(code).union(*(self._code(name) for name in names))
        files = files.union(*(self._code(name) for name, _ in changed.values()))
        settings: dict[str, Any] = {name: self._settings(name) for name in names}
        settings |= {key: self._settings(name, **new) for key, (name, new) in changed.items()}
        identities = {name: self.of(name) for name in names}
        identities |= {key: self.of(name, **new) for key, (name, new) in changed.items()}
        # Ratings are not drawn: another seed must not have them read again.
        seed = {"seed": self._config.seed if identities else None}
        return {
            **seed,
            "config": hash_of({**seed, **settings, **more}),
            "code": self._digest(files),
            "experiments": identities,
        }
