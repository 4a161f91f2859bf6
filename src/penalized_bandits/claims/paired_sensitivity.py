"""Paired sensitivity: parts on all replicates, shifted by a difference on a few of them.

Estimate of a part = its estimate by default on all replicates + (its estimate under the
alternative reading - its estimate by default), both on the same few replicates.  Common random
numbers cancel in the difference, so a few replicates are enough.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np
from scipy.special import stdtr

from penalized_bandits.claims.parts import Part, Status, above, below, by_p_values, within
from penalized_bandits.statistics.estimates import NORMAL, student

MANY = 1e9
"""Degrees of freedom of an error that is known."""
GROUPS = 8
"""Groups of the few replicates, left out one at a time for the error of a difference."""

Way = Literal["same", "paired", "alone", "all"]
Parts = Mapping[Any, Part]
"""Parts of a claim by their keys."""


@dataclass(frozen=True)
class Shifted:
    """A part under other conditions."""

    part: Part
    shift: float
    """Its estimate less that of the default on all replicates; NaN where there is none."""
    error: float
    """Standard error of the shift: of the mean difference on few replicates."""
    way: Way
    """``same``: equal to the default's.  ``paired``: the default on all replicates
    and a difference on few.  ``alone``: the few replicates under the alternative.
    ``all``: the few are all that there are."""

    def to_json(self) -> dict[str, Any]:
        """Return the fields."""
        return vars(self) | {"part": self.part.to_json()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Shifted":
        """Return what `to_json` wrote; None stands for NaN."""
        shift, error = (math.nan if values[n] is None else values[n] for n in ("shift", "error"))
        return cls(Part.from_json(values["part"]), shift, error, values["way"])


def same(part: Part) -> Shifted:
    """Return a part as the ledger has it."""
    return Shifted(part, 0.0, 0.0, "same")


def _alone(part: Part, whole: Part | None = None) -> Shifted:
    shift = math.nan if whole is None else part.estimate - whole.estimate
    return Shifted(part, shift, (part.high - part.low) / (2 * NORMAL), "alone")


def _has_limits(part: Part) -> bool:
    return math.isfinite(part.estimate) and (part.least > -math.inf or part.most < math.inf)


def _unpaired(whole: Part | None, few: Part | None, alternative: Part) -> Shifted | None:
    """Decide a part where a difference says nothing, or is not needed; None where it is.

    - A part that only the few replicates have is left to its evidence.
    - A part without limits, or one that counts for nothing, stays as it is where few replicates
      give it one status under both readings; else it is decided on them alone.
    """
    if few is None:
        return _alone(alternative)
    if whole is None:
        return None
    one, two = ((p.estimate, p.low, p.high, p.least, p.most, p.status) for p in (few, alternative))
    # Shares of few replicates may agree by chance.
    if one == two and not alternative.trials:
        return same(whole)
    three = (whole, few, alternative)
    if all(_has_limits(part) and part.status != "vacuous" for part in three):
        return None
    return same(whole) if few.status == alternative.status else _alone(alternative, whole)


def _variances(pairs: Sequence[tuple[Part | None, Part | None]]) -> tuple[float, float, float]:
    """Return jackknife variances: of the default, with the alternative, of their difference.

    The second is a covariance; all are NaN where a group of replicates leaves too little.
    """
    estimates = [(one.estimate, two.estimate) for one, two in pairs if one and two]
    values = np.array(estimates).T
    if not pairs or len(estimates) < len(pairs) or not np.isfinite(values).all():
        return math.nan, math.nan, math.nan
    centred = values - values.mean(axis=1, keepdims=True)
    groups = len(pairs)
    products = (centred[:, None] * centred).sum(axis=2) * (groups - 1) / groups
    (default, both), (_, alternative) = products.tolist()
    return default, both, max(alternative + default - 2 * both, 0.0)


def _paired(
    whole: Part,
    few: Part,
    alternative: Part,
    pairs: Sequence[tuple[Part | None, Part | None]],
    share: float,
) -> Shifted:
    """Move a part by a difference on few replicates; parameters as in `shifted`.

    With D and F the estimates on few and L that on all replicates, Var(L + F - D) is
    Var(L) + Var(F - D) + 2 share Cov(D, F - D), and the interval is made of the ledger's and
    of Student's t with GROUPS - 1 degrees of freedom by the square root of the sum of squares,
    each side for itself (Zou and Donner 2008).  A share gets a pseudo-count in each cell
    (Agresti and Min 2005), as that no replicate differs does not mean that none would.  Where
    the pairing leaves more variance than it takes away, what differs is not common: then few
    replicates alone say more.
    """
    default, both, variance = _variances(pairs)
    if not 2 * both >= default:  # NaN included.
        return _alone(alternative, whole)
    if alternative.trials:
        variance += 1 / (alternative.trials + 2) ** 2
    error = math.sqrt(variance)
    variance = max(variance + 2 * share * (both - default), 0.0)
    shift = alternative.estimate - few.estimate
    half = student(len(pairs)) * math.sqrt(variance)
    estimate = whole.estimate + shift
    low = estimate - math.hypot(whole.estimate - whole.low, half)
    high = estimate + math.hypot(whole.high - whole.estimate, half)
    if alternative.trials:
        estimate, low, high = (min(max(value, 0.0), 1.0) for value in (estimate, low, high))
    numbers = {"estimate": estimate, "low": low, "high": high}
    for name in ("limit", "least", "most"):
        old, new = (float(getattr(part, name)) for part in (few, alternative))
        moved = new - old if math.isfinite(new - old) else 0.0
        numbers[name] = float(getattr(whole, name)) + moved
    part = _with_p_values(replace(whole, **numbers), _own(whole), variance, len(pairs) - 1)
    return Shifted(part, shift, error, "paired")


def _with_p_values(part: Part, own: float, more: float = 0.0, degrees: int = 1) -> Part:
    """Work out one-sided p-values from estimate and error, for a part that has any.

    ``own`` is the variance on all replicates, ``more`` that of a difference on few.
    """
    if math.isnan(part.p_holds) or not _has_limits(part):
        return part
    margin = min(part.estimate - part.least, part.most - part.estimate)
    total = own + more
    if total == 0:
        return replace(part, p_holds=float(margin <= 0), p_fails=float(margin >= 0))
    # Degrees of freedom of a sum by Satterthwaite; those of the ledger are many.
    free = min(degrees * (total / more) ** 2, MANY) if more > 0 else MANY
    score = margin / math.sqrt(total)
    return replace(part, p_holds=float(stdtr(free, -score)), p_fails=float(stdtr(free, score)))


def _own(part: Part) -> float:
    return ((part.high - part.low) / (2 * NORMAL)) ** 2


def _complete(part: Part, whole: Part | None, repeats: Sequence[tuple[Parts, Parts]]) -> Shifted:
    """Return a part measured on all replicates under the alternative reading."""
    if whole is None or not _has_limits(part):
        return Shifted(part, math.nan, math.nan, "all")
    *_, variance = _variances([(one.get(part.key), two.get(part.key)) for one, two in repeats])
    return Shifted(part, part.estimate - whole.estimate, math.sqrt(variance), "all")


def shifted(
    whole: Parts,
    few: Parts,
    alternative: Parts,
    left_out: Callable[[], Sequence[tuple[Parts, Parts]]],
    share: float,
) -> list[Shifted]:
    """Return the parts of a claim under an alternative reading, families decided again.

    The parts are those by default on all replicates, on few, and on few under the alternative
    reading; ``left_out`` returns the last two with each group of replicates left out, where it is
    needed; ``share`` is how many of all replicates the few are.
    """
    if share == 1:
        repeats = left_out() if any(map(_has_limits, alternative.values())) else []
        return [_complete(part, whole.get(key), repeats) for key, part in alternative.items()]
    repeats = cache(left_out)
    results: list[Shifted] = []
    for key in dict.fromkeys([*whole, *alternative]):
        if key not in alternative:
            # What all replicates have and few never see stays.
            results += [same(whole[key])] if key not in few else []
            continue
        result = _unpaired(whole.get(key), few.get(key), alternative[key])
        if result is None and key in whole:
            pairs = [(default.get(key), other.get(key)) for default, other in repeats()]
            result = _paired(whole[key], few[key], alternative[key], pairs, share)
        results += [result] if result is not None else []
    return _decided(results, whole, alternative)


def _by_limits(part: Part) -> Status:
    interval = part.estimate, part.low, part.high
    if not _has_limits(part):
        return part.status
    if part.least > -math.inf and part.most < math.inf:
        return within(interval, part.least, part.most).status
    upper = part.most < math.inf
    return (below(interval, part.most) if upper else above(interval, part.least)).status


def _statuses(parts: Iterable[Part]) -> dict[Any, Status]:
    """Return statuses by key, from limits alone; parts with p-values are one family."""
    parts = list(parts)
    family = [part for part in parts if not math.isnan(part.p_holds)]
    decided = by_p_values(family)
    statuses: dict[Any, Status] = {part.key: _by_limits(part) for part in parts}
    statuses.update((part.key, part.status) for part in decided)
    return statuses


def _decided(results: Sequence[Shifted], whole: Parts, alternative: Parts) -> list[Shifted]:
    """Decide parts again by their limits, and families by their p-values.

    A part keeps its status if its limits still give the same one: a claim may know more of it,
    for example that a difference is negligible.
    """
    before = {
        "same": _statuses(_with_p_values(part, _own(part)) for part in whole.values()),
        "alone": _statuses(alternative.values()),
    }
    after = _statuses(
        _with_p_values(r.part, _own(r.part)) if r.way == "same" else r.part for r in results
    )
    decided: list[Shifted] = []
    for result in results:
        key, alone = result.part.key, result.way == "alone"
        status = after[key]
        if status == before["alone" if alone else "same"][key]:
            status = (alternative if alone else whole)[key].status
        decided.append(replace(result, part=replace(result.part, status=status)))
    return decided
