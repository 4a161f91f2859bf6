"""The registry of claims, the register of rules, and the ledger: results, tables and its texts."""

import json
import math
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from test_rules_fair_arms import equal

import declaration_checks
from config_helpers import ROOT
from git_history import RULES
from penalized_replication.claims import CLAIMS, REGISTER, claim, experiments_of
from penalized_replication.claims.ledger.register import dates_of, digest_of, register
from penalized_replication.claims.ledger.render import NOTES, bound_text, facts_of, tell
from penalized_replication.claims.ledger.tables import tally, to_markdown
from penalized_replication.claims.parts import Part, above, below, exact, unknown
from penalized_replication.claims.results import ClaimResult, decide, measure, read_results, to_json
from penalized_replication.common.errors import ClaimError
from penalized_replication.experiments.catalogue import EXPERIMENTS
from publish import why_low_power
from register_claims import main, missing
from rule_helpers import result

PUBLISHED = "docs/published/claims.json"
CONTRACT = ("id", "where", "statement", "rule", "estimate", "ci_low", "ci_high", "verdict")


def test_every_module_and_template_belongs_to_a_claim() -> None:
    declaration_checks.check_files(REGISTER.parents[1] / "paper", NOTES, CLAIMS.values())


def test_every_experiment_has_a_claim() -> None:
    assert set(experiments_of(CLAIMS.values())) == set(EXPERIMENTS)


@pytest.mark.parametrize("name", CLAIMS)
def test_declaration_has_all_texts_and_its_evidence(name: str) -> None:
    declaration_checks.check_declaration(name)


def test_evidence_is_in_the_folder_of_the_scenario_that_simulates_it() -> None:
    homes = {"log_laws": "scenarios/mine/", "setting_1": ""}
    for name, path in (
        ("C07", "scenarios/mine/summaries/log_laws.csv"),
        ("C24", "summaries/setting_1.csv"),
    ):
        assert tell(ClaimResult(name), homes=homes).evidence == f"results/{path}"


@pytest.mark.parametrize("module", sorted({entry.module for entry in CLAIMS.values()}))
def test_no_claim_knows_its_verdict(module: str) -> None:
    declaration_checks.check_knows_no_verdict(module)


HOLDS = Part(estimate=1.0, low=0.5, high=1.5, status="holds", case="one", label="case | one")


def test_a_measured_claim_is_told_with_its_declaration() -> None:
    described = tell(decide(measure("C23", equal(0.0))))
    assert (described.readings, described.asked_by) == ("log_of", "the paper")
    assert described.verdict in {"reproduced", "consistent"}
    assert len(described.parts) == described.statuses["holds"] == 1
    assert described.digest == digest_of(claim("C23"))
    assert (described.declared, described.changed) == dates_of("C23", described.digest)
    assert tuple(described.row())[: len(CONTRACT) + 1] == (*CONTRACT, "evidence")
    with pytest.raises(ClaimError, match=f"no claim 'C99': known are {', '.join(CLAIMS)}$"):
        measure("C99", equal(0.0))


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
    parts = (
        Part(estimate=math.nan, low=-math.inf, high=math.inf, status="undecided", case="a"),
        Part(estimate=float(np.float64(2.0)), low=1.0, high=3.0, status="holds", **numbers),
    )
    first = result("C07", *parts)
    path = tmp_path / "claims.json"
    path.write_text(to_json([first]), encoding="utf-8")
    row = json.loads(path.read_text(encoding="utf-8"))[0]
    assert (row["parts"][0]["estimate"], row["parts"][0]["low"]) == (None, "-inf")
    (second,) = read_results(path)
    assert to_json([second]) == to_json([first])
    # repr: NaN is unequal to itself, and since Python 3.13 so are parts that hold it.
    assert list(map(repr, second.parts)) == list(map(repr, parts))


def test_a_row_and_a_tally_in_markdown() -> None:
    mended = replace(result("C01", HOLDS, verdict="reproduced"), mended=True)
    assert tally([mended]) == "1 reproduced (1 of them mended before it was judged)"
    # A bar within a cell would shift the columns.
    assert "(case \\| one): 1.00 [0.50, 1.50]" in to_markdown([mended])
    assert to_markdown([result("C02")]).endswith(" | 0 / 0 / 0 |  |\n")


