"""Parts moved by a difference on few replicates: intervals that cover, rows that stay."""

import dataclasses
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from penalized_bandits.claims.measured import to_json
from penalized_bandits.claims.shifts import GROUPS, Shifted, same, shifted

from made_up import MadeUp, around, outcome
from penalized_bandits.claims import sensitivity
from penalized_bandits.claims.base import (
    Part,
    above,
    below,
    by_p_values,
    not_said,
    nothing_known,
    share_of,
)
from penalized_bandits.claims.ledger import check
from penalized_bandits.claims.sensitivity import Repeats, decide_reading, measure_reading
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import mean_estimate

ALL, FEW = 200, 24
TRIALS = 600
SURE = 4
"""Standard errors within which a share of trials must lie."""

Measure = Callable[[FloatArray], Part]


def a_mean(values: FloatArray) -> Part:
    found = mean_estimate(values)
    return below("mean", found.value, found.low, found.high, 0.0)


def a_share(values: FloatArray) -> Part:
    return share_of("share", int(values.sum()), values.size, least=0.5)


def moved(default: FloatArray, flipped: FloatArray, measure: Measure = a_mean) -> Shifted:
    """Move what ``default`` says by the difference that ``flipped`` makes on as many."""
    few = default[: flipped.size]

    def left_out() -> Sequence[tuple[dict[str, Part], dict[str, Part]]]:
        kept = [np.arange(flipped.size) % GROUPS != group for group in range(GROUPS)]
        return [(said(few[one]), said(flipped[one])) for one in kept]

    def said(values: FloatArray) -> dict[str, Part]:
        part = measure(values)
        return {part.name: part}

    parts = said(default), said(few), said(flipped)
    (found,) = shifted(*parts, left_out, flipped.size / default.size)
    return found


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
        flipped = slope * default[:size] + noise * rng.normal(0, 1, size) + 0.3
        found = moved(default, flipped)
        hits += found.part.low <= 0.3 <= found.part.high
        widths.append(found.part.high - found.part.low)
        own = mean_estimate(flipped)
        alone.append(own.high - own.low)
    # Of 95 % intervals; what is chosen, to pair or not, costs a little where the two are even.
    assert hits / TRIALS > 0.945 - SURE * math.sqrt(0.05 * 0.95 / TRIALS)
    # Common random numbers are worth it, and never cost much.
    assert np.mean(widths) < np.mean(alone) * (0.55 if noise < 0.5 and size == FEW else 1.05)


@pytest.mark.parametrize(("share", "differ"), [(0.9, 0.02), (0.6, 0.3), (0.97, 0.1)])
def test_intervals_of_shares_cover(share: float, differ: float) -> None:
    rng = np.random.default_rng(2)
    truth = share * (1 - differ) + (1 - share) * differ
    hits = 0
    for _ in range(TRIALS):
        default = rng.random(ALL) < share
        flipped = default[:FEW] ^ (rng.random(FEW) < differ)
        found = moved(default.astype(float), flipped.astype(float), a_share)
        assert 0 <= found.part.low <= found.part.high <= 1
        hits += found.part.low <= truth <= found.part.high
    assert hits / TRIALS > 0.95 - SURE * math.sqrt(0.05 * 0.95 / TRIALS)


def test_shares_that_do_not_differ_may_yet() -> None:
    ones = np.ones(ALL)
    found = moved(ones, ones[:FEW], a_share)
    assert (found.part.estimate, found.shift, found.part.status) == (1, 0, "holds")
    assert found.error == pytest.approx(1 / (FEW + 2))
    assert found.part.low < share_of("", ALL, ALL, least=0.5).low < 1 == found.part.high


def test_what_is_exact_stays_exact() -> None:
    found = moved(np.full(ALL, -3.0), np.full(FEW, -2.0))
    assert (found.part.low, found.part.estimate, found.part.high) == (-2, -2, -2)
    assert (found.error, found.way, found.part.status) == (0, "paired", "holds")


def test_few_that_are_all_decide_alone() -> None:
    values = np.random.default_rng(3).normal(-1, 1, FEW)
    other = values + 5
    found = moved(values, other)
    assert (found.way, repr(found.part)) == ("all", repr(a_mean(other)))
    assert (found.shift, found.error) == (pytest.approx(5), pytest.approx(0))


# --- Parts that a difference cannot move --------------------------------------------

HELD = below("", -2.0, -3.0, -1.0, 0.0)
FAILED = below("", 2.0, 1.0, 3.0, 0.0)
UNKNOWN = nothing_known("", "no range")
LIMITLESS = Part("", 1.0, 0.5, 1.5, "holds")
OTHER_LAW = Part("", 1.0, 0.5, 1.5, "fails")
SILENT = not_said(HELD, "a bound above T")


@pytest.mark.parametrize(
    ("whole", "few", "flipped", "wanted"),
    [
        # No limits: as the ledger has it, unless few replicates tell the readings apart.
        (LIMITLESS, OTHER_LAW, OTHER_LAW, same(LIMITLESS)),
        (LIMITLESS, LIMITLESS, OTHER_LAW, Shifted(OTHER_LAW, 0.0, 0.5 / 1.959964, "alone")),
        (HELD, UNKNOWN, UNKNOWN, same(HELD)),
        (SILENT, HELD, FAILED, Shifted(FAILED, 4.0, 1 / 1.959964, "alone")),
        (HELD, SILENT, SILENT, same(HELD)),
        # What few replicates say without any doubt of the difference.
        (HELD, FAILED, FAILED, same(HELD)),
        # Parts of one reading only.
        (None, None, HELD, Shifted(HELD, math.nan, 1 / 1.959964, "alone")),
        (None, HELD, HELD, None),
        (HELD, None, HELD, Shifted(HELD, math.nan, 1 / 1.959964, "alone")),
        (HELD, HELD, None, None),
        (HELD, None, None, same(HELD)),
    ],
)
def test_parts_without_a_difference(
    whole: Part | None, few: Part | None, flipped: Part | None, wanted: Shifted | None
) -> None:
    three = (whole, few, flipped)
    before, default, after = ({} if part is None else {"": part} for part in three)
    found = shifted(before, default, after, list, 0.1)
    if wanted is None:
        assert found == []
        return
    (one,) = found
    # As texts: since Python 3.13 a part with a NaN in it does not equal itself.
    assert (repr(one.part), one.way) == (repr(wanted.part), wanted.way)
    for value, expected in ((one.shift, wanted.shift), (one.error, wanted.error)):
        assert value == pytest.approx(expected, nan_ok=True)


