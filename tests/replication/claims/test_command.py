"""``penalized-replication claims``: what the ledger says, all of it and nothing else."""

import math
import re
from pathlib import Path

import pytest

from penalized_bandits.common.files import write_text
from penalized_bandits.common.numbers import estimate, format_number
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.base import Verdict, verdict_of
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.results import PAPERS, ClaimResult, to_json
from penalized_replication.claims.table.render import counts_text, facts_of
from penalized_replication.claims.table.tables import tally
from penalized_replication.command import SINCE, app
from rule_helpers import below, result, unknown
from terminal_helpers import failed, printed

HOLDS = below((1.25, 1.2, 1.3), 2.0, case="one", label="K = 5, τ = 0.2", horizon=500)
FAILS = below((9.0, 8.0, 10.0), 7.0, label="[odd] case")
COMPARISONS: dict[Verdict, tuple[Comparison, ...]] = {
    "holds": (HOLDS,),
    "holds in part": (HOLDS, FAILS),
    "fails": (FAILS,),
    "undecided": (unknown("no data", label="a"),),
}
VERDICTS: dict[str, Verdict] = {
    name: tuple(COMPARISONS)[number % len(COMPARISONS)] for number, name in enumerate(CLAIMS)
}
OURS = ("C06P", "C34", "C35")
ORDER = [*(name for name in CLAIMS if name not in OURS), *OURS]
"""As they are shown: our own questions in a table of their own."""


def described(name: str) -> ClaimResult:
    comparisons = COMPARISONS[VERDICTS[name]]
    assert verdict_of(comparisons) == VERDICTS[name]
    note = "" if name == "C01" else f"a note on {name} [with brackets]"
    asked_by = "us" if name in OURS else "the paper"
    fields = {"asked_by": asked_by, "interpretations": "log_of", "verdict": VERDICTS[name]}
    fields["config"] = PAPERS
    return result(name, *comparisons, note=note, **fields)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    write_text(folder / "claims" / "claims.json", to_json([described(name) for name in CLAIMS]))
    return folder


def run(results: Path, *arguments: str) -> str:
    return printed("claims", *arguments, "--results", str(results), app=app)


def test_all_claims_one_a_line(results: Path) -> None:
    text = run(results)
    assert re.findall(r"(?m)^([A-Z]\d+[A-Z]?) ", text) == ORDER
    for name in CLAIMS:
        (line,) = (line for line in text.splitlines() if line.startswith(f"{name} "))
        cells = re.split(r" {2,}", line)
        one = described(name)
        assert cells == [name, one.verdict, counts_text(one), one.where, one.statement]
    for title, names in (("The paper's claims", ORDER[: -len(OURS)]), ("Our own questions", OURS)):
        assert f"\n{title}: {tally([described(name) for name in names])}.\n" in text
        assert f"{title}\n" in text


@pytest.mark.parametrize("name", ["C01", "c02", "C03", "C04"])
def test_one_claim_in_full(results: Path, name: str) -> None:
    text = run(results, name)
    one = described(name.upper())
    facts, table = text.split("\n\n")
    expected = [
        f"{one.id} ({one.where}): {one.verdict}",
        f"Statement: {one.statement}",
        *(f"{heading}: {fact}" for heading, fact in facts_of(one).items()),
        f"Evidence: {one.evidence}",
        "Interpretations: log_of",
    ]
    assert facts.split("\n") == expected
    lines = table.splitlines()[1:]
    for comparison, line in zip(one.comparisons, lines, strict=True):
        cells = [comparison.name]
        if not math.isnan(comparison.estimate):
            cells.append(estimate(comparison.estimate, comparison.low, comparison.high))
        cells += [] if math.isnan(comparison.limit) else [format_number(comparison.limit)]
        cells += [comparison.status, *([comparison.detail] if comparison.detail else [])]
        assert re.split(r" {2,}", line) == cells


@pytest.mark.parametrize("names", ["C03 c01", "C03,c01", "C01, C03"])
def test_several_claims_in_full(results: Path, names: str) -> None:
    both = [run(results, name).rstrip("\n") for name in ("C01", "C03")]
    assert run(results, *names.split()) == "\n\n".join(both) + "\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, r"claims\.json is missing: make it with 'snakemake --cores all claims'"),
        ("{", r"claims\.json is not JSON .*: delete it and run again"),
        (
            '[{"comparisons": 1}]',
            r"claims\.json holds no results of claims .* --forcerun decide_claims'",
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
    assert "there is no claim C99: known are C01, " in said


def test_what_was_measured_since_the_ledger_is_said_first(results: Path, tmp_path: Path) -> None:
    write_text(
        tmp_path / "claims/measured/setting_4.json", to_json([ClaimResult("C29", missing="-")])
    )
    assert run(tmp_path).startswith(f"{SINCE}\n\nThe paper's claims\n")
    assert SINCE not in run(results)
