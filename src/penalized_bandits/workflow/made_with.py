"""What each result is made with, in a few hashes: config, seed and code.

They stand in the result's origin (`penalized_bandits.storage.origins`).  As params of the
workflow's rules they make results stale whatever the clock says: times of files lie after a
clock was set back, hashes do not.
"""

import hashlib
import json
from collections.abc import Container, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from penalized_bandits.claims import TOPICS, experiments_of, switches
from penalized_bandits.config import BaseConfig
from penalized_bandits.datasets.section import DEFAULT_DATASET
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.catalogue import experiment as experiment_of
from penalized_bandits.figures import ALL_FIGURES, EVERY_FIGURE, EXTENDED_FIGURES
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.policies import POLICIES, files_of, get_policy
from penalized_bandits.policies.seen import fingerprint
from penalized_bandits.storage.origins import digest_of
from penalized_bandits.workflow import staleness
from penalized_bandits.workflow.code import (
    ORDER,
    RATINGS,
    code_of,
    comparison_code,
    experiment_code,
    figure_code,
    ledger_code,
    notebook_code,
    sharp_code,
    topic_code,
)
from penalized_bandits.workflow.paths import (
    Files,
    again_files,
    figure_files,
    flipped_files,
    summary_files,
    topic_files,
)

Origin = dict[str, Any]
Changed = Mapping[str, tuple[str, Mapping[str, Any]]]
"""Experiments and what of their config is another, by what they are to be called."""


