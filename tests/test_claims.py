"""The machinery of claims: parts, verdicts, evidence, ledger.  What they say is elsewhere."""

import ast
import json
import math
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalized_bandits.claims import CLAIMS, TOPICS, claims_of, experiments_of
from penalized_bandits.claims.base import (
    Claim,
    Finding,
    Part,
    Status,
    Verdict,
    above,
    below,
    by_p_values,
    exactly,
    not_said,
    vacuous,
    verdict_of,
    within,
)
from penalized_bandits.claims.evidence import Evidence, first_replicates
from penalized_bandits.claims.ledger import (
    COLUMNS,
    PART_COLUMNS,
    check,
    claim,
    claim_page,
    claims_table,
    parts_table,
    read_rows,
    to_json,
    to_markdown,
)
from penalized_bandits.errors import ClaimError, NotMeasuredError, ReplicatesError
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.replicates import Outcome, write_replicates
from penalized_bandits.settings import SETTINGS
from penalized_bandits.studies import EXPERIMENTS, STUDIES

CONTRACT = ("id", "where", "statement", "rule", "estimate", "ci_low", "ci_high", "verdict")
VERDICTS = set(get_args(Verdict))
PACKAGE = Path(__file__).parent.parent / "src/penalized_bandits"


def part(status: Status, name: str = "a") -> Part:
    return Part(name, 1.0, 0.5, 1.5, status)


# --- Verdicts --------------------------------------------------------------------

COUNTS = st.integers(0, 4)


def parts_of(holds: int, fails: int, undecided: int, empty: int = 0) -> list[Part]:
    wanted: dict[Status, int] = {
        "holds": holds,
        "fails": fails,
        "undecided": undecided,
        "vacuous": empty,
    }
    return [part(status) for status, n in wanted.items() for _ in range(n)]


@given(holds=COUNTS, fails=COUNTS, undecided=COUNTS, empty=COUNTS)
def test_verdict_of_all_combinations(holds: int, fails: int, undecided: int, empty: int) -> None:
    found = verdict_of(parts_of(holds, fails, undecided, empty))
    assert found in VERDICTS
    # As the ledger's documentation has it, told in another order.
    if fails == 0:
        if holds > 0 and undecided == 0:
            assert found == "reproduced"
        elif holds <= undecided:
            assert found == "inconclusive"
        else:
            assert found == "partly"
    elif fails > holds:
        assert found == "not reproduced"
    else:
        assert found == "partly"


@given(holds=COUNTS, fails=COUNTS, undecided=COUNTS, empty=COUNTS, seed=st.integers(0, 9))
def test_neither_order_nor_vacuous_parts_matter(
    holds: int, fails: int, undecided: int, empty: int, seed: int
) -> None:
    parts = parts_of(holds, fails, undecided, empty)
    mixed = [parts[i] for i in np.random.default_rng(seed).permutation(len(parts))]
    assert verdict_of(mixed) == verdict_of(parts_of(holds, fails, undecided))


@given(holds=COUNTS, fails=COUNTS, undecided=COUNTS)
def test_a_part_that_fails_never_helps(holds: int, fails: int, undecided: int) -> None:
    order = ("not reproduced", "inconclusive", "partly", "reproduced")
    before = verdict_of(parts_of(holds, fails, undecided))
    after = verdict_of(parts_of(holds, fails + 1, undecided))
    assert after != "reproduced"
    if before == "not reproduced":
        assert after == "not reproduced"
    # One that holds never hurts.
    better = verdict_of(parts_of(holds + 1, fails, undecided))
    if fails == 0:
        assert order.index(better) >= order.index(before)


def test_nothing_said_is_inconclusive() -> None:
    assert verdict_of([]) == "inconclusive"
    assert verdict_of([part("vacuous")]) == "inconclusive"


