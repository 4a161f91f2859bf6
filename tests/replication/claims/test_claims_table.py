"""The claims, the preregistration of their rules, and the claims table with its texts."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from declaration_checks import checks_of
from git_history import RULES
from outcome_factories import outcome, study
from penalized_bandits.common.files import write_text
from penalized_replication.claims import CLAIMS, LIST, experiments_of
from penalized_replication.claims.base import claim_of
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.results import (
    PAPERS,
    ClaimResult,
    decide,
    measure,
    read_results,
    to_json,
)
from penalized_replication.claims.table import preregistration
from penalized_replication.claims.table.preregistration import dates_of, path_of
from penalized_replication.claims.table.render import bound_text, described, facts_of
from penalized_replication.claims.table.tables import tally, to_markdown
from penalized_replication.command import SINCE, app
from penalized_replication.common.errors import ClaimError
from penalized_replication.experiments.catalogue import EXPERIMENTS
from programs import failed, printed
from publish import why_low_power
from register_claims import missing
from rule_helpers import above, below, result, unknown

PUBLISHED = "docs/published/claims.json"


CHECKS = checks_of(
    [*CLAIMS.values()], LIST.parent / "paper", LIST.parent / "notes", RULES, PUBLISHED
)


@pytest.mark.parametrize("what", CHECKS)
def test_claims_are_declared_preregistered_and_published(what: str) -> None:
    CHECKS[what]()


def test_every_experiment_has_a_claim() -> None:
    assert set(experiments_of(CLAIMS.values())) == set(EXPERIMENTS)


def test_evidence_is_in_the_folder_of_the_scenario_that_simulates_it() -> None:
    folders = {"log_laws": "scenarios/mine/", "setting_1": ""}
    for name, path in (
        ("C07", "scenarios/mine/summaries/log_laws.csv"),
        ("C24", "summaries/setting_1.csv"),
    ):
        assert described(ClaimResult(name), folders=folders).evidence == f"results/{path}"


HOLDS = Comparison(estimate=1.0, low=0.5, high=1.5, status="holds", case="one", label="case | one")


def test_a_measured_claim_is_described_by_its_declaration() -> None:
    bandit = (0.9, 0.7, 0.5), (0.1,) * 3, 0.5
    runs = [outcome(np.full((60, 2), 1000.0), 10_000, *bandit, tuning=0.5)]
    cases = {"case_1": {"means": [0.9, 0.7, 0.5], "fairness": [0.1] * 3}}
    evidence = study("equal_penalties", runs, horizons=[1000, 10_000], cases=cases)
    known = described(decide(measure("C10", evidence)))
    assert (known.interpretations, known.asked_by) == ("log_of", "the paper")
    assert (known.verdict, known.statuses["holds"]) == ("holds", 1)
    assert known.digest == claim_of("C10").digest
    assert (known.declared, known.changed) == dates_of("C10")
    with pytest.raises(ClaimError, match=f"no claim 'C99': known are {', '.join(CLAIMS)}$"):
        measure("C99", evidence)


def test_headline_best_and_power() -> None:
    small = above((0.9, 0.8, 1.0), 0.0, 15500.0, case="small")
    large = above((465.0, 450.0, 480.0), 0.0, 15500.0, case="large")
    row = result("C28", large, small).row()
    assert (row["estimate"], row["headline"]) == (0.9, "small")
    assert row["best"] == "large: 465 [450, 480]"
    assert row["effect"] == pytest.approx(0.9 / 15500)
    assert math.isnan(row["bound_ratio"])
    assert row["detection_10"] == row["detection_100"] == 1.0
    assert row["violation"] == "large: 0 missed by 10, 50 or 100 % of 15,500"
    row = result("C28", HOLDS).row()
    assert math.isnan(row["effect"])
    assert math.isnan(row["detection_50"])
    assert row["violation"] == ""


def test_results_survive_being_written(tmp_path: Path) -> None:
    numbers = {"values": {"ends": [1.5, math.inf]}, "horizon": 7}
    made = (
        Comparison(estimate=math.nan, low=-math.inf, high=math.inf, status="undecided", case="a"),
        Comparison(estimate=float(np.float64(2.0)), low=1.0, high=3.0, status="holds", **numbers),
    )
    first = result("C07", *made)
    path = tmp_path / "claims.json"
    path.write_text(to_json([first]), encoding="utf-8")
    row = json.loads(path.read_text(encoding="utf-8"))[0]
    assert (row["comparisons"][0]["estimate"], row["comparisons"][0]["low"]) == (None, "-inf")
    (second,) = read_results(path)
    assert to_json([second]) == to_json([first])
    # repr: NaN is unequal to itself, and since Python 3.13 so are comparisons that hold it.
    assert list(map(repr, second.comparisons)) == list(map(repr, made))


def test_a_row_and_a_tally_in_markdown() -> None:
    corrected = result("C22", HOLDS, verdict="holds", repeats="", corrected=True)
    assert tally([corrected]) == "holds 1 (1 of them corrected before it was judged)"
    # A bar within a cell would shift the columns.
    assert "(case \\| one): 1.00 [0.50, 1.50]" in to_markdown([corrected])
    assert to_markdown([result("C02")]).endswith(" | 0 / 0 / 0 |  |\n")
    algebra = to_markdown([result(n, HOLDS, verdict="holds by algebra") for n in ("C01", "C12")])
    (line,) = (line for line in algebra.splitlines() if line.startswith("**Hold by algebra**"))
    assert "C01" in line
    assert "C12" in line


def test_facts_have_no_empty_heading() -> None:
    facts = facts_of(result("C07", HOLDS))
    assert list(facts) == ["Rule", "Declared", "Confirmation", "Measured", "Note"]
    assert facts["Declared"] == "2026-11-21 (digest 0123456789ab)"
    changed = result("C07", HOLDS, changed="2 times, last on 2026-11-22", low_power="No limit.")
    assert facts_of(changed)["Declared"].startswith("2026-11-21, changed 2 times, last on")
    assert facts_of(changed)["Low power"] == "No limit."
    measured = facts_of(result("C07", unknown("no data", case="a")))["Measured"]
    assert measured.endswith("(a): no estimate")


@pytest.mark.parametrize(
    ("estimate", "verdict", "text"),
    [
        (0.035, "not contradicted", "× 28.6"),
        (0.9999, "holds", "× 1"),
        (2.0, "holds", ""),
        (0.2, "holds by algebra", ""),
    ],
)
def test_bound_text(estimate: float, verdict: str, text: str) -> None:
    shown = below((estimate, estimate, estimate), 1.0, case="a", status="holds")
    assert bound_text(result("C04", shown, verdict=verdict)) == text


def test_size_of_a_difference() -> None:
    shown = below((-5.0, -6.0, -4.0), 0.0, 50.0, case="a")
    assert facts_of(result("C24", shown))["Size"] == "−10 % of the reference scale"
    assert "Size" not in facts_of(result("C24", HOLDS))


@pytest.mark.parametrize(
    ("detection", "fields", "reason"),
    [
        ((0.1, 0.9, 1.0), {}, ""),
        ((0.1, 0.2, 0.4), {}, ""),
        ((0.1, 0.2, 0.4), {"low_power": "It has no limit."}, "It has no limit."),
        ((math.nan,) * 3, {"verdict": "undecided"}, "nothing is claimed"),
        (
            (0.1, 0.2, 0.4),
            {"verdict": "not contradicted"},
            "the bound is at least 2 times the measured value",
        ),
    ],
)
def test_low_power(detection: tuple[float, ...], fields: dict[str, str], reason: str) -> None:
    verdict = fields.pop("verdict", "holds")
    known = result("C07", HOLDS, verdict=verdict, detection=detection, **fields)
    assert why_low_power(known) == reason


def form(date: str, digest: str, same: str = "") -> dict[str, str]:
    return {"date": date, "digest": digest, "same": same}


def test_dates_are_those_of_changes_not_of_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    now = claim_of("C07").digest
    forms = [form("2026-01-01", "a"), form("2026-01-02", "b"), form("2026-01-03", now, "b")]
    monkeypatch.setattr(preregistration, "forms_of", lambda _: forms)
    assert dates_of("C07") == ("2026-01-01", "1 time, last on 2026-01-02")
    forms[2] = form("2026-01-03", now)
    assert dates_of("C07") == ("2026-01-01", "2 times, last on 2026-01-03")
    forms[2] = form("2026-01-03", "c")
    with pytest.raises(ClaimError, match=f"lacks the rule as it is now.*C07,.*,{now},"):
        dates_of("C07")


def test_paths_quote_the_verdicts_of_former_rules() -> None:
    assert path_of("C06", "not contradicted") == (
        "partly → not reproduced → consistent → not contradicted"
    )
    assert path_of("C36", "holds in part").startswith("reproduced → partly")
    assert described(ClaimResult("C01", verdict="holds by algebra")).path == ""


def test_the_lines_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    forms_of = preregistration.forms_of
    without = lambda name: [] if name == "C07" else forms_of(name)  # noqa: E731
    monkeypatch.setattr("register_claims.forms_of", without)
    assert [*missing("2026-01-01")] == [f"C07,2026-01-01,{claim_of('C07').digest},"]


TEXTS = {"where": "section 1", "statement": "It is so.", "rule": "It holds if it is."}
TEXTS |= {"evidence": "results/a.csv", "interpretations": "log_of", "quantity": "a number"}
TEXTS |= {"config": PAPERS, "confirmed": ""}
ONE_HOLDS = below((1.25, 1.2, 1.3), 2.0, case="one", label="K = 5, τ = 0.2", horizon=500)
ONE_FAILS = below((9.0, 8.0, 10.0), 7.0, label="[odd] case")
IN_PART = {"verdict": "holds in part", "asked_by": "the paper"}
RESULTS = [
    result("C07", ONE_HOLDS, ONE_FAILS, **TEXTS, **IN_PART),
    result("C34", unknown("no data", label="a"), **TEXTS, verdict="undecided", asked_by="us"),
]
TABLE = """\
The paper's claims
claim  verdict        hold / fail / undecided  where      statement
C07    holds in part                1 / 1 / 0  section 1  It is so.

