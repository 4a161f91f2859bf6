"""Parts shifted by a paired difference on few replicates: intervals that cover."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from config_helpers import PAPER
from outcome_factories import Runs, outcome
from penalized_bandits.claims import sensitivity
from penalized_bandits.claims.paired_sensitivity import GROUPS, Parts, Shifted, same, shifted
from penalized_bandits.claims.parts import (
    Part,
    above,
    below,
    by_p_values,
    frequency,
    irrelevant,
    unknown,
)
from penalized_bandits.claims.sensitivity import Repeats, decide_reading, measure_reading
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import NORMAL, mean_estimate
from rule_helpers import alternating, result_of

ALL, FEW, TRIALS = 200, 24, 600
SURE = 4
"""Standard errors within which a share of trials must lie."""

Repeated = Sequence[tuple[Parts, Parts]]


def a_mean(values: FloatArray) -> Part:
    return below(mean_estimate(values).interval, 0.0)


def a_share(values: FloatArray) -> Part:
    return frequency(values, least=0.5)


def by_key(*parts: Part | None) -> Parts:
    return {part.key: part for part in parts if part is not None}


def moved(
    default: FloatArray, alternative: FloatArray, measure: Callable[[FloatArray], Part] = a_mean
) -> Shifted:
    """Return the default's part shifted by the difference that ``alternative`` makes on as many."""
    few = default[: alternative.size]

    def left_out() -> Repeated:
        kept = [np.arange(alternative.size) % GROUPS != group for group in range(GROUPS)]
        return [(by_key(measure(few[k])), by_key(measure(alternative[k]))) for k in kept]

    whole, part, other = (by_key(measure(values)) for values in (default, few, alternative))
    (result,) = shifted(whole, part, other, left_out, alternative.size / default.size)
    return result


