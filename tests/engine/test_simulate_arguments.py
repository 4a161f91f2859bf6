"""What ``simulate`` refuses, and that the error names what is wrong."""

import math
from typing import Any

import numpy as np
import pytest

from penalized_bandits import BanditError, Gaussian, Instance
from penalized_bandits.common.errors import LARGEST, MOST_ROUNDS
from penalized_bandits.engine.simulate import simulate_part

GOOD: dict[str, Any] = {
    "policy": "ucb1",
    "instance": Instance([0.9, 0.5], 0.1, 0.5, Gaussian(0.1)),
    "horizon": 10,
}
THREE_ROWS = Instance(np.full((3, 2), 0.5), 0.1, 0.5, Gaussian(0.1))


@pytest.mark.parametrize(
    ("wrong", "culprit"),
    [
        ({"policy": "ucb2"}, "unknown policy 'ucb2'"),
        ({"policy": None}, "policy is None: it must be an id, my_module:policy or"),
        ({"instance": None}, "instance is None: it must be an Instance"),
        ({"horizon": 0}, "horizon is 0"),
        ({"horizon": 10.0}, "horizon is 10.0: it must be a whole number"),
        ({"horizon": MOST_ROUNDS + 1}, "horizon is 2147483648.*at most 2147483647.*32 bits"),
        ({"replicates": 0}, "replicates is 0"),
        ({"replicates": 2**31}, "replicates is 2147483648"),
        ({"threads": 0}, "threads is 0"),
        ({"threads": 1.5}, "threads is 1.5"),
        ({"first_replicate": -1}, "first_replicate is -1"),
        ({"first_replicate": 2**63}, "first_replicate is 9223372036854775808"),
        ({"first_replicate": MOST_ROUNDS - 9, "replicates": 10}, "first_replicate is 2147483638"),
        ({"seed": math.nan}, "seed is nan: it must be a whole number"),
        ({"log_of": "t"}, "log_of is 't'"),
        ({"checkpoints": []}, "checkpoints"),
        ({"checkpoints": [0, 5]}, r"checkpoints \[0, 5\]"),
        ({"checkpoints": [6, 5]}, r"checkpoints \[6, 5\]"),
        ({"checkpoints": [11]}, r"checkpoints \[11\].*horizon 10"),
        ({"checkpoints": [2.0, 5.0]}, "checkpoints .2.0, 5.0. must be whole numbers"),
        ({"checkpoints": [2**70]}, "must be whole numbers"),
        ({"checkpoints": np.array([3, 2**63 + 5], dtype=np.uint64)}, "must increase"),
        ({"tuning": 1.0}, "ucb1 has no tuning"),
        ({"policy": "lfg"}, "lfg needs its tuning parameter η₀"),
        ({"policy": "lfg", "tuning": math.nan}, "η₀ of policy lfg is nan"),
        ({"policy": "lfg", "tuning": 1.01 * LARGEST}, "η₀ of policy lfg is 1010.*at most 1e.12"),
        ({"policy": "fair_learn", "tuning": -1.0}, "α of policy fair_learn is -1"),
        ({"policy": "explore_then_commit", "tuning": 0.0}, "m of policy explore_then_commit"),
        ({"policy": "explore_then_commit", "tuning": math.inf}, "m of policy explore_then"),
        ({"policy": "explore_then_commit", "tuning": 1 + 2**-52}, "whole number of pulls"),
        ({"instance": THREE_ROWS, "replicates": 4}, "3 replicates, but 4"),
    ],
)
def test_errors_name_the_culprit(wrong: dict[str, Any], culprit: str) -> None:
    with pytest.raises(BanditError, match=culprit):
        simulate_part(**{**GOOD, **wrong})


def test_whole_numbers_of_any_type_are_taken() -> None:
    asked: dict[str, Any] = {"horizon": 10, "replicates": 2, "seed": 3, "checkpoints": [4, 10]}
    other = {"horizon": np.int32(10), "replicates": np.int64(2), "seed": np.uint64(3)}
    other["checkpoints"] = np.array([4, 10], dtype=np.uint16)
    expected, found = (simulate_part(**{**GOOD, **numbers}) for numbers in (asked, other))
    np.testing.assert_array_equal(found.pulls, expected.pulls)
    assert (found.policy.id, found.tuning, found.n_replicates) == ("ucb1", None, 2)
    assert found.instance is GOOD["instance"]
