"""The first screen: cards made from claims, the crossover, and the table of predictions."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from config_helpers import ROOT
from pages_helpers import PAPERS, Reader
from penalized_replication.claims import claim
from penalized_replication.claims.base import DECLARED
from penalized_replication.claims.comparisons import Comparison, Interval
from penalized_replication.claims.results import ClaimResult, read_results
from penalized_replication.pages.cards import first_screens, named, predictions
from penalized_replication.pages.render import environment
from rule_helpers import below, result, unknown, within


def screen(name: str, results: Sequence[ClaimResult], *, other_config: bool = False) -> Any:
    """Return the macros of a template, about results."""
    about = {**first_screens(results), "origin": SimpleNamespace(changes=other_config)}
    return environment().get_template(f"{name}.html.j2").make_module(about)


def claims(**verdicts: str) -> list[ClaimResult]:
    return [result(name, verdict=v, asked_by="the paper") for name, v in verdicts.items()]


def sentences(*, other_config: bool = False, **verdicts: str) -> list[str]:
    """Return the sentences of the cards, without the plain words of claims."""
    text = screen("cards", claims(**verdicts), other_config=other_config).cards()
    found = [Reader(part).text for part in re.findall(r"(?s)<p>.*?</p>", text)]
    return [re.sub(r"\bthat [^()]*\((\w+)\)", r"\1", sentence) for sentence in found]


def test_cards_say_what_the_claims_table_says() -> None:
    assert sentences(
        C07="holds",
        C01="holds by algebra",
        C28="holds in part",
        C11="not contradicted",
        C02="fails",
    ) == [
        "2 of 5 claims of the paper hold (1 measured, 1 by algebra): C07 and C01.",
        "1 claim holds only in part: C28; 1 agrees with bounds at least a factor 2 away.",
        "1 claim fails in the arXiv text: C02.",
    ]


def test_the_finding_counts_what_fails() -> None:
    results = claims(C07="holds", C02="fails")
    fails = "Of 2 statements of the paper 1 fails in the arXiv text."
    assert screen("cards", results).finding == fails
    config = "Under this config 1 of 2 claims of the paper hold."
    assert screen("cards", results, other_config=True).finding == config


def test_cards_of_another_config_say_so() -> None:
    assert sentences(C07="holds", C28="holds in part", C02="fails", other_config=True) == [
        "Under this config 1 of 3 claims of the paper holds: C07.",
        "Under this config 1 claim holds only in part: C28.",
        "Under this config 1 claim fails in this run (only a full one can judge the text): C02.",
    ]
    (*_, fails) = sentences(C07="undecided", other_config=True)
    assert fails == "Under this config no claim of the paper fails."


def test_where_nothing_fails_or_nothing_holds() -> None:
    holds, limits, fails = sentences(C07="holds", C24="holds")
    assert holds == "2 of 2 claims of the paper hold: C07 and C24."
    assert limits == "No claim holds only in part."
    assert fails == "No claim of the paper fails."
    holds, limits, fails = sentences(C07="undecided", C24="not measured")
    assert holds == "No claim holds whole."
    assert limits == "No claim holds only in part; of 2 too little is known."
    assert fails == "No claim of the paper fails."


def test_a_card_names_few_claims_and_the_most_telling_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [name for name, _ in named(PAPERS)] == ["C07", "C24"]
    # One that is not in the list comes last; one in the list that is removed leaves no gap.
    monkeypatch.setitem(DECLARED, "C17", replace(claim("C17"), plain="regret is as proved"))
    assert [name for name, _ in named(["C07", "C17"])] == ["C07", "C17"]
    # With equal fractions Theorem 4.1 gives each arm its share.
    assert "unequal shares, too, no arm lacks a pull" in claim("C02").plain


def test_every_claim_of_the_paper_has_plain_words() -> None:
    assert [name for name in PAPERS if not claim(name).plain] == []


def overtaking(label: str, *interval: float, **values: float) -> Comparison:
    fields: dict[str, Any] = {"label": label, "values": {"unworthy": 4 / 30, **values}}
    return below(interval, math.inf, **fields) if interval else unknown("", **fields)  # type: ignore[arg-type]


def test_scenes() -> None:
    comparisons = [
        overtaking("K = 5, τ = 0.2"),
        overtaking("MovieLens, m₀ = 2,500", 323_543.0, 323_543.0, 323_543.0),
        overtaking("Setting 2, case 1", 16_077.0, 15_892.0, 16_263.0),
    ]
    published = read_results(ROOT / "docs/published/claims.json")
    rest = [result for result in published if result.id not in {"C34", "C36"}]
    committing = result("C36", *(overtaking("movies", ratio=x, last=1000) for x in (0.1, 2.44)))
    found = [*rest, result("C34", *comparisons), committing]
    rows, scene = first_screens(found)["scenes"], screen("scenes", found)
    assert "on 2 of 3 kinds of bandits, on 1 of these clearly beyond T = 16,000" in scene.text(
        "late"
    )
    more = scene.more("late")
    assert "in 13 % of the replicates of MovieLens, m₀ = 2,500, UCB1 stays ahead" in more
    assert "At T = 1,000 the hard threshold has 2.4 (movies) times the mean regret" in more
    assert [number for *_, number in rows["late"]] == ["16,100", "324,000"]
    assert scene.title("owed", rows["owed"]) == "Owed 90 %, given 66 %"
    # The margin, and so the bandit, differs with T; on one bandit the shortfall is bounded.
    assert "in another bandit, each at the theorem&#39;s margin. On a" in scene.text("owed")
    # Without a crossing there is no such scene, and the title is the paper's.
    for results in ([], [result("C34")], [result("C34", comparisons[0])]):
        assert list(first_screens(results)["scenes"]) == ["why"]
        assert screen("cards", results).headline.startswith("On Penalization")


def law(label: str, interval: Interval, asymptote: float = math.nan) -> Comparison:
    fields = {"label": label, "measured": 25.64, "predicted": 24.69, "asymptote": asymptote}
    return within(interval, 0.95, 1.05, 1.0, **fields)


def test_predictions_are_those_of_the_comparison_that_is_furthest_off() -> None:
    near = law("near", (1.0, 1.0, 1.0), 26.67)
    far = law("K = 5, τ = 0.2", (1.04, 1.03, 1.05), 26.67)
    (row,) = predictions([result("C07", near, far, quantity="mean regret"), result("C08")])
    assert (row["claim"], row["quantity"]) == ("C07", "mean regret")
    assert row["where"] == "K = 5, τ = 0.2, furthest of 2"
    assert (row["measured"], row["predicted"], row["limit"]) == ("25.64", "24.69", "26.67")
    assert row["ratio"] == "1.040 [1.030, 1.050]"
    # Without a limit; without a prediction there is no row.
    (row,) = predictions([result("C07", law("a", (1.0, 1.0, 1.0)))])
    assert row["limit"] == "none"
    assert not [*predictions([result("C07", unknown("too small", case="a"))])]


def test_measured_over_predicted_is_near_the_ratio_of_the_two_columns() -> None:
    for row in predictions(read_results(ROOT / "docs/published/claims.json")):
        ratio = float(row["measured"].replace(",", "")) / float(row["predicted"].replace(",", ""))
        assert float(row["ratio"].split(" ")[0]) == pytest.approx(ratio, abs=0.05), row["claim"]