@pytest.mark.parametrize(
    ("slope", "noise", "size"),
    [
        (1.0, 0.1, FEW),  # the same numbers, moved a little
        (1.5, 0.1, FEW),  # what differs goes with what is common
        (0.7, 1.0, FEW),  # half of it in common
        (0.0, 1.0, FEW),  # nothing in common
        (1.5, 0.1, ALL // 2),
    ],
)
def test_intervals_cover(slope: float, noise: float, size: int) -> None:
    rng = np.random.default_rng(1)
    hits, widths, alone = 0, [], []
    for _ in range(TRIALS):
        default = rng.normal(0, 1, ALL)
        alternative = slope * default[:size] + noise * rng.normal(0, 1, size) + 0.3
        part, own = moved(default, alternative).part, mean_estimate(alternative)
        # Decided by its limit: a part without p-values gets none.
        assert math.isnan(part.p_holds)
        hits += part.low <= 0.3 <= part.high
        widths.append(part.high - part.low)
        alone.append(own.high - own.low)
    # Of 95 % intervals; what is chosen, to pair or not, costs a little where the two are even.
    assert hits / TRIALS > 0.945 - SURE * math.sqrt(0.05 * 0.95 / TRIALS)
    # Common random numbers are worth it, and never cost much.
    assert np.mean(widths) < np.mean(alone) * (0.55 if noise < 0.5 and size == FEW else 1.05)


@pytest.mark.parametrize(("share", "differ"), [(0.9, 0.02), (0.6, 0.3), (0.97, 0.1)])
def test_intervals_of_probabilities_cover(share: float, differ: float) -> None:
    rng = np.random.default_rng(2)
    truth = share * (1 - differ) + (1 - share) * differ
    hits = 0
    for _ in range(TRIALS):
        default = rng.random(ALL) < share
        alternative = default[:FEW] ^ (rng.random(FEW) < differ)
        part = moved(default.astype(float), alternative.astype(float), a_share).part
        assert 0 <= part.low <= part.high <= 1
        hits += part.low <= truth <= part.high
    assert hits / TRIALS > 0.95 - SURE * math.sqrt(0.05 * 0.95 / TRIALS)


def test_probabilities_that_do_not_differ_may_yet() -> None:
    ones = np.ones(ALL)
    result = moved(ones, ones[:FEW], a_share)
    assert (result.part.estimate, result.shift, result.part.status) == (1, 0, "holds")
    assert result.error == pytest.approx(1 / (FEW + 2))
    assert result.part.low < a_share(ones).low < 1 == result.part.high


@pytest.mark.parametrize(("shift", "status"), [(0.5, "holds"), (0.9, "undecided"), (1.6, "fails")])
def test_a_shifted_part_is_decided_by_its_whole_interval(shift: float, status: str) -> None:
    """The default is -1 +- 0.28 on all replicates; the difference is exact, or nearly."""
    default = alternating(-1.0, 2.0, ALL)
    part = moved(default, default[:FEW] + shift).part
    assert (part.estimate, part.status) == (pytest.approx(shift - 1), status)


def test_exact_values_stay_exact() -> None:
    result = moved(np.full(ALL, -3.0), np.full(FEW, -2.0))
    assert (result.part.low, result.part.estimate, result.part.high) == (-2, -2, -2)
    assert (result.error, result.way, result.part.status) == (0, "paired", "holds")


def test_few_that_are_all_decide_alone() -> None:
    values = np.random.default_rng(3).normal(-1, 1, FEW)
    result = moved(values, values + 5)
    assert (result.way, repr(result.part)) == ("all", repr(a_mean(values + 5)))
    assert (result.shift, result.error) == (pytest.approx(5), pytest.approx(0))


# --- Parts that a difference cannot move --------------------------------------------

HELD, FAILED = below((-2.0, -3.0, -1.0), 0.0), below((2.0, 1.0, 3.0), 0.0)
UNKNOWN, SILENT = unknown("no range"), irrelevant(HELD, "a bound above T")
LIMITLESS = Part(estimate=1.0, low=0.5, high=1.5, status="holds")
OTHER_LAW = replace(LIMITLESS, status="fails")


@pytest.mark.parametrize(
    ("whole", "few", "alternative", "expected"),
    [
        # No limits: as the ledger has it, unless few replicates distinguish the readings.
        (LIMITLESS, OTHER_LAW, OTHER_LAW, same(LIMITLESS)),
        (LIMITLESS, LIMITLESS, OTHER_LAW, Shifted(OTHER_LAW, 0.0, 0.5 / NORMAL, "alone")),
        (HELD, UNKNOWN, UNKNOWN, same(HELD)),
        (SILENT, HELD, FAILED, Shifted(FAILED, 4.0, 1 / NORMAL, "alone")),
        (HELD, SILENT, SILENT, same(HELD)),
        # No difference on few replicates.
        (HELD, FAILED, FAILED, same(HELD)),
        # Parts of one reading only.
        (None, None, HELD, Shifted(HELD, math.nan, 1 / NORMAL, "alone")),
        (None, HELD, HELD, None),
        (HELD, None, HELD, Shifted(HELD, math.nan, 1 / NORMAL, "alone")),
        (HELD, HELD, None, None),
        (HELD, None, None, same(HELD)),
    ],
)
def test_parts_without_a_difference(
    whole: Part | None, few: Part | None, alternative: Part | None, expected: Shifted | None
) -> None:
    results = shifted(by_key(whole), by_key(few), by_key(alternative), list, 0.1)
    # As texts: since Python 3.13 a part with a NaN in it does not equal itself.
    assert [repr(one) for one in results] == [repr(expected)] * (expected is not None)


def test_a_group_that_leaves_too_little() -> None:
    parts = by_key(HELD), by_key(HELD), by_key(FAILED)
    (result,) = shifted(*parts, lambda: [(by_key(HELD), {})] * GROUPS, 0.1)
    assert (result.way, repr(result.part)) == ("alone", repr(FAILED))


@pytest.mark.parametrize(
    ("shift", "status"), [(-0.1, "holds"), (-3.5, "undecided"), (-9.0, "fails")]
)
def test_families_are_decided_again(shift: float, status: str) -> None:
    """One of twenty that is clear for itself, but not among twenty."""

    def family(last: float) -> Parts:
        values = [(10.0, 8.0, 12.0)] * 19 + [(last, last - 1.96, last + 1.96)]
        numbered = enumerate(zip(values, [1e-20] * 19 + [0.02], strict=True))
        parts = [above(v, 0.0, case=str(i), p_holds=p, p_fails=1 - p) for i, (v, p) in numbered]
        return by_key(*by_p_values(parts))

    few, alternative = family(2.0), family(2.0 + shift)
    results = shifted(family(4.0), few, alternative, lambda: [(few, alternative)] * GROUPS, 0.1)
    assert [one.part.status for one in results] == ["holds"] * 19 + [status]


def test_a_negligible_difference_stays_negligible() -> None:
    negligible = replace(HELD, status="negligible")
    parts = by_key(negligible), by_key(negligible), by_key(below((-2.1, -3.0, -1.0), 0.0))
    (result,) = shifted(*parts, lambda: [parts[1:]] * GROUPS, 0.1)
    assert (result.part.estimate, result.part.status) == (-2.1, "negligible")


# --- Whole claims --------------------------------------------------------------------


def evidence(shift: float = 0.0) -> Runs:
    """Return Setting 1's policies; the hard threshold's second arm has more pulls by the shift."""
    means = {"hard_threshold_ucb": 60.0, "lfg": 200.0, "fair_learn": 120.0}
    pulls = {policy: alternating(mean, 8, 40) for policy, mean in means.items()}
    pulls["hard_threshold_ucb"] += shift * (1 + 0.1 * np.sin(np.arange(40)))
    bandit = (0.9, 0.6, 0.3), (0.05,) * 3, 0.4
    runs = [
        outcome(np.column_stack([x, np.full(40, 50)]), 1000, *bandit, policy=policy)
        for policy, x in pulls.items()
    ]
    section = PAPER["setting_1"] | {"horizons": [1000]}
    return Runs({"setting_1": runs}, {"setting_1": section})


@pytest.mark.parametrize("shift", [0.0, 200.0])
def test_a_claim_under_another_reading(monkeypatch: pytest.MonkeyPatch, shift: float) -> None:
    ids = ["C24", "C25"]
    monkeypatch.setattr(sensitivity, "claims_affected", lambda _: ids)
    full = evidence()
    ledger = [result_of(name, full) for name in ids]
    assert [result.verdict for result in ledger] == ["reproduced"] * 2
    results = measure_reading("lfg", ledger, Repeats(full), evidence(shift), {"setting_1": 0.5})
    for reading, before in zip(results, ledger, strict=True):
        row = decide_reading(reading, before)
        estimates = row["estimate"], row["default_estimate"] + row["shift"]
        assert estimates[0] == pytest.approx(estimates[1])
        assert row["part"] == before.headline.name
        if shift:
            assert (row["verdict"], row["changed"]) == ("not reproduced", True)
            assert row["shift"] > 5 * row["shift_se"] > 0
            assert row["paired"] + row["alone"] == 1
        else:
            assert (row["verdict"], row["changed"]) == ("reproduced", False)
            assert (row["shift"], row["shift_se"]) == (0, 0)
            assert [repr(one.part) for one in reading.parts] == [repr(p) for p in before.parts]


def test_leaving_groups_out_leaves_the_rest() -> None:
    full = evidence()
    kept = [len(full.without(g, GROUPS).outcomes("setting_1")[0].pulls) for g in range(GROUPS)]
    assert kept == [40 - 40 // GROUPS] * GROUPS