# --- Parts -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 0.9, "holds"),
        (0.0, 1.0, "undecided"),
        (0.9, 1.1, "undecided"),
        (1.0, 2.0, "undecided"),
        (1.1, 2.0, "fails"),
        (-math.inf, math.inf, "undecided"),
        (math.nan, math.nan, "undecided"),
    ],
)
def test_below_and_above_mirror_each_other(low: float, high: float, expected: Status) -> None:
    found = below("a", 1.0, low, high, 1.0)
    assert (found.status, found.limit, found.low) == (
        expected,
        1.0,
        pytest.approx(low, nan_ok=True),
    )
    assert above("a", -1.0, -high, -low, -1.0).status == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.0, 2.0, "holds"),
        (1.2, 1.8, "holds"),
        (0.9, 1.5, "undecided"),
        (1.5, 2.1, "undecided"),
        (0.5, 2.5, "undecided"),
        (0.5, 1.0, "undecided"),
        (0.5, 0.9, "fails"),
        (2.1, 3.0, "fails"),
        (math.nan, math.nan, "undecided"),
    ],
)
def test_within(low: float, high: float, expected: Status) -> None:
    found = within("a", 1.5, low, high, 1.0, 2.0)
    assert found.status == expected
    assert found.detail == "between 1 and 2"


NUMBERS = st.floats(-10, 10)


@given(low=NUMBERS, width=st.floats(0, 5), limit=NUMBERS)
def test_a_part_is_decided_only_by_its_whole_interval(
    low: float, width: float, limit: float
) -> None:
    found = below("a", low, low, low + width, limit).status
    assert (found == "undecided") == (low <= limit <= low + width)
    opposite = above("a", low, low, low + width, limit).status
    assert {found, opposite} in ({"holds", "fails"}, {"undecided"})


def test_exactly() -> None:
    yes, no = exactly("a", holds=True, value=0), exactly("a", holds=False, value=3, limit=0)
    assert (yes.status, yes.estimate, yes.low, yes.high) == ("holds", 0, 0, 0)
    assert (no.status, no.limit) == ("fails", 0)
    assert math.isnan(yes.limit)


@pytest.mark.parametrize("status", get_args(Status))
def test_vacuous_spares_no_failure(status: Status) -> None:
    found = vacuous(part(status), "the bound exceeds T")
    assert found.status == ("vacuous" if status == "holds" else status)
    assert (found.detail == "the bound exceeds T") == (status == "holds")
    said = not_said(part(status), "needs a larger T")
    assert (said.status, said.detail) == ("vacuous", "needs a larger T")


def test_by_p_values_in_both_directions() -> None:
    parts = [part("undecided", name) for name in "abc"]
    holds = by_p_values(parts, [0.001, 0.01, 0.3], [0.999, 0.99, 0.7])
    assert [p.status for p in holds] == ["holds", "holds", "undecided"]
    fails = by_p_values(parts, [0.999, 0.99, 0.7], [0.001, 0.01, 0.3])
    assert [p.status for p in fails] == ["fails", "fails", "undecided"]
    assert [p.name for p in fails] == ["a", "b", "c"]


def test_by_p_values_is_holms() -> None:
    parts = [part("undecided", str(i)) for i in range(4)]
    # Holm compares p in order with 0.05/4, 0.05/3, 0.05/2, 0.05: the second stops it.
    found = by_p_values(parts, [0.012, 0.02, 0.02, 0.9], [1.0] * 4)
    assert [p.status for p in found] == ["holds", "undecided", "undecided", "undecided"]
    alone = by_p_values(parts[:1], [0.02], [0.98])
    assert alone[0].status == "holds"


def test_by_p_values_of_equals() -> None:
    assert by_p_values([part("undecided")], [1.0], [1.0])[0].status == "undecided"
    assert by_p_values([], [], []) == ()


def test_what_stands_in_the_ledger() -> None:
    first, second = part("holds", "first"), part("fails", "second")
    assert Finding("x", (first, second)).shown is first
    assert Finding("x", (first, second), headline=second).shown is second


# --- Evidence --------------------------------------------------------------------

SECTION: dict[str, Any] = {
    "replicates": 4,
    "policies": ["hard_threshold_ucb"],
    "horizons": [20, 40],
    "cases": {"case_1": {"means": [0.9, 0.5], "fairness": [0.1, 0.1]}},
}


def outcome(horizon: int, n: int = 4, case: str = "case_1", first: int = 0) -> Outcome:
    pulls = np.tile(np.array([[horizon - 5, 5]], dtype=np.int32), (n, 1))
    pulls += np.arange(first, first + n, dtype=np.int32)[:, None] * np.array([[1, -1]], np.int32)
    ones = np.ones((n, 2))
    means = ones * [0.9, 0.5]
    return Outcome(
        case,
        "hard_threshold_ucb",
        None,
        0.2,
        horizon,
        first,
        pulls,
        ones,
        means,
        np.array([0.1, 0.1]),
        0.2 * ones,
    )


