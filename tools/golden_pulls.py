"""Pulls that every machine must count: played here, or compared with the committed ones.

    python tools/golden_pulls.py                 compare the engine with golden/pulls.csv
    python tools/golden_pulls.py --oracle        the plain-Python oracle
    python tools/golden_pulls.py --few           the oracle, on few arms and last replicates
    python tools/golden_pulls.py --policies lfg  some policies alone
    python tools/golden_pulls.py --lanes         the loop over lanes, in place of its own choice
    python tools/golden_pulls.py --write         write golden/pulls.csv from the oracle; with
                                                 --policies these alone, the other lines stay

Exit code 1 and the first lines that differ if any does.  It needs the package, numpy and
numba, nothing else, so that it runs where the tests do not: under an emulator, or with numba
switched off (NUMBA_DISABLE_JIT=1), where oracle and engine are Python alone.
"""

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from penalized_bandits import POLICIES, Instance
from penalized_bandits.bandit.rewards import EXAMPLES, Categorical
from penalized_bandits.common.errors import UnitRewardsWarning
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import Engine, simulate_part
from penalized_bandits.engine.streams import Stream
from penalized_bandits.policies.reads import knows_floors_alone

FILE = Path(__file__).parents[1] / "tests/helpers/golden/pulls.csv"
HEADER = "policy,rewards,case,replicate,pulls"
SEED = 20250301
COMPILED = [*list(POLICIES)[:7], "imed"]
"""What the fast tests compile: the policies of the main job, and one that chooses by itself."""
MANY_ARMS = 720
"""Enough that loops which skip arms skip most."""


def takes(policy: str, family: str) -> bool:
    """Return whether a policy plays a family: not if it needs a noise that there is not."""
    return bool(np.isfinite(POLICIES[policy].exploration_for(EXAMPLES[family].noise)))


@dataclass(frozen=True)
class Case:
    """A bandit but for its reward law, and how it is played."""

    means: FloatArray
    fairness: FloatArray
    penalties: FloatArray
    horizon: int
    replicates: int
    families: tuple[str, ...] = tuple(EXAMPLES)
    ceilings: FloatArray | float = 1.0
    excess_penalties: FloatArray | float = 0.0


def _drawn(name: str, replicates: int, n_arms: int) -> FloatArray:
    """Draw numbers of [0, 1) as the settings do."""
    return Stream(SEED, ("golden", name)).uniforms(replicates, n_arms)


@cache
def _cases() -> dict[str, Case]:
    return {
        "spread": Case(
            np.array([0.9, 0.6, 0.5, 0.2]),
            np.array([0.1, 0.2, 0.15, 0.0]),
            np.array([0.35, 0.2, 0.6, 0.1]),
            400,
            3,
        ),
        "all_equal": Case(np.full(5, 0.5), np.full(5, 0.16), np.full(5, 0.25), 250, 2),
        "by_replicate": Case(
            _drawn("means", 3, 6), np.full(6, 0.1), _drawn("penalties", 3, 6), 300, 3
        ),
        "one_arm": Case(np.array([0.5]), np.array([0.5]), np.array([0.5]), 20, 1),
        "nothing_owed": Case(np.array([0.4, 0.6, 0.6]), np.zeros(3), np.full(3, 1e9), 120, 2),
        "all_owed": Case(
            np.array([0.75, 0.5, 0.25]),
            np.array([0.5, 0.25, 0.25 - 1e-12]),
            np.array([0.0, 1e9, 1.0]),
            200,
            2,
        ),
        "more_arms_than_rounds": Case(
            np.linspace(0.1, 0.9, 12), np.full(12, 0.05), np.full(12, 0.5), 7, 1
        ),
        "one_round": Case(np.array([0.2, 0.8]), np.full(2, 0.3), np.full(2, 0.5), 1, 1),
        "many_arms": Case(
            _drawn("many", 1, MANY_ARMS)[0],
            np.full(MANY_ARMS, 0.6 / MANY_ARMS),
            _drawn("rates", 1, MANY_ARMS)[0],
            900,
            1,
            ("gaussian", "bernoulli"),
        ),
        # A soft ceiling, a hard one, a quota and a ceiling of an arm with a floor.
        "ceilings": Case(
            np.array([0.9, 0.8, 0.6, 0.3]),
            np.array([0.0, 0.0, 0.25, 0.1]),
            np.array([0.0, 0.0, 0.5, 0.1]),
            400,
            3,
            ("gaussian", "bernoulli"),
            np.array([0.5, 0.3, 0.25, 0.2]),
            np.array([0.2, np.inf, 0.125, 0.5]),
        ),
    }


def _instance(case: Case, family: str) -> Instance:
    """Make the bandit; categorical rewards have a distribution for each arm."""
    rewards, means = EXAMPLES[family], case.means
    if isinstance(rewards, Categorical):
        # Weights that are whole numbers: the arms' own, and the same in all replicates.
        weights = np.floor(8 * np.atleast_2d(means)[0])[:, None] * np.arange(5) + 1
        rewards = Categorical(rewards.support, weights / weights.sum(axis=1, keepdims=True))
        means = np.broadcast_to(rewards.means, means.shape)
    ceilings = {"ceilings": case.ceilings, "excess_penalties": case.excess_penalties}
    return Instance(means, case.fairness, case.penalties, rewards, **ceilings)


