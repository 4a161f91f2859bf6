"""Equal penalty rates: which arms a common A keeps fair (section 5, "Practical choice").

The penalty rate runs over the midpoints between neighbouring gaps, below the smallest
and above the largest: one value for each number of arms that can be kept fair.
"""

from collections.abc import Iterator

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_replication.experiments import base, keys


class EqualPenalties(keys.RegretSection):
    policies: keys.UntunedPolicies
    cases: keys.Named[keys.FairCase]

    def _check(self) -> None:
        keys.a_pull_each(self.horizons[0], self.cases)
        for name, case in self.cases.items():
            if np.round(np.ptp(case.means), 12) == 0:
                why = "all means are the same, and no rate is between gaps"
                raise ValueError(f"cases.{name}: {why}")


def penalty_grid(means: FloatArray) -> FloatArray:
    """Return the midpoints between neighbouring distinct gaps, and one A beyond the largest."""
    # Rounded they are distinct.  Not by np.unique, for which numpy imports its masked arrays.
    gaps = np.array(sorted(set(np.round(means.max() - means, 12).tolist())))
    return np.append((gaps[:-1] + gaps[1:]) / 2, gaps[-1] + (gaps[-1] - gaps[-2]) / 2)


@base.declare("log_of")
def equal_penalties(section: EqualPenalties, context: base.Context) -> Iterator[base.Case]:
    """Which arms a common penalty rate keeps fair."""
    for name, given in section.cases.items():
        rates = penalty_grid(np.array(given.means)).tolist()
        runs = base.rate_runs(section.policies, section.horizons, context, rates)
        yield base.fixed_bandit(name, given, runs=runs)