def table(path: Path, outcomes: list[Outcome]) -> Path:
    write_replicates(path, outcomes, {"setting": "equal_penalties", "part": 1})
    return path


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    path = table(tmp_path / "all.1of1.parquet", [outcome(20), outcome(40)])
    return Evidence({"equal_penalties": SECTION}, {"equal_penalties": [path]})


def test_evidence(evidence: Evidence) -> None:
    assert evidence.section("equal_penalties").horizons == [20, 40]
    assert evidence.cases("equal_penalties") == ["case_1"]
    assert len(evidence.outcomes("equal_penalties")) == 2
    found = evidence.outcome("equal_penalties", "case_1", "hard_threshold_ucb", 40)
    np.testing.assert_array_equal(found.pulls, outcome(40).pulls)


def test_evidence_of_an_unknown_experiment(evidence: Evidence) -> None:
    with pytest.raises(ClaimError, match="no evidence from log_laws: there is some from equal_pen"):
        evidence.section("log_laws")
    with pytest.raises(ClaimError, match="no tables of replicates of log_laws"):
        evidence.outcomes("log_laws")


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"case": "case_2"}, "no outcome of case case_2"),
        ({"policy": "ucb1"}, "no policy ucb1"),
        ({"horizon": 30}, "no outcome of case None, policy None, horizon 30"),
    ],
)
def test_evidence_that_is_not_there(evidence: Evidence, wanted: dict[str, Any], words: str) -> None:
    with pytest.raises(ClaimError, match=f"^equal_penalties has {words}") as caught:
        evidence.outcomes("equal_penalties", **wanted)
    # What the config asks for and is not there is no reason to go on without it.
    assert isinstance(caught.value, NotMeasuredError) == ("policy" in wanted)


def test_evidence_without_a_file(tmp_path: Path) -> None:
    path = tmp_path / "none.parquet"
    missing = Evidence({"equal_penalties": SECTION}, {"equal_penalties": [path]})
    with pytest.raises(ReplicatesError, match=r"none\.parquet.*run again"):
        missing.outcomes("equal_penalties")


@pytest.mark.parametrize("share", [0.0, 0.5, 0.98])
def test_evidence_that_is_cut_off(tmp_path: Path, share: float) -> None:
    path = table(tmp_path / "all.1of1.parquet", [outcome(20), outcome(40)])
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    cut = Evidence({"equal_penalties": SECTION}, {"equal_penalties": [path]})
    with pytest.raises(ReplicatesError, match=r"all\.1of1\.parquet.*delete it and run again"):
        cut.outcomes("equal_penalties")


def test_evidence_in_parts(tmp_path: Path) -> None:
    one = table(tmp_path / "all.1of2.parquet", [outcome(20, 2)])
    two = table(tmp_path / "all.2of2.parquet", [outcome(20, 2, first=2)])
    for parts in (2, {"equal_penalties": 2}):
        split = Evidence({"equal_penalties": SECTION}, {"equal_penalties": [one, two]}, parts)
        (joined,) = split.outcomes("equal_penalties")
        np.testing.assert_array_equal(joined.pulls, outcome(20).pulls)


@given(limit=st.integers(1, 6))
def test_first_replicates(limit: int) -> None:
    found = first_replicates(outcome(20), limit)
    np.testing.assert_array_equal(found.pulls, outcome(20).pulls[:limit])
    assert found.penalties is not None
    assert len(found.penalties) == len(found.means) == len(found.max_deficit) == min(limit, 4)
    bare = first_replicates(replace(outcome(20), penalties=None), limit)
    assert bare.penalties is None


def test_evidence_with_a_wrong_section(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="replicates"):
        Evidence({"equal_penalties": {**SECTION, "replicates": 0}}, {})


# --- Registry --------------------------------------------------------------------


def test_the_registry_has_every_claim() -> None:
    wanted = {f"C{number:02}" for number in range(1, 34)}
    assert wanted <= set(CLAIMS)
    assert all(re.fullmatch(r"C\d\d[A-Z]?", name) for name in CLAIMS)
    assert all(entry.id == name for name, entry in CLAIMS.items())
    modules = [entry.module for entry in CLAIMS.values()]
    assert len(set(modules)) == len(modules)
    for entry in CLAIMS.values():
        assert entry.module.startswith(f"{entry.id.lower()}_"), entry.id
        assert set(entry.experiments) <= set(EXPERIMENTS)
    # Each claim's file is in the registry.
    files = {path.stem for path in (PACKAGE / "claims").glob("c[0-9]*.py")}
    assert files == set(modules)


