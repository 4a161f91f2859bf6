"""How regret grows with T."""

from typing import Any

from penalized_replication.claims.comparisons import Measurement, Place
from penalized_replication.claims.horizon_series import HorizonSeries
from penalized_replication.claims.measures.growth import exponent
from penalized_replication.common.errors import NotMeasuredError

EXPONENT = "exponent of mean regret in T from the first horizon to the last"


def growth_exponent(series: HorizonSeries, **fields: Any) -> Measurement:
    """Return the exponent of mean regret in T between the first horizon and the last."""
    if len(series) < 2:
        raise NotMeasuredError("growth takes two horizons, not one")
    before, *_, after = series.regrets()
    place = Place(case=series.instance, label=series.label)
    interval = exponent(before, after, series.horizons[-1] / series.horizons[0])
    if interval is None:
        return Measurement(None, place, **fields).undecided("regret is not positive")
    return Measurement(interval, place, **fields)
