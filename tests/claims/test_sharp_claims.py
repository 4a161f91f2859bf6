"""The claims on the sharp constants on replicates that keep them and that break them."""

from collections.abc import Callable

import numpy as np
import pytest

import sharp_factories as make
from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.claims.deciding import decide, measure
from penalized_bandits.claims.extended.evidence import ExtendedEvidence
from penalized_bandits.claims.sharp.series import sharp_series
from penalized_bandits.common.errors import NotMeasuredError
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import log_constant


@pytest.mark.parametrize(
    ("name", "made", "verdict", "statuses"),
    [
        ("S01", make.Generated, "reproduced", "hh"),
        # The prediction's own limit does not depend on the runs.
        ("S01", lambda: make.Generated(pulls=(make.as_square, make.one)), "not reproduced", "fh"),
        ("S01", lambda: make.Generated(pulls=(make.half, make.one)), "not reproduced", "fh"),
        ("S02", make.Generated, "reproduced", "hh"),
        ("S02", lambda: make.Generated(pulls=(make.as_square, make.one)), "not reproduced", "ff"),
        ("S02", lambda: make.Generated(pulls=(make.half, make.one)), "not reproduced", "ff"),
        ("S03", make.Generated, "reproduced", "hhhhhh"),
        # A deficit that grows as log T does, and one above 0.2/(1 - 0.4 + 0.2) = 0.25 pulls.
        ("S03", lambda: make.Generated(sup=7.0), "not reproduced", "fhfhfh"),
        ("S03", lambda: make.Generated(lack=1.0), "not reproduced", "hfhfhf"),
        ("S04", make.Generated, "reproduced", "hhh"),
        ("S04", lambda: make.Generated(lack=1.0), "not reproduced", "fff"),
        ("S05", make.Generated, "identity", "hh"),
        ("S05", lambda: make.Generated(Gaussian(0.5)), "identity", "hh"),
        ("S06", make.Generated, "reproduced", "hhh"),
        ("S06", lambda: make.Generated(pulls=(make.one, lambda t: 0.9)), "not reproduced", "fhf"),
        ("S07", lambda: make.growing(0.7), "reproduced", "h"),
        ("S07", lambda: make.growing(None), "not reproduced", "f"),
        ("S08", make.Generated, "reproduced", "hhh"),
        # Deficits cost 0.25 each: 200 of them more, beside log T.
        ("S08", lambda: make.Generated(lack=200.0), "not reproduced", "fff"),
    ],
)
def test_the_rule_decides(
    name: str, made: Callable[[], ExtendedEvidence], verdict: str, statuses: str
) -> None:
    result = decide(measure(name, made()))
    assert (result.verdict, "".join(part.status[0] for part in result.parts)) == (
        verdict,
        statuses,
    ), [(part.name, part.estimate, part.low, part.high) for part in result.parts]


def test_what_the_lower_bound_is_held_against() -> None:
    # Of limits that are computed only another law can break a part.
    parts = measure("S05", make.Generated(Gaussian(0.4))).parts
    assert [(part.limit, part.status) for part in parts] == [(1 / 0.4**2, "holds"), (1.0, "holds")]
    by_bernoulli = measure("S05", make.Generated()).parts
    assert [part.limit for part in by_bernoulli] == [4.0, 1.0]


def test_the_limit_is_the_theorems() -> None:
    (series,) = sharp_series(make.Generated(), [PAPER_POLICY])
    assert series.constant == pytest.approx(2 / 0.25)
    assert series.constant == pytest.approx(float(log_constant(instance_of(*make.NUMBERS))))
    assert series.predicted(1e15) / np.log(1e15) == pytest.approx(8, rel=1e-3)
    assert list(series.horizons) == [*make.SHORT, make.LONG]
    assert [make.one.horizon for make.one in series.earlier] == [make.EARLY]


def test_horizons_that_have_not_settled_are_left_out() -> None:
    (series,) = sharp_series(make.Generated(), [make.KL])
    # 2 log T <= 0.2 · 0.25² T from T = 1,400 on.
    assert len(series.settled_since(0)) == len(series)
    assert len(series.settled_since(10**9)) == 0
    evidence = make.Generated()
    for study in ("sharp_long", "sharp_kl"):
        runs = evidence._outcomes[study]
        evidence._outcomes[study] = [run for run in runs if run.horizon != make.EARLY]
    parts = measure("S03", evidence).parts
    assert [part.status for part in parts] == 3 * ["holds"]
    assert {part.quantity for part in parts} == {"replicates beyond the drift bound"}


def test_without_a_policy_it_is_not_measured() -> None:
    with pytest.raises(NotMeasuredError, match="no study has the policies ucb1"):
        sharp_series(make.Generated(), ["ucb1"])