The paper's claims: holds in part 1.

Our own questions
claim  verdict    hold / fail / undecided  where      statement
C34    undecided                0 / 0 / 1  section 1  It is so.

Our own questions: undecided 1.
"""
C07 = """\
C07 (section 1): holds in part
Statement: It is so.
Rule: It holds if it is.
Declared: 2026-11-21 (digest 0123456789ab)
Measured: a number ([odd] case): 9.0 [8.0, 10.0]
Best: K = 5, τ = 0.2 at T = 500: 1.250 [1.200, 1.300]
Bound: × 1.6 away
Detects: a violation by 10 % in 100 %, by 50 % in 100 %, by a factor 2 in 100 % of runs \
(K = 5, τ = 0.2 at T = 500: 1.1, 1.5 or 2 times 2)
Note: a note
Evidence: results/a.csv
Interpretations: log_of

comparison                             estimate  limit  status
K = 5, τ = 0.2 at T = 500  1.250 [1.200, 1.300]      2  holds
[odd] case                      9.0 [8.0, 10.0]      7  fails
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    write_text(folder / "claims" / "claims.json", to_json(RESULTS))
    return folder


def run(results: Path, *arguments: str) -> str:
    return printed("claims", *arguments, "--results", str(results), app=app)


def tidied(text: str) -> str:
    return re.sub(r" +\n", "\n", text).replace("\n\n\n", "\n\n")