def test_topics_are_the_claims_in_order() -> None:
    assert [entry.id for topic in TOPICS for entry in claims_of(topic)] != []
    listed = {entry.id for topic in TOPICS for entry in claims_of(topic)}
    assert listed == set(CLAIMS)
    everywhere = {e for topic in TOPICS for e in experiments_of(topic)}
    assert everywhere == set(EXPERIMENTS)


@pytest.mark.parametrize("identifier", CLAIMS)
def test_a_claim_says_what_where_and_when_it_fails(identifier: str) -> None:
    found = claim(identifier)
    assert isinstance(found, Claim)
    for text in (found.where, found.statement, found.rule):
        assert len(text) >= 5
        assert text == text.strip()
        assert "  " not in text
        assert "\n" not in text
    assert "hold" in found.rule.lower()
    assert "fail" in found.rule.lower()
    assert found.statement.endswith(".")
    assert found.rule.endswith((".", ")"))


def existing_results() -> set[str]:
    """Paths that the workflow makes and a claim may name as its evidence."""
    return {
        "results/claims/claims.json",
        "results/claims/claims.csv",
        *(f"results/summaries/{setting}.csv" for setting in SETTINGS),
        *(f"results/theory/{study}.csv" for study in STUDIES),
        *(f"results/figures/{figure}" for figure in ALL_FIGURES),
        *(f"results/figures/{figure}.pdf" for figure in ALL_FIGURES),
    }


@pytest.mark.parametrize("identifier", CLAIMS)
def test_the_evidence_of_a_claim_is_made_and_is_its_own(identifier: str) -> None:
    path = claim(identifier).evidence
    assert path in existing_results()
    experiments = CLAIMS[identifier].experiments
    stem = Path(path).stem.replace("figure", "setting")
    assert not experiments or stem in experiments


@pytest.mark.parametrize("identifier", CLAIMS)
def test_no_claim_knows_its_verdict(identifier: str) -> None:
    source = (PACKAGE / f"claims/{CLAIMS[identifier].module}.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom | ast.Import)
        for alias in node.names
    }
    assert not (names | imported) & {"verdict_of", "verdict", "Verdict", "expected", "CLAIMS"}
    assert not any("ledger" in name or "sensitivity" in name for name in imported)
    strings = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
    assert not VERDICTS & {value for value in strings if isinstance(value, str)}


def test_unknown_claim() -> None:
    for call in (claim, lambda name: check(name, Evidence({}, {}))):
        with pytest.raises(ClaimError, match=r"there is no claim 'C99': known are C01, C02"):
            call("C99")


# --- Ledger ----------------------------------------------------------------------


def row(identifier: str, parts: tuple[Part, ...] | None = None) -> dict[str, Any]:
    parts = parts or (part("holds", "case | one"), part("undecided", "case two"))
    entry = claim(identifier)
    shown = parts[0]
    return {
        "id": identifier,
        "where": entry.where,
        "statement": entry.statement,
        "rule": entry.rule,
        "estimate": shown.estimate,
        "ci_low": shown.low,
        "ci_high": shown.high,
        "verdict": verdict_of(parts),
        "evidence": entry.evidence,
        "quantity": "pulls",
        "parts": len(parts),
        **{
            key: sum(p.status == status for p in parts)
            for key, status in (
                ("hold", "holds"),
                ("fail", "fails"),
                ("undecided", "undecided"),
                ("vacuous", "vacuous"),
            )
        },
        "readings": "log_of",
        "note": "a note",
        "all_parts": [vars(p) for p in parts],
    }


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [row(identifier) for identifier in CLAIMS]


def test_columns_of_the_contract() -> None:
    assert COLUMNS[: len(CONTRACT) + 1] == (*CONTRACT, "evidence")
    assert PART_COLUMNS[:2] == ("id", "part")


