"""The registry of claims, and the ledger: rows, tables and pages."""

import ast
import json
import math
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from penalized_bandits.claims.ledger.reading import facts
from penalized_bandits.claims.measured import to_json

from outcome_factories import Runs, outcome
from penalized_bandits.claims import CLAIMS, TOPICS, claim, claims_of, every_claim, experiments_of
from penalized_bandits.claims.base import Finding, Kind, Part, Status, Verdict, above
from penalized_bandits.claims.extended import EXTENDED_CLAIMS
from penalized_bandits.claims.ledger import (
    COLUMNS,
    PART_COLUMNS,
    check,
    claims_table,
    parts_table,
)
from penalized_bandits.claims.ledger.register import dates_of, digest_of
from penalized_bandits.claims.sharp import SHARP_CLAIMS
from penalized_bandits.common.errors import ClaimError
from penalized_bandits.experiments.catalogue import EXPERIMENTS, experiment
from penalized_bandits.experiments.extended import EXTENSIONS, SHARP

CONTRACT = ("id", "where", "statement", "rule", "estimate", "ci_low", "ci_high", "verdict")
VERDICTS = set(get_args(Verdict)) - {*get_args(Status), *get_args(Kind)}
"""Words that are verdicts and nothing else."""
FOLDER = Path(__file__).parents[2] / "src/penalized_bandits/claims"
EVERY = every_claim()

# --- Registry --------------------------------------------------------------------


def test_the_registries_have_every_claim() -> None:
    added = {"C06P", "C26P", "C33R", "C50", "C51", "C52"}
    assert {f"C{number:02}" for number in range(1, 46)} | added == set(CLAIMS)
    assert {f"E{number:02}" for number in range(1, 11)} == set(EXTENDED_CLAIMS)
    assert {f"S{number:02}" for number in range(1, 9)} == set(SHARP_CLAIMS)
    for name, entry in EVERY.items():
        assert entry.id == name
        assert entry.module.startswith(f"{name.lower()}_")
        for stem in entry.experiments:
            assert experiment(stem).id == stem
    # Each claim's file is in a registry.
    for folder, first, registry in (
        ("paper", "c", CLAIMS),
        ("beyond", "e", EXTENDED_CLAIMS),
        ("sharp", "s", SHARP_CLAIMS),
    ):
        files = {path.stem for path in (FOLDER / folder).glob(f"{first}[0-9]*.py")}
        assert files == {entry.module for entry in registry.values()}


def test_topics_share_out_the_claims() -> None:
    assert sorted(e.id for topic in TOPICS for e in claims_of(topic)) == sorted(CLAIMS)
    assert {e for topic in TOPICS for e in experiments_of(topic)} == set(EXPERIMENTS)


@pytest.mark.parametrize("name", EVERY)
def test_a_claim_says_what_where_and_when_it_fails(name: str) -> None:
    found = claim(name)
    for text in (found.where, found.statement, found.rule):
        assert len(text) >= 5
        assert " ".join(text.split()) == text
    assert "hold" in found.rule.lower()
    assert "fail" in found.rule.lower()
    assert found.statement.endswith(".")
    assert found.rule.endswith((".", ")"))


@pytest.mark.parametrize("name", EVERY)
def test_the_evidence_of_a_claim_is_made_and_is_its_own(name: str) -> None:
    made = {f"results/{name}/claims.json" for name in ("claims", "sharp")}
    made |= {"results/extended/comparison_by_case.csv"}
    made |= {f"results/summaries/{name}.csv" for name in (*EXPERIMENTS, *EXTENSIONS, *SHARP)}
    entry = EVERY[name]
    path, experiments = claim(name).evidence or entry.summary, entry.experiments
    assert path in made
    stem = Path(path).stem
    # Where no summary shows it, its parts in the ledger do.
    assert not experiments or stem in (*experiments, "comparison_by_case", "claims")


@pytest.mark.parametrize("name", EVERY)
def test_no_claim_knows_its_verdict(name: str) -> None:
    entry = EVERY[name]
    source = (FOLDER / entry.folder / f"{entry.module}.py").read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(source)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names |= {
        f"{getattr(node, 'module', '')}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom | ast.Import)
        for alias in node.names
    }
    last = {name.rpartition(".")[2] for name in names}
    assert not last & {"verdict_of", "verdict", "Verdict", "expected", "CLAIMS", "EXTENDED_CLAIMS"}
    assert not any("ledger" in name or "sensitivity" in name for name in names)
    strings = {node.value for node in nodes if isinstance(node, ast.Constant)}
    # A kind of claim has the name of its verdict.
    unknown = VERDICTS - {"identity"}
    assert not unknown & {value for value in strings if isinstance(value, str)}


def test_unknown_claim() -> None:
    with pytest.raises(ClaimError, match=r"no claim 'C99': known are C01, C02.* E01.* S08$"):
        check("C99", Runs({}))


# --- Rows ------------------------------------------------------------------------

HOLDS = Part("case | one", 1.0, 0.5, 1.5, "holds")
UNDECIDED = replace(HOLDS, name="case two", status="undecided")


