"""What two threads bring a loop that needs no memory: the machine's share in any speed-up."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit

STEPS = 20_000_000
"""Steps of one loop, some hundredths of a second."""


@njit(nogil=True)
def _multiply(steps: int, word: np.uint64) -> np.uint64:
    for _ in range(steps):
        word = (word ^ (word >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return word


def two_loops(threads: int, steps: int = STEPS) -> None:
    """Run the loop twice: one after the other, or on two threads."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda word: _multiply(steps, np.uint64(word)), (1, 2)))
