"""What a pull of newer policies costs, as a multiple of the hard threshold's.

    python -m benchmarks.cost_ratios

Times in turn, in one process and by the processor's time, each policy that the table ``costs``
does not have and ``hard_threshold_ucb`` on the same instances of Setting 1, and writes the median
ratio for each number of arms to ``src/penalized_bandits/workflow/cost_ratios.csv``.  It asks for
no quiet machine: what disturbs one of two runs in turn disturbs both.
"""

import csv
import io
import time

import numpy as np

from benchmarks.costs_table import TIMED, drawn_instance
from benchmarks.instances import tuning_of
from benchmarks.timing import one_core, say
from penalized_bandits import Instance, simulate
from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_bandits.storage.files import write_text
from penalized_bandits.workflow.costs import RATIOS

ARMS = (5, 20, 100, 1_000)
ROUNDS = {5: 6_000, 20: 3_000, 100: 1_500, 1_000: 3_000}
REPLICATES = {5: 128, 20: 128, 100: 64, 1_000: 16}
REPETITIONS = 5


def _seconds(policy: str, instance: Instance, n_arms: int) -> float:
    """Return the processor time of a run."""
    rounds, replicates = ROUNDS[n_arms], REPLICATES[n_arms]
    tuning = tuning_of(policy, n_arms, rounds)
    start = time.process_time()
    simulate(policy, instance, rounds, replicates=replicates, tuning=tuning)
    return time.process_time() - start


def ratio(policy: str, n_arms: int) -> float:
    """Return how many times as much as the reference a policy costs with Gaussian rewards."""
    instance = drawn_instance(n_arms, "gaussian", REPLICATES[n_arms])
    for name in (policy, PAPER_POLICY):
        _seconds(name, instance, n_arms)  # compiles
    found = [
        _seconds(policy, instance, n_arms) / _seconds(PAPER_POLICY, instance, n_arms)
        for _ in range(REPETITIONS)
    ]
    return float(np.median(found))


def main() -> None:
    """Time them and write the table."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["policy", "arms", "times"])
    with one_core():
        for policy in (name for name in POLICIES if name not in TIMED):
            for n_arms in ARMS:
                times = ratio(policy, n_arms)
                say(f"{policy}, K = {n_arms:,}: {times:.2f} times {PAPER_POLICY}")
                table.writerow([policy, n_arms, f"{times:.3g}"])
    write_text(RATIOS, text.getvalue())


if __name__ == "__main__":
    main()
