"""Power of the rules in the published ledgers: no rule has low power without a reason."""

from docs_pages import ROOT
from penalized_bandits.claims.ledger.render import has_low_power, why_low_power
from penalized_bandits.claims.results import read_results

LEDGERS = [ROOT / f"docs/published/{name}.json" for name in ("claims", "extended", "sharp")]
PUBLISHED = read_results(*LEDGERS)


def test_a_rule_of_low_power_has_a_reason() -> None:
    excused = {"consistent", "identity", "undecided", "not measured", "not reproduced"}
    without = [
        one.id
        for one in PUBLISHED
        if has_low_power(one) and one.verdict not in excused and not why_low_power(one)
    ]
    assert without == []
