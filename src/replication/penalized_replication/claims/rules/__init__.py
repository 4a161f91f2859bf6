"""The rules that decide claims: frozen values that also write their own sentence."""

from penalized_replication.claims.rules.base import LEVEL, Rule, digest_of
from penalized_replication.claims.rules.bounds import BelowBound
from penalized_replication.claims.rules.differences import Family, Less, More, MoreAtEveryLevel
from penalized_replication.claims.rules.laws import AsPredicted
from penalized_replication.claims.rules.limits import Above, Below, Exactly, RareWithoutRise, Within
from penalized_replication.claims.rules.order import LastSign

__all__ = [
    "LEVEL",
    "Above",
    "AsPredicted",
    "Below",
    "BelowBound",
    "Exactly",
    "Family",
    "LastSign",
    "Less",
    "More",
    "MoreAtEveryLevel",
    "RareWithoutRise",
    "Rule",
    "Within",
    "digest_of",
]
