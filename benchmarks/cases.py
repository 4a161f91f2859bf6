"""Cases of the benchmarks: read from ``specs.yaml``, one field of ``Case`` a key."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from penalized_bandits import Bernoulli, Gaussian, Instance
from penalized_bandits.engine.simulate import Engine

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Case:
    """One measurement: a program and its sizes."""

    name: str
    program: str
    """Function below ``benchmarks``, as ``module:function``; it takes the case."""
    precision: str = "float64"
    policy: str = "ucb1"
    rewards: str = "gaussian"
    """Law of the rewards: ``"gaussian"`` or ``"bernoulli"``."""
    arms: int = 0
    horizon: int = 0
    replicates: int = 0
    threads: int = 1
    """Threads of the program; its process is bound to as many cores."""
    config: str = ""
    """Config of the workflow, or a page: a path from the top folder."""
    target: str = "all"
    """Target of the workflow."""
    snakefile: str = "Snakefile"
    """From the top folder."""
    loop: Engine | None = None
    """The engine's loop, in place of the one that `simulate` takes."""
    warm_up: bool = True
    """Whether an untimed call comes first, for compilers and caches."""

    @property
    def instance(self) -> Instance:
        """Instance of K arms: means from 0.9 to 0.1, fairness 0.7 / K, A = 1.

        Gaussian rewards have deviation 1 / K.
        """
        means = [0.9 - 0.8 * arm / (self.arms - 1) for arm in range(self.arms)]
        law = Bernoulli() if self.rewards == "bernoulli" else Gaussian(1 / self.arms)
        return Instance(means, 0.7 / self.arms, 1.0, law)


class Spec(NamedTuple):
    """One benchmark of ``specs.yaml``."""

    repetitions: int
    cases: tuple[Case, ...]


def expand(entry: Mapping[str, Any]) -> list[Case]:
    """Return the cases of an entry: all combinations of its lists."""
    values = (value if isinstance(value, list) else [value] for value in entry.values())
    return [Case(**dict(zip(entry, chosen, strict=True))) for chosen in product(*values)]


def load_specs(path: Path = ROOT / "benchmarks/specs.yaml") -> dict[str, Spec]:
    """Return the benchmarks of a file, by name."""
    specs: dict[str, Spec] = {}
    for name, spec in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        entries = [{**spec["defaults"], **entry} for entry in spec["cases"]]
        cases = tuple(case for entry in entries for case in expand(entry))
        specs[name] = Spec(spec["repetitions"], cases)
    return specs
