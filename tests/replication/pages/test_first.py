"""The first screen: bandits of the chart, what holds and what fails, and points of Figure 1."""

import math
import re
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd

from pages_helpers import PAPERS, Reader
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.results import ClaimResult
from penalized_replication.pages.first import first_screen
from penalized_replication.pages.render import environment
from penalized_replication.summaries import COLUMNS
from rule_helpers import below, result, unknown

HARD, UCB1, SOFT = "hard_threshold_ucb", "ucb1", "soft_threshold_ucb"
NOTHING: Any = SimpleNamespace(file=lambda *_: None)


def screen(
    results: Sequence[ClaimResult], tables: Any = NOTHING, *, other_config: bool = False
) -> Any:
    """Return the macros of the first screen, about results and tables."""
    about = {"origin": SimpleNamespace(changes=other_config), "entries": CLAIMS}
    about |= first_screen(tables, results)
    return environment().get_template("first.html.j2").make_module(about)


def claims(**verdicts: str) -> list[ClaimResult]:
    return [result(name, verdict=v, asked_by="the paper") for name, v in verdicts.items()]


def sentences(results: Sequence[ClaimResult], tables: Any = NOTHING, **options: Any) -> list[str]:
    text = screen(results, tables, **options).verdicts()
    return [Reader(item).text for item in re.findall(r"(?s)<li>.*?</li>", text)]


MIXED = {"C07": "holds", "C01": "holds by algebra", "C27": "holds in part"}
MIXED |= {"C05": "not contradicted", "C11": "no verdict", "C02": "fails"}


def test_sentences_count_what_the_claims_table_has() -> None:
    holds, wide, part, fails = sentences(claims(**MIXED))
    assert holds.startswith(
        "2 of 6 statements of the paper hold, 1 by algebra, among them that the"
    )
    assert "if penalty rates stay fixed and apart from the gaps (C07)" in holds
    assert wide.startswith("1 is not contradicted, but")
    assert wide.endswith("bounds; 1 gets no verdict.")
    assert part == f"1 holds in part: that {CLAIMS['C27'].plain} (C27)."
    assert fails == f"1 fails in the arXiv text: that {CLAIMS['C02'].plain} (C02)."


def test_sentences_of_another_config_say_so() -> None:
    holds, *_, fails = sentences(claims(**MIXED), other_config=True)
    assert holds.startswith("Under this config 2 of 6 statements")
    assert fails.startswith("1 fails in this run, which is too small to judge the text: that")
    assert sentences(claims(C07="undecided"))[0] == "0 of 1 statements of the paper hold."


def test_a_square_for_each_claim_that_counts() -> None:
    repeated = result("C44", verdict="holds", asked_by="the paper", repeats="C16")
    ours = result("C34", verdict="descriptive", asked_by="us")
    squares = Reader(screen([*claims(**MIXED), repeated, ours]).squares())
    assert [one["href"] for one in squares.all("a")] == [
        f"#{name}" for name in ("C07", "C01", "C05", "C27", "C02", "C11")
    ]
    assert "C27 holds in part" in squares.text


def test_every_claim_of_the_paper_has_plain_words() -> None:
    assert [name for name in PAPERS if not CLAIMS[name].plain] == []
    # With equal fractions Theorem 4.1 gives each arm its share.
    assert "unequal shares, too, no arm lacks a pull" in CLAIMS["C02"].plain


def tables_of(folder: Path, **regrets: dict[tuple[Any, ...], dict[str, float]]) -> Any:
    """Return material with summaries, as {(case, K, tau, T): {policy: mean regret}}."""
    for name, cells in regrets.items():
        rows = [
            {"setting": name, "case": case, "label": case, "n_arms": arms, "total_fairness": total}
            | {"horizon": t, "policy": policy, "metric": "penalized_regret", "mean": mean}
            | {"ci_low": mean - 1, "ci_high": mean + 1, "n_replicates": 8}
            for (case, arms, total, t), means in cells.items()
            for policy, mean in means.items()
        ]
        pd.DataFrame(rows, columns=list(COLUMNS)).to_csv(folder / f"{name}.csv", index=False)
    there = {name: folder / f"{name}.csv" for name in regrets}
    return SimpleNamespace(file=lambda name, _: there.get(name))


def overtaking(case: str, *interval: float, **values: float) -> Comparison:
    fields: dict[str, Any] = {"case": case, "label": case, "values": values}
    return below(interval, math.inf, **fields) if interval else unknown("", **fields)  # type: ignore[arg-type]


def test_bandits_of_the_chart(tmp_path: Path) -> None:
    two = {HARD: 9.0, UCB1: 5.0}
    both = {**two, "explore_then_commit": 7.0}
    drawn = {
        ("K5_tau0.4", 5, 0.4, 100): both,
        ("K5_tau0.2", 5, 0.2, 100): both,
        ("K5_tau0.2", 5, 0.2, 300): two,
        ("K5_tau0.2", 5, 0.2, 1000): {**both, HARD: 20.0, UCB1: 60.0},
        ("setting_2_case_1", 8, 0.5, 100): both,
    }
    tables = tables_of(tmp_path, crossover=drawn, movie_crossover={("movies", 13, 0.5, 100): two})
    late = overtaking("K5_tau0.2", 42858.1, 34599.9, 55221.1, unworthy=0.125)
    shown = screen([result("C34", late)], tables)
    first, movies = first_screen(tables, [result("C34", late)])["bandits"]
    assert [shown.chip(one) for one in (first, movies)] == [
        "5 options, 4 % owed to each",
        "13 movies",
    ]
    # Horizons that all policies have; Figure 1 has such bandits, and no movies.
    assert [t for t, _ in first["rows"]] == [100, 1000]
    assert first["rows"][-1][1] == [[20, 19, 21], [60, 59, 61], [7, 6, 8]]
    assert (first["ends"], movies["ends"]) == (16_000, 0)
    assert Reader(shown.said(first)).text == (
        "The promise pays after about 42,900 choices [34,600, 55,200]. After 1,000 it has cost "
        "20.0 [19.0, 21.0], paying the fines 60.0 [59.0, 61.0], exploring first 7.0 [6.0, 8.0]. "
        "Paying stays ahead in the 12 % of draws in which no option is worth its share."
    )
    assert (
        "No crossing is clear by 100 choices. After 100 it has cost"
        in Reader(shown.said(movies)).text
    )
    assert shown.headline.startswith("Fair shares pay off")
    # Without a crossing beyond Figure 1's horizons the title is the paper's.
    for results in ([], [result("C34", overtaking("K5_tau0.2"))]):
        assert screen(results, tables).headline.startswith("On Penalization")
    assert first_screen(NOTHING, [])["bandits"] == []


def test_points_of_figure_1_and_movies(tmp_path: Path) -> None:
    points = {("a", 5, 0.2, t): {HARD: 5.0, UCB1: 5.0 - t, SOFT: 2.0 - t} for t in (-1, 1, 2)}
    tables = tables_of(tmp_path, setting_1=points)
    committing = result(
        "C36", *(overtaking(x, ratio=r, last=1000) for x, r in (("m", 2.44), ("n", 0.1)))
    )
    *_, ahead, behind = sentences([*claims(C07="holds"), committing], tables)
    assert ahead == (
        "Up to T = 2, where Figure 1 ends, UCB1, which ignores the shares, has less mean penalized "
        "regret than the paper's policy at 2 of its 3 points and Soft-threshold UCB at 3."
    )
    assert behind == (
        "Explore-then-commit, which knows T, has less mean penalized regret at T = 1,000: "
        "2.4 times less (m) (C36)."
    )
