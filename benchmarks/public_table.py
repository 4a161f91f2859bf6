"""Thompson sampling in a public table, and why it is not what a simulation finds.

    python -m benchmarks.public_table

https://github.com/DataWraith/banditbench (commit ffd5f55) has the regret of Thompson sampling with
Beta posteriors after 500 rounds, ten Bernoulli arms with means from U[0, 1], averaged over 10,001
runs: a quarter more than ours.  Its program seeds the rewards of arm i with the number i in every
run (``evaluate_bandit`` in src/lib.rs), so that all runs meet the same ten sequences of uniform
numbers; only means and samples differ.  Its average is that for these ten sequences.

Here our policy plays on the same sequences, and on new ones in every run.  (It pulls each arm
once first, which theirs does not.)  The sequences come from Rust's
``StdRng`` (rand 0.8): ChaCha with 12 rounds, its key from the seed by a PCG generator.
"""

import sys
from collections.abc import Callable

import numpy as np

from penalized_bandits import POLICIES
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.oracle import noise_of
from penalized_bandits.engine.play import Play

ARMS, HORIZON, RUNS = 10, 500, 600
PUBLISHED = 28.9339
_WORD = 0xFFFFFFFF
_COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
_DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def _rotated(word: int, left: int) -> int:
    return ((word << left) | (word >> (32 - left))) & _WORD


def _key(seed: int) -> list[int]:
    """Return the key of a seed: eight outputs of PCG-XSH-RR."""
    words: list[int] = []
    for _ in range(8):
        seed = (seed * 6364136223846793005 + 11634580027462260723) & 0xFFFFFFFFFFFFFFFF
        words.append(_rotated((((seed >> 18) ^ seed) >> 27) & _WORD, 32 - (seed >> 59)))
    return words


def _block(key: list[int], number: int) -> list[int]:
    """Return the 16 words of a block of ChaCha12."""
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, number, 0, 0, 0]
    s = start.copy()
    for _ in range(6):
        for a, b, c, d in (*_COLUMNS, *_DIAGONALS):
            for to, by, mixed, left in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                s[to] = (s[to] + s[by]) & _WORD
                s[mixed] = _rotated(s[mixed] ^ s[to], left)
    return [(one + two) & _WORD for one, two in zip(s, start, strict=True)]


def sequence(seed: int) -> FloatArray:
    """Return the numbers of [0, 1) that decide an arm's rewards, (T,)."""
    blocks = [_block(_key(seed), number) for number in range(-(-HORIZON // 8))]
    words = np.array(blocks, np.uint64).ravel()
    return ((words[1::2] << np.uint64(32) | words[::2]) / 2.0**64)[:HORIZON]


def regret(run: int, numbers: Callable[[int, int], float]) -> float:
    """Return the regret of a run of our policy; rewards come from numbers of (arm, pull)."""
    policy, means = POLICIES["thompson_beta"], np.random.default_rng(run).uniform(size=ARMS)
    noise = noise_of(policy, policy.exploration, run, 0, ("public table",))
    nothing = [0.0] * ARMS
    play = Play(policy, nothing, nothing, tuning=0.0, exploration=0.0, noise=noise)
    for _ in range(HORIZON):
        arm = play.choose()
        reward = float(numbers(arm, play.pulls[arm]) < means[arm])
        play.pulled(arm)
        play.rewarded(arm, reward)
    return float(HORIZON * means.max() - np.dot(play.pulls, means))


def main() -> None:
    """Compare and print."""
    theirs = np.stack([sequence(seed) for seed in range(1, ARMS + 1)])
    new = np.random.default_rng(1)
    for name, numbers in (
        ("the sequences of the public program", lambda arm, pull: float(theirs[arm, pull])),
        ("new numbers in every run", lambda _arm, _pull: new.random()),
    ):
        found = [regret(run, numbers) for run in range(RUNS)]
        error = np.std(found, ddof=1) / np.sqrt(RUNS)
        sys.stdout.write(f"{name}: {np.mean(found):.1f} ± {error:.1f} (public: {PUBLISHED:.1f})\n")


if __name__ == "__main__":
    main()