def test_a_group_that_leaves_too_little() -> None:
    parts = ({"": HELD}, {"": HELD}, {"": FAILED})
    (found,) = shifted(*parts, lambda: [({"": HELD}, {})] * GROUPS, 0.1)
    assert (found.way, repr(found.part)) == ("alone", repr(FAILED))


def test_families_are_decided_again() -> None:
    # One of twenty that is clear for itself, but not among twenty.
    def family(last: float) -> dict[str, Part]:
        parts = [above(f"{i}", 10.0, 8.0, 12.0, 0.0) for i in range(19)]
        parts.append(above("last", last, last - 1.96, last + 1.96, 0.0))
        p_values = [1e-20] * 19 + [0.02]
        return {p.name: p for p in by_p_values(parts, p_values, [1 - p for p in p_values])}

    def repeats(shift: float) -> Sequence[tuple[dict[str, Part], dict[str, Part]]]:
        return [(family(2.0), family(2.0 + shift))] * GROUPS

    whole = family(4.0)
    for shift, status in ((-0.1, "holds"), (-3.5, "undecided"), (-9.0, "fails")):
        found = shifted(whole, family(2.0), family(2.0 + shift), lambda by=shift: repeats(by), 0.1)
        assert [one.part.status for one in found] == ["holds"] * 19 + [status]


def test_what_a_claim_says_beside_its_limits_stays() -> None:
    # Below its limit, and yet undecided, because the claim finds it negligible.
    negligible = dataclasses.replace(HELD, status="undecided")
    few, flipped = negligible, below("", -2.1, -3.0, -1.0, 0.0)
    repeats = [({"": few}, {"": flipped})] * GROUPS
    (found,) = shifted({"": negligible}, {"": few}, {"": flipped}, lambda: repeats, 0.1)
    assert (found.part.estimate, found.part.status) == (-2.1, "undecided")


# --- Whole claims --------------------------------------------------------------------

HORIZON = 1000


def evidence(seed: int, shift: float = 0.0) -> MadeUp:
    """Make up pulls of Setting 1's policies: the hard threshold's second arm is pulled more."""
    policies = {"hard_threshold_ucb": 60.0 + shift, "lfg": 200.0, "fair_learn": 120.0}
    runs = [
        outcome(
            around([pulls, 50], 2, seed) + (shift if policy == "hard_threshold_ucb" else 0),
            HORIZON,
            [0.9, 0.6, 0.3],
            [0.05, 0.05, 0.05],
            0.4,
            case="K3",
            policy=policy,
        )
        for policy, pulls in policies.items()
    ]
    made = MadeUp({"setting_1": runs}, {})
    made._sections["setting_1"].horizons = [HORIZON]
    return made


CLAIMS = ("C24", "C25")


def decided(monkeypatch: pytest.MonkeyPatch, shift: float) -> tuple[list[Any], list[Any]]:
    """Return the ledger's rows and those with a reading flipped that shifts pulls."""
    monkeypatch.setattr(sensitivity, "claims_touched", lambda name: list(CLAIMS))
    full = evidence(1)
    ledger = json.loads(to_json([check(name, full) for name in CLAIMS]))
    flipped = evidence(1, shift)
    rows = measure_reading("lfg", ledger, Repeats(full), flipped, {"setting_1": 0.5})
    measured = json.loads(to_json(rows))
    return ledger, [
        row | decide_reading(row, was) for row, was in zip(measured, ledger, strict=True)
    ]


def test_with_nothing_flipped_the_rows_are_the_ledgers(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, rows = decided(monkeypatch, 0.0)
    for was, row in zip(ledger, rows, strict=True):
        for name in ("id", "verdict", "estimate", "ci_low", "ci_high", "hold", "fail", "undecided"):
            assert row[name] == was[name]
        parts = [one["part"] for one in row["all_parts"]]
        assert json.loads(to_json(parts)) == was["all_parts"]
        assert (row["shift"], row["shift_se"], row["changed"]) == (0, 0, False)


def test_a_reading_that_changes_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, rows = decided(monkeypatch, 200.0)
    assert [row["verdict"] for row in ledger] == ["reproduced"] * 2
    assert [row["verdict"] for row in rows] == ["not reproduced"] * 2
    for row in rows:
        assert row["changed"]
        assert row["estimate"] == pytest.approx(row["default_estimate"] + row["shift"])
        assert row["shift"] > 5 * row["shift_se"] > 0
        assert (row["paired"] + row["alone"], row["part"]) == (1, "K3 T=1000")


def test_leaving_groups_out_leaves_the_rest() -> None:
    full = evidence(1)
    kept = [full.without(g, GROUPS).outcomes("setting_1")[0].pulls for g in range(GROUPS)]
    n = len(full.outcomes("setting_1")[0].pulls)
    assert sum(n - len(pulls) for pulls in kept) == n
    assert {len(pulls) for pulls in kept} == {n - n // GROUPS, n - -(-n // GROUPS)}