def hash_of(values: Any) -> str:
    """Return the SHA-256 of values as JSON, the same whatever the order of their keys."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class MadeWith:
    """What the results of one config and one state of the code are made with.

    Each method returns an origin: ``seed``, None where nothing is drawn; SHA-256 of the
    ``config`` and of the ``code`` behind a result; for each of the ``experiments`` that it
    stands on what identifies its replicates; and the ``details``, for readers: values of the
    config, and the beginning of the SHA-256 of each file.
    """

    def __init__(self, config: BaseConfig) -> None:
        self._config = config
        self.config: dict[str, Any] = config.model_dump(mode="json")
        """The config as values, defaults filled in."""
        self._codes: dict[str, set[Path]] = {}
        self._known: dict[str, str] = {}

    def _code(self, experiment: str) -> set[Path]:
        if experiment not in self._codes:
            self._codes[experiment] = experiment_code(self._config, experiment)
        return self._codes[experiment]

    def section(self, experiment: str) -> Any:
        """Return the section of an experiment as values, defaults filled in."""
        beyond = {**(self.config["extended"] or {}), **(self.config["sharp"] or {})}
        return self.config.get(experiment) or beyond[experiment]

    def readings(self, experiment: str) -> dict[str, str]:
        """Return the readings in force that an experiment depends on."""
        return {n: self.config["readings"][n] for n in experiment_of(experiment).readings}

    def _settings(self, experiment: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return the config behind an experiment's replicates, some readings changed."""
        # Two policies of one module of the user's have the same code.
        taking_part = getattr(self._config.section(experiment), "policies", [])
        own = {
            policy: [spec, fingerprint(get_policy(policy), f"policy {policy}")]
            for policy, spec in self.config["policies"].items()
            if policy in taking_part
        }
        return {
            **({"policies": own} if own else {}),
            "seed": self._config.seed,
            "section": self.section(experiment),
            **changes,
            "readings": self.readings(experiment) | changes.get("readings", {}),
        }

    def identity(self, experiment: str, changes: Mapping[str, Any] | None = None) -> str:
        """Return what identifies an experiment's replicates: config, seed and code.

        ``changes`` are those of the sensitivity: readings and replicates.
        """
        key = f"{experiment} {changes}"
        if key not in self._known:
            code = staleness.digest(self._code(experiment))
            self._known[key] = hash_of({**self._settings(experiment, changes or {}), "code": code})
        return self._known[key]

    def _origin(
        self,
        code: Iterable[Path] = (),
        experiments: Iterable[str] = (),
        changed: Changed | None = None,
        **more: Any,
    ) -> Origin:
        """Return an origin of code, experiments, those that are changed, and other keys."""
        behind: Changed = {**{n: (n, {}) for n in experiments}, **(changed or {})}
        files = set(code).union(*(self._code(name) for name, _ in behind.values()))
        # Ratings are not drawn: another seed must not have them read again.
        seed = {"seed": self._config.seed if behind else None}
        settings = {key: self._settings(*which) for key, which in behind.items()}
        return {
            **seed,
            "config": hash_of({**seed, **settings, **more}),
            "code": staleness.digest(files),
            "experiments": {key: self.identity(*which) for key, which in behind.items()},
            "details": {
                "values": self.values(more, *(name for name, _ in behind.values())),
                "files": {k: sha[:12] for k, sha in staleness.contents(files).items()},
            },
        }

    def values(self, keys: Iterable[str], *experiments: str) -> dict[str, Any]:
        """Return the part of the config behind some experiments, with other keys of it."""
        names = dict.fromkeys(experiments)
        readings = {k: v for name in names for k, v in self.readings(name).items()}
        found = {"seed": self._config.seed, "readings": readings} if names else {}
        found |= {name: self.section(name) for name in names}
        others = {**self.config, "movielens": self.ratings_section()}
        return found | {key: others[key] for key in keys}

    def replicates(self, experiment: str) -> Origin:
        """Return what the replicates of an experiment are made with."""
        return self._origin(experiments=[experiment])

    def summary(self, experiment: str) -> Origin:
        """Return what the summary and the frontier of an experiment are made with."""
        return self._origin(code_of("experiments/summaries.py"), [experiment])

    def topic(self, topic: str) -> Origin:
        """Return what the claims of a topic are made with."""
        return self._origin(topic_code(topic), experiments_of(topic))

    def ledger(self) -> Origin:
        """Return what the ledger is made with."""
        return self._origin(ledger_code(), EXPERIMENTS)

    def topic_again(self, topic: str) -> Origin:
        """Return what the claims of a topic with readings flipped are made with."""
        wanted, limits = experiments_of(topic), self.config["sensitivity"]
        code = {*topic_code(topic), *code_of("claims/sensitivity.py")}
        return self._origin(code, wanted, self._flipped(wanted), sensitivity=limits)

    def sensitivity(self, code: Iterable[Path] = ()) -> Origin:
        """Return what claim by reading is made with, or what shows it with the ledger."""
        flipped, limits = self._flipped(EXPERIMENTS), self.config["sensitivity"]
        return self._origin({*ledger_code(), *code}, EXPERIMENTS, flipped, sensitivity=limits)

    def figure(self, figure: str) -> Origin:
        """Return what a figure is made with."""
        code = {*figure_code(figure), *code_of("experiments/summaries.py")}
        if figure in EXTENDED_FIGURES:
            return self._origin({*code, *comparison_code()}, self._config.extensions)
        wanted = EVERY_FIGURE[figure]
        if wanted.claims:
            return self.sensitivity(code)
        code = code.union(*map(topic_code, wanted.topics))
        return self._origin(code, wanted.experiments)

    def notebook(self, notebook: str, source: Path | str) -> Origin:
        """Return what a notebook is made with; ``source`` is its file."""
        code, wanted = notebook_code(Path(source).read_text(encoding="utf-8")), NOTEBOOKS[notebook]
        if any(table.startswith("claims/") for table in wanted.tables):
            return self._origin({*code, *ledger_code()}, EXPERIMENTS)
        return self._origin(code, wanted.replicates)

    def page(self) -> Origin:
        """Return what the reproduction page is made with: everything."""
        return self.sensitivity({*code_of("pages/index.py", ORDER), *self._result_code()})

    def told(self, page: str) -> Origin:
        """Return what ``pages/<page>.py`` makes of the ledger is made with."""
        return self.sensitivity(code_of(f"pages/{page}.py", ORDER))

    def playground(self) -> Origin:
        """Return what the playground is made with: no results, but all bandits and policies."""
        code = code_of("playground/page.py", ORDER, "experiments/beyond/sharp.py")
        return self._origin(code.union(*map(self._code, EXPERIMENTS), *map(files_of, POLICIES)))

    def code(self) -> str:
        """Return the hash of the code behind any table, verdict or figure."""
        return staleness.digest(self._result_code())

    def _result_code(self) -> set[Path]:
        found = {*code_of("experiments/summaries.py", *RATINGS), *ledger_code()}
        return found.union(*map(self._code, EXPERIMENTS), *map(figure_code, ALL_FIGURES))

    def flips(self, reading: str) -> dict[str, dict[str, Any]]:
        """Return what is changed of each experiment that a reading can touch."""
        flipped = switches.flipped(reading, self.config["readings"])
        return {
            name: {
                "readings": {reading: flipped[reading]},
                "replicates": self._config.sensitivity.of(name),
            }
            for name in switches.touched(reading)
        }

    def flipped(self, reading: str, experiment: str) -> Origin:
        """Return what the replicates of an experiment with a reading flipped are made with."""
        return self._origin(changed=self._flipped([experiment], reading))

    def _flipped(self, experiments: Container[str], *readings: str) -> Changed:
        """Return those of some experiments that a reading can touch, with it flipped.

        By default for each reading.
        """
        return {
            f"{name} with {reading} flipped": (name, changes)
            for reading in readings or switches.readings()
            for name, changes in self.flips(reading).items()
            if name in experiments
        }

    def new_bandits(self, experiment: str, seed: int) -> Origin:
        """Return what an experiment's replicates on new bandits are made with."""
        other = MadeWith(self._config.model_copy(update={"seed": seed}))
        return other._origin(code_of("experiments/beyond/confirmation.py"), [experiment])

    def confirmation(self) -> Origin:
        """Return what the ledger of the confirmation is made with."""
        code = {*comparison_code(), *code_of("claims/beyond/confirmation.py")}
        seeds = self.config["confirmation"]
        return self._origin(code, self._config.extensions, confirmation=seeds)

    def comparison(self) -> Origin:
        """Return what the comparison beyond the paper is made with."""
        return self._origin(comparison_code(), self._config.extensions)

    def sharp_claims(self) -> Origin:
        """Return what the claims on the sharp constants are made with."""
        return self._origin(sharp_code(), self._config.sharp_studies)

    def ratings(self) -> Origin:
        """Return what the tables of rating counts are made with."""
        return self._origin(code_of(*RATINGS), movielens=self.ratings_section())

    def ratings_section(self) -> dict[str, Any]:
        """Return what the config says of the ratings, but for what cannot change them.

        Of the user's own it holds their content: a file put in their place may be older.
        """
        left_out = ["timeout_seconds", "retries"]
        # The data set of the paper goes without saying: its results stay those of before.
        left_out += ["dataset"] if self._config.movielens.dataset == DEFAULT_DATASET else []
        wanted = {k: v for k, v in self.config["movielens"].items() if k not in left_out}
        return wanted | self._local_ratings

    @cached_property
    def _local_ratings(self) -> dict[str, str]:
        return {key: digest_of(path) for key, path in self._config.local_files().items()}

    def expected(self) -> dict[str, Origin]:
        """Return the origin of each table, verdict and figure, by one of its files."""
        files = Files(self._config)
        found: dict[str, Origin] = {}
        for file in ("results/movielens/rating_counts.csv", "results/movielens/provenance.json"):
            found[file] = self.ratings()
        for file in ("results/claims/sensitivity.csv", "results/sensitivity/claims.json"):
            found[file] = self.sensitivity()
        for file in ("results/claims/claims.csv", "results/claims/parts.csv"):
            found[file] = self.ledger()
        for name in EXPERIMENTS:
            found |= dict.fromkeys(files.replicates(name), self.replicates(name))
            found |= dict.fromkeys(summary_files(name), self.summary(name))
        for name in TOPICS:
            (first,), (again,) = topic_files(name), again_files(name)
            found |= {first: self.topic(name), again: self.topic_again(name)}
        found |= {figure_files(name)[0]: self.figure(name) for name in ALL_FIGURES}
        for reading in switches.readings():
            for name, file in zip(switches.touched(reading), flipped_files(reading), strict=True):
                found[file] = self.flipped(reading, name)
        return found