def test_facts_have_no_empty_heading() -> None:
    facts = facts_of(result("C07", HOLDS))
    assert list(facts) == ["Rule", "Declared", "Measured", "Note"]
    assert facts["Declared"] == "2026-11-21 (wording 0123456789ab)"
    changed = result("C07", HOLDS, changed="2 times, last on 2026-11-22", low_power="No limit.")
    assert facts_of(changed)["Declared"].startswith("2026-11-21, changed 2 times, last on")
    assert facts_of(changed)["Low power"] == "No limit."
    unknown_estimate = facts_of(result("C07", unknown("no data", case="a")))
    assert unknown_estimate["Measured"].endswith("(a): no estimate")


@pytest.mark.parametrize(
    ("estimate", "verdict", "text"),
    [
        (0.035, "consistent", "× 28.6"),
        (0.9999, "reproduced", "× 1"),
        (2.0, "reproduced", ""),
        (0.2, "identity", ""),
    ],
)
def test_bound_text(estimate: float, verdict: str, text: str) -> None:
    part = replace(below(exact(estimate), 1.0, case="a"), status="holds")
    assert bound_text(result("C04", part, verdict=verdict)) == text


def test_size_of_a_difference() -> None:
    part = below((-5.0, -6.0, -4.0), 0.0, 50.0, case="a")
    assert facts_of(result("C24", part))["Size"] == "−10 % of the reference scale"
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
            {"verdict": "consistent"},
            "the bound is at least 2 times the measured value",
        ),
    ],
)
def test_low_power_has_a_reason(
    detection: tuple[float, ...], fields: dict[str, str], reason: str
) -> None:
    verdict = fields.pop("verdict", "reproduced")
    described = result("C07", HOLDS, verdict=verdict, detection=detection, **fields)
    assert why_low_power(described) == reason


def test_every_rule_is_declared() -> None:
    lines = missing(date.today().isoformat())
    assert lines == [], (
        f"rules of another wording than the register's: commit these lines at the end of {RULES}, "
        "with the claims and before any result:\n" + "\n".join(lines)
    )


def test_the_register_is_in_order() -> None:
    assert (ROOT / RULES).samefile(REGISTER)
    declaration_checks.check_wordings()


def test_dates_are_those_of_the_first_and_the_last_wording(monkeypatch: pytest.MonkeyPatch) -> None:
    wordings = {"C01": [("2026-01-01", "a"), ("2026-01-02", "b"), ("2026-01-03", "c")]}
    monkeypatch.setattr("penalized_replication.claims.ledger.register.register", lambda: wordings)
    assert dates_of("C01", "c") == ("2026-01-01", "2 times, last on 2026-01-03")
    # A rule whose wording is not the last one has not been declared.
    assert dates_of("C01", "b") == dates_of("C02", "c") == ("", "")
    assert dates_of("C01") == dates_of("C01", "c")
    wordings["C01"] = wordings["C01"][:2]
    assert dates_of("C01", "b") == ("2026-01-01", "1 time, last on 2026-01-02")
    wordings["C01"] = wordings["C01"][:1]
    assert dates_of("C01", "a") == ("2026-01-01", "")


def test_the_lines_that_are_missing_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    less = {name: rows for name, rows in register().items() if name != "C07"}
    monkeypatch.setattr("penalized_replication.claims.ledger.register.register", lambda: less)
    digest = digest_of(claim("C07"))
    assert f"C07,2026-12-01,{digest}" in missing("2026-12-01")
    main()
    assert re.search(rf"(?m)^C07,\d{{4}}-\d\d-\d\d,{digest}$", capsys.readouterr().out)


def test_rules_were_committed_before_their_results() -> None:
    declaration_checks.check_rules_before_results(PUBLISHED, RULES)


def test_a_published_rule_of_low_power_has_a_reason() -> None:
    declaration_checks.check_power(PUBLISHED)