def test_the_command_shows_all_claims_or_one_in_full(results: Path) -> None:
    assert tidied(run(results)) == TABLE
    assert tidied(run(results, "c07")) == C07


@pytest.mark.parametrize("names", ["C34 c07", "C07,c34", "C07, C34"])
def test_several_claims_in_full(results: Path, names: str) -> None:
    both = [run(results, name).rstrip("\n") for name in ("C07", "C34")]
    assert run(results, *names.split()) == "\n\n".join(both) + "\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, r"claims\.json is missing: make it with 'snakemake --cores all claims'"),
        *(
            (text, r"claims\.json holds no results of claims .*: delete it and run again")
            for text in ("{", '[{"comparisons": 1}]')
        ),
        ("[]", r"claims\.json has no claims: make it with 'snakemake --cores all claims'"),
    ],
)
def test_no_ledger(tmp_path: Path, content: str | None, said: str) -> None:
    if content is not None:
        write_text(tmp_path / "claims" / "claims.json", content)
    line = failed(f"claims --results {tmp_path}", 1, app)
    assert re.fullmatch(rf"penalized-replication: .*{said}", line)


def test_an_unknown_claim_is_named(results: Path) -> None:
    said = failed(f"claims C99 --results {results}", 1, app)
    assert "there is no claim C99: known are C07, C34" in said


def test_what_was_measured_since_the_ledger_is_said_first(results: Path, tmp_path: Path) -> None:
    write_text(
        tmp_path / "claims/measured/setting_4.json", to_json([ClaimResult("C29", missing="-")])
    )
    assert run(tmp_path).startswith(f"{SINCE}\n\nThe paper's claims\n")
    assert SINCE not in run(results)
