"""The first screen: cards made from the ledger, the crossover, and the table of predictions."""

from typing import Any

import pytest

from outcome_factories import part
from penalized_bandits.claims import CLAIMS
from penalized_bandits.pages.cards import NAMED, PLAIN, cards, crossover
from penalized_bandits.pages.predictions import effect, prediction
from penalized_bandits.pages.verdicts import VERDICTS


def claims(**verdicts: str) -> list[dict[str, Any]]:
    return [{"id": name, "verdict": VERDICTS[verdict]} for name, verdict in verdicts.items()]


def sentences(**verdicts: str) -> list[str]:
    """Return each card as it is read."""
    return [
        " | ".join((card.lead, *(claim for claim, _ in card.named), card.tail))
        for card in cards(claims(**verdicts))
    ]


def test_cards_say_what_the_ledger_says() -> None:
    assert sentences(
        C07="reproduced", C01="identity", C28="partly", C11="consistent", C02="not reproduced"
    ) == [
        "2 of 5 claims of the paper hold, among them that | C07 | .",
        "1 claim holds only in part: that | C28 | "
        "; 1 agrees with bounds so wide that they say little.",
        "1 claim fails as printed: that | C02 | .",
    ]


def test_cards_of_another_config_say_so() -> None:
    one_of_each = claims(C07="reproduced", C28="partly", C02="not reproduced")
    assert [card.lead for card in cards(one_of_each, other_config=True)] == [
        "Under this config 1 of 3 claims of the paper holds: that",
        "Under this config 1 claim holds only in part: that",
        "Under this config 1 claim fails as printed: that",
    ]
    (*_, fails) = cards(claims(C07="undecided"), other_config=True)
    assert fails.lead == "Under this config no claim of the paper fails"


def test_a_claim_moves_to_the_card_of_its_verdict() -> None:
    for verdict, place in (("reproduced", 0), ("partly", 1), ("not reproduced", 2)):
        found = cards(claims(C24=verdict))
        assert [[claim for claim, _ in card.named] for card in found][place] == ["C24"]
        assert sum(len(card.named) for card in found) == 1


def test_where_nothing_fails_or_nothing_holds() -> None:
    holds, limits, fails = sentences(C07="reproduced", C24="reproduced")
    assert holds == "2 of 2 claims of the paper hold: that | C07 | C24 | ."
    assert limits == "No claim holds only in part | ."
    assert fails == "No claim of the paper fails | ."
    holds, limits, fails = sentences(C07="undecided", C24="not measured")
    assert holds == "No claim holds whole | ."
    assert limits == "No claim holds only in part | ; of 2 too little is known."
    assert fails == "No claim of the paper fails | ."


def test_a_card_names_few_claims_and_the_most_telling_ones() -> None:
    (holds, *_) = cards(claims(**dict.fromkeys(CLAIMS, "reproduced")))
    assert [claim for claim, _ in holds.named] == list(PLAIN)[:NAMED]
    assert set(PLAIN) <= set(CLAIMS)


def test_crossover() -> None:
    parts = [
        part("K5_tau0.2 against ucb1", None, "fails"),
        part("setting_2_case_1 against ucb1", 3_043.0, low=2_900.0, high=3_300.0),
        part("movies_m0_2500 against ucb1", 323_543.0),
    ]
    said = crossover([{"id": "C34", "all_parts": parts}])
    assert "Here (Setting 2, case 1) UCB1" in said
    assert "T = 3,040 [2,900, 3,300]" in said
    assert "cross on 2 of 3 kinds of bandits, at T from 3,040 to 324,000" in said
    for rows in ([], [{"id": "C34", "all_parts": []}], [{"id": "C34", "all_parts": parts[:1]}]):
        assert crossover(rows) == "This config is too small to say where the curves cross."


LAW = "at T = 1000000 measured 24.54, predicted 24.69, limit 26.67 as T → ∞; the ratio changes"


def test_predictions_are_those_of_the_part_that_is_furthest_off() -> None:
    near = part("near", 1.0, detail=LAW)
    far = part("K5_tau0.2: hard", 1.04, low=1.03, high=1.05, detail=LAW.replace("24.5", "25.6"))
    row = {"id": "C07", "quantity": "mean regret (regular)", "all_parts": [near, far]}
    found = prediction({**row, "note": "The numbers are R(T)/log T. Its limit is 2."})
    assert found is not None
    assert found.what == "R(T)/log T"
    assert found.where == "K = 5, τ = 0.2: hard, T = 1,000,000, furthest of 2"
    assert (found.measured, found.predicted, found.limit) == ("25.64", "24.69", "26.67")
    assert found.ratio == "1.040 [1.030, 1.050]"
    # Where means are drawn there is no limit; where nothing is predicted there is no row.
    open_end = LAW.replace(", limit 26.67 as T → ∞", "")
    found = prediction({**row, "all_parts": [part("a", 1.0, detail=open_end)], "note": ""})
    assert found is not None
    assert (found.what, found.limit) == ("mean regret", "none")
    assert prediction({**row, "all_parts": [part("a", 1.0, detail="too small")]}) is None


def test_points_where_arms_turn_have_a_limit() -> None:
    detail = "between 0.73 and 0.76; as T → ∞ 0.9"
    turns = part("case_2 arm 8", 0.7411, limit=0.7438, least=0.73, most=0.76, detail=detail)
    row = {"id": "C26P", "quantity": "scale η (case 2)", "note": "", "all_parts": [turns]}
    found = prediction(row)
    assert found is not None
    assert (found.measured, found.predicted, found.limit) == ("0.7411", "0.7438", "0.9")
    assert found.ratio == ""


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (
            [(-5.0, 10.0), (-1.0, 100.0)],
            "−50.0 % to −1.0 % of a rival's regret, over 2 comparisons",
        ),
        ([(None, 10.0), (1.0, 0.0), (1.0, None)], ""),
    ],
)
def test_effects(parts: list[tuple[Any, Any]], said: str) -> None:
    rows = [part("a", estimate, stake=stake) for estimate, stake in parts]
    assert effect({"all_parts": rows}, "a rival's regret") == said