def c23() -> Runs:
    """Evidence on C23, whose one part holds."""
    case = {"means": [0.9, 0.5], "fairness": [0.1, 0.1]}
    sizes = {"replicates": 4, "policies": ["hard_threshold_ucb"], "horizons": [20, 40]}
    run = outcome(np.full((4, 1), 4.0), 40, (0.9, 0.5), (0.1, 0.1), 0.2, tuning=0.2)
    return Runs(
        {"equal_penalties": [run]}, {"equal_penalties": {**sizes, "cases": {"case_1": case}}}
    )


def row(
    monkeypatch: pytest.MonkeyPatch, name: str = "C23", *parts: Part, note: str = ""
) -> dict[str, Any]:
    """Return the row of a claim that finds these parts."""
    entry = CLAIMS[name]
    module = f"penalized_bandits.claims.paper.{entry.module}.CLAIM"
    found = replace(claim(name), measure=lambda _: Finding("pulls", parts, note=note))
    with monkeypatch.context() as patched:
        patched.setattr(module, found)
        return check(name, c23())


@pytest.fixture(name="rows", scope="module")
def rows_fixture() -> list[dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patched:
        return [row(patched, name, HOLDS, UNDECIDED, note="a note") for name in CLAIMS]


def test_check_makes_a_row_of_the_contract() -> None:
    found = check("C23", c23())
    assert tuple(key for key in found if key in COLUMNS) == COLUMNS
    assert COLUMNS[: len(CONTRACT) + 1] == (*CONTRACT, "evidence")
    assert (found["id"], found["readings"]) == ("C23", "log_of")
    assert found["verdict"] in {"reproduced", "consistent"}
    assert found["parts"] == len(found["all_parts"]) == 1
    assert [found[key] for key in ("hold", "fail", "undecided", "vacuous")] == [1, 0, 0, 0]


def test_a_row_counts_parts_of_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [HOLDS] * 4, [replace(HOLDS, status="fails")] * 3, [UNDECIDED] * 2
    parts = [part for kind in kinds for part in kind]
    found = row(monkeypatch, "C24", *parts, replace(HOLDS, status="vacuous"))
    assert [found[key] for key in ("hold", "fail", "undecided", "vacuous")] == [4, 3, 2, 1]
    assert found["verdict"] == "partly"


def test_a_row_says_who_asks_and_when_the_rule_was_declared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = check("C23", c23())
    assert found["asked_by"] == "the paper"
    assert found["digest"] == digest_of(claim("C23"))
    assert (found["declared"], found["changed"]) == dates_of("C23", found["digest"])
    assert found["declared"] >= "2026-11-21"
    for name in CLAIMS:
        asked = "us" if claim(name).ours else "the paper"
        assert row(monkeypatch, name, HOLDS)["asked_by"] == asked


def test_a_row_has_the_worst_and_the_best_part_and_what_is_at_stake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small = above("small", 0.9, 0.8, 1.0, 0.0, stake=15500.0)
    large = above("large", 465.0, 450.0, 480.0, 0.0, stake=15500.0)
    bad = above("bad", -31.0, -32.0, -30.0, 0.0, stake=15500.0)
    found = row(monkeypatch, "C28", large, small)
    assert (found["estimate"], found["quantity"]) == (0.9, "pulls (small)")
    assert found["best"] == "large: 465 [450, 480]"
    assert found["of_stake"] == pytest.approx(0.9 / 15500)
    assert found["slack"] is None
    assert found["notices_10"] == found["notices_100"] == 1.0
    assert found["violation"] == "large: 0 missed by 10, 50 or 100 % of 15,500"
    found = row(monkeypatch, "C28", large, bad)
    assert (found["estimate"], found["of_stake"]) == (-31.0, -0.002)
    found = row(monkeypatch, "C28", HOLDS)
    assert [found[k] for k in ("of_stake", "notices_50", "violation")] == [None, None, ""]


def test_a_claim_of_which_nothing_came_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    found = row(monkeypatch)
    assert found["verdict"] == "not measured"
    assert "nothing in equal_penalties is what it speaks of" in found["note"]


# --- Tables and pages ------------------------------------------------------------


def test_csv_round_trip(rows: list[dict[str, Any]]) -> None:
    found = pd.read_csv(StringIO(claims_table(rows).to_csv(index=False)))
    assert tuple(found.columns) == COLUMNS
    for name in ("id", "statement", "rule", "verdict", "evidence"):
        assert found[name].to_list() == [r[name] for r in rows]
    parts = pd.read_csv(StringIO(parts_table(rows).to_csv(index=False)))
    assert tuple(parts.columns) == PART_COLUMNS
    assert PART_COLUMNS[:2] == ("id", "part")
    assert len(parts) == 2 * len(rows)
    assert parts["part"].to_list()[:2] == ["case | one", "case two"]


def test_numbers_that_are_not_finite_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = (
        Part("a", math.nan, -math.inf, math.inf, "undecided"),
        Part("b", np.float64(2.0), np.float64(1.0), np.float64(3.0), "holds"),
    )
    found = json.loads(to_json([row(monkeypatch, "C07", *parts)]))
    first, second = found[0]["all_parts"]
    assert (first["estimate"], first["low"], first["high"]) == (None, "-inf", "inf")
    assert second["estimate"] == 2.0
    # And read back for reading: pages and tables of such rows.
    assert facts(found[0])["Measured"]
    assert len(parts_table(found)) == 2
    assert "C07" in claims_table(found).to_csv()