def test_json_round_trip(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    # Topic by topic, in any order: the registry's order comes out.
    paths = []
    for topic in reversed(TOPICS):
        names = {entry.id for entry in claims_of(topic)}
        path = tmp_path / f"{topic}.json"
        path.write_text(to_json([r for r in rows if r["id"] in names]), encoding="utf-8")
        paths.append(path)
    found = read_rows(paths)
    assert [r["id"] for r in found] == list(CLAIMS)
    assert to_json(found) == to_json(rows)


def test_csv_round_trip(rows: list[dict[str, Any]]) -> None:
    found = pd.read_csv(StringIO(claims_table(rows).to_csv(index=False)))
    assert tuple(found.columns) == COLUMNS
    assert found["id"].to_list() == list(CLAIMS)
    for name in ("statement", "rule", "verdict", "evidence"):
        assert found[name].to_list() == [r[name] for r in rows]
    parts = pd.read_csv(StringIO(parts_table(rows).to_csv(index=False)))
    assert tuple(parts.columns) == PART_COLUMNS
    assert len(parts) == 2 * len(rows)
    assert parts["part"].to_list()[:2] == ["case | one", "case two"]


def test_markdown(rows: list[dict[str, Any]]) -> None:
    text = to_markdown(rows)
    counted = sum(int(n) for n in re.findall(r"(\d+) (?:reproduced|partly|not|inc)", text[:200]))
    assert counted == len(rows)
    table_lines = [line for line in text.splitlines() if line.startswith("| C")]
    assert [line.split(" | ")[0] for line in table_lines] == [f"| {name}" for name in CLAIMS]
    for line in text.splitlines():
        if line.startswith("|"):
            # A bar within a cell would shift the columns.
            assert len(re.findall(r"(?<!\\)\|", line)) == 6, line
    for r in rows:
        page = "\n".join(claim_page(r))
        assert page in text
        assert page.startswith(f"## {r['id']} ({r['where']}): {r['verdict']}")
        assert "1 [0.5, 1.5]" in page
        assert "- Note: a note" in page


def test_numbers_that_are_not_finite_can_be_written() -> None:
    parts = (
        Part("a", math.nan, -math.inf, math.inf, "undecided"),
        Part("b", np.float64(2.0), np.float64(1.0), np.float64(3.0), "holds"),
    )
    found = json.loads(to_json([row("C07", parts)]))
    first, second = found[0]["all_parts"]
    assert (first["estimate"], first["low"], first["high"]) == (None, "-inf", "inf")
    assert second["estimate"] == 2.0
    # And read back for reading: pages and tables of such rows.
    assert any("undecided" in line for line in claim_page(found[0]))
    assert len(parts_table(found)) == 2
    assert "C07" in claims_table(found).to_csv()


def test_check_makes_a_row_of_the_contract(evidence: Evidence) -> None:
    found = check("C23", evidence)
    assert tuple(key for key in found if key != "all_parts") == COLUMNS
    assert found["id"] == "C23"
    assert found["verdict"] in VERDICTS
    assert found["parts"] == len(found["all_parts"]) == 1
    assert found["readings"] == "log_of"
    assert found["hold"] + found["fail"] + found["undecided"] + found["vacuous"] == 1


def test_a_claim_of_which_nothing_came_is_not_measured(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    from penalized_bandits.claims import c23_tolerated_unfairness as module

    empty = replace(module.CLAIM, measure=lambda _: Finding("x", ()))
    monkeypatch.setattr(module, "CLAIM", empty)
    row = check("C23", evidence)
    assert row["verdict"] == "not measured"
    assert "nothing in equal_penalties is what it speaks of" in row["note"]


def test_read_rows_without_a_claim(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "topic.json"
    path.write_text(to_json([r for r in rows if r["id"] not in {"C05", "C31"}]), encoding="utf-8")
    with pytest.raises(ClaimError, match="claims C05, C31 were not checked: run the workflow"):
        read_rows([path])


@pytest.mark.parametrize("text", ["", "[{", "3", '[{"name": "C01"}]', '["C01"]'])
def test_read_rows_of_a_damaged_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "topic.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ClaimError, match=r"topic\.json is no list of checked claims"):
        read_rows([path])


def test_read_rows_of_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ClaimError, match=r"none\.json is no list of checked claims"):
        read_rows([tmp_path / "none.json"])


def test_read_rows_leaves_out_claims_that_are_no_longer_there(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "topic.json"
    path.write_text(to_json([*rows, {**rows[0], "id": "C98"}]), encoding="utf-8")
    assert [r["id"] for r in read_rows([path])] == list(CLAIMS)