def _line(policy: str, family: str, name: str, replicate: int, pulls: list[int]) -> str:
    return f"{policy},{family},{name},{replicate},{' '.join(map(str, pulls))}"


Part = Callable[[str, str, int], bool]
"""Says of a policy, a case and a replicate whether its lines are asked for."""


def of(*policies: str) -> Part:
    """Take some policies."""
    return lambda policy, _name, _replicate: policy in policies


every, compiled = of(*POLICIES), of(*COMPILED)


def few(policy: str, name: str, replicate: int) -> bool:
    """Keep runs that the oracle plays in seconds: a round of many arms takes it a millisecond."""
    return name != "many_arms" and replicate == _cases()[name].replicates - 1


def one_loop(policy: str, name: str, replicate: int) -> bool:
    """Take the case for which a policy's loop over many replicates is compiled, and no other."""
    return name == "spread"


def few_others(policy: str, name: str, replicate: int) -> bool:
    """Take few of the other policies."""
    return policy not in COMPILED and few(policy, name, replicate)


def _plays(part: Part) -> Iterator[tuple[str, str, str, Case, list[int]]]:
    for policy in POLICIES:
        for name, case in _cases().items():
            replicates = [r for r in range(case.replicates) if part(policy, name, r)]
            capped = np.min(case.ceilings) < 1 and knows_floors_alone(POLICIES[policy])
            for family in case.families if replicates and not capped else ():
                if takes(policy, family):
                    yield policy, family, name, case, replicates


def engine_lines(loop: Engine | None = None, part: Part = every) -> Iterator[str]:
    """Yield the lines of the table as the engine plays them, by default with its own choice."""
    for policy, family, name, case, replicates in _plays(part):
        run = simulate_part(
            policy,
            _instance(case, family),
            case.horizon,
            replicates=case.replicates,
            stream=Stream(SEED, ("golden", name)),
            tuning=POLICIES[policy].published_tuning(case.fairness.size, case.horizon),
            engine=loop if POLICIES[policy].choose is None else None,
        )
        for replicate in replicates:
            yield _line(policy, family, name, replicate, run.pulls[replicate, -1].tolist())


def oracle_lines(part: Part = every) -> Iterator[str]:
    """Yield the lines of the table as the oracle plays them."""
    for policy, family, name, case, replicates in _plays(part):
        instance, stream = _instance(case, family), Stream(SEED, ("golden", name))
        tuning = POLICIES[policy].published_tuning(instance.n_arms, case.horizon)
        how = {"stream": stream, "tuning": tuning}
        for replicate in replicates:
            played = trace(policy, instance, case.horizon, replicate=replicate, **how)
            pulls = np.bincount(played.arms, minlength=instance.n_arms)
            yield _line(policy, family, name, replicate, pulls.tolist())


def golden_lines(part: Part = every) -> list[str]:
    """Return the committed lines."""
    header, *lines = FILE.read_text(encoding="ascii").splitlines()
    assert header == HEADER, f"{FILE} begins with {header!r}"
    where = [line.split(",")[:4] for line in lines]
    return [
        line
        for line, (policy, _, name, replicate) in zip(lines, where, strict=True)
        if part(policy, name, int(replicate))
    ]


def write(policies: list[str]) -> None:
    """Write the lines of some policies anew, as the oracle plays them."""
    others = golden_lines(of(*(policy for policy in POLICIES if policy not in policies)))
    order = {policy: place for place, policy in enumerate(POLICIES)}
    lines = [*others, *oracle_lines(of(*policies))]
    lines.sort(key=lambda line: order[line.partition(",")[0]])
    FILE.write_text("\n".join([HEADER, *lines, ""]), encoding="ascii", newline="\n")


def main() -> int:
    """Compare with the committed table, or write it."""
    parser = argparse.ArgumentParser(description="Compare pulls with the committed ones.")
    parser.add_argument("--oracle", action="store_true", help="play the oracle, not the engine")
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--few", action="store_true", help="the oracle, its quickest lines alone")
    parts.add_argument("--policies", nargs="+", choices=POLICIES, help="these alone")
    parser.add_argument("--lanes", action="store_true", help="lanes for all rules with an index")
    parser.add_argument("--write", action="store_true", help="write the table anew")
    asked = parser.parse_args()
    # Rewards may leave [0, 1], also for policies that are made for it: only pulls are compared.
    warnings.simplefilter("ignore", UnitRewardsWarning)
    if asked.write:
        write(asked.policies or list(POLICIES))
        return 0
    # Uncompiled, words that wrap and divisions by zero warn; compiled nothing does.
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        part = few if asked.few else of(*(asked.policies or POLICIES))
        oracle = asked.oracle or asked.few
        loop: Engine | None = "lanes" if asked.lanes else None
        found = list(oracle_lines(part) if oracle else engine_lines(loop, part))
    expected = golden_lines(part)
    differ = [pair for pair in zip(expected, found, strict=True) if pair[0] != pair[1]]
    for right, wrong in differ[:10]:
        sys.stdout.write(f"expected {right}\nfound    {wrong}\n")
    sys.stdout.write(f"{len(expected) - len(differ)} of {len(expected)} lines are the same\n")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
