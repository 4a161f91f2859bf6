"""``penalized-bandits claims``: what the ledger says, all of it and nothing else."""

import math
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from penalized_bandits.claims.ledger.reading import facts, parts_text, tally
from penalized_bandits.claims.measured import to_json
from typer.testing import CliRunner

import outcome_factories
from penalized_bandits.claims import CLAIMS
from penalized_bandits.claims.base import Part, Verdict, verdict_of
from penalized_bandits.cli import app
from penalized_bandits.common.numbers import estimate, format_number
from penalized_bandits.experiments.names import in_words
from penalized_bandits.storage.files import write_text

PARTS: dict[Verdict, tuple[Part, ...]] = {
    "reproduced": (
        Part("K5_tau0.2 T=500", 1.25, 1.2, 1.3, "holds", 2.0),
        Part("[odd] case", 3.0, 3.0, 3.0, "vacuous", detail="the bound is above T"),
    ),
    "partly": (Part("a", 1.0, 0.5, 1.5, "holds"), Part("b", 9.0, 8.0, 10.0, "fails", 7.0)),
    "not reproduced": (Part("a", 1.0, 0.5, 1.5, "fails", 0.25),),
    "undecided": (Part("a", math.nan, math.nan, math.nan, "undecided", detail="no data"),),
}
VERDICTS: dict[str, Verdict] = {
    name: tuple(PARTS)[number % len(PARTS)] for number, name in enumerate(CLAIMS)
}  # one of each in turn
OURS = ("C06P", "C34", "C35")
ORDER = [*(name for name in CLAIMS if name not in OURS), *OURS]
"""As they are shown: our own questions in a table of their own."""


def row(name: str) -> dict[str, Any]:
    """Return a row of the ledger made up for a claim, with the claim's own words."""
    parts = PARTS[VERDICTS[name]]
    assert verdict_of(parts) == VERDICTS[name]
    note = "" if name == "C01" else f"a note on {name} [with brackets]"
    told = {"asked_by": "us" if name in OURS else "the paper", "readings": "log_of"}
    return outcome_factories.row(name, parts, note, verdict=VERDICTS[name], **told)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    write_text(folder / "claims" / "claims.json", to_json([row(name) for name in CLAIMS]))
    return folder


def run(results: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["claims", *arguments, "--results", str(results)])
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def listed(text: str) -> list[str]:
    """Return the claims in the table, in its order."""
    return re.findall(r"(?m)^([A-Z]\d+[A-Z]?) ", text)


def test_all_claims_one_a_line(results: Path) -> None:
    text = run(results)
    assert listed(text) == ORDER
    for name in CLAIMS:
        (line,) = (line for line in text.splitlines() if line.startswith(f"{name} "))
        cells = re.split(r" {2,}", line)
        wanted = row(name)
        assert cells == [
            name,
            wanted["verdict"],
            parts_text(wanted),
            wanted["where"],
            in_words(wanted["statement"]),
        ]
    for title, names in (
        ("The paper's claims", ORDER[: -len(OURS)]),
        ("Our own questions", OURS),
    ):
        assert f"\n{title}: {tally([row(name) for name in names])}.\n" in text
        assert f"{title}\n" in text


def test_by_verdicts_and_ids(results: Path) -> None:
    for verdict in PARTS:
        expected = [name for name in ORDER if VERDICTS[name] == verdict]
        assert listed(run(results, "--verdict", verdict)) == expected
    both = run(results, "--verdict", "partly, undecided")
    assert listed(both) == [n for n in ORDER if VERDICTS[n] in ("partly", "undecided")]
    assert run(results, "C01,C02", "--verdict", "undecided") == "No claim has such a verdict.\n"


@pytest.mark.parametrize("name", ["C01", "c02", "C03", "C04"])
def test_one_claim_in_full(results: Path, name: str) -> None:
    text = run(results, name)
    wanted = row(name.upper())
    told, table = text.split("\n\n")
    expected = [
        f"{wanted['id']} ({wanted['where']}): {wanted['verdict']}",
        f"Statement: {in_words(wanted['statement'])}",
        *(f"{name}: {fact}" for name, fact in facts(wanted).items()),
        f"Evidence: {wanted['evidence']}",
        "Readings: log_of",
    ]
    assert told.split("\n") == expected
    assert expected[2:4] == [
        f"Rule: {in_words(wanted['rule'])}",
        "Declared: 2026-11-21 (wording 0123456789ab)",
    ]
    lines = table.splitlines()[2:]
    for part, line in zip(PARTS[VERDICTS[wanted["id"]]], lines, strict=True):
        cells = [in_words(part.name)]
        if not math.isnan(part.estimate):
            cells.append(estimate(part.estimate, part.low, part.high))
        cells += [] if math.isnan(part.limit) else [format_number(part.limit)]
        cells += [part.status, *([part.detail] if part.detail else [])]
        assert re.split(r" {2,}", line) == cells
        assert "_tau" not in line


def test_several_in_full(results: Path) -> None:
    text = run(results, "C06P, c02,C04")
    assert re.findall(r"(?m)^(C\d+[A-Z]?) \(", text) == ["C02", "C04", "C06P"]
    # C01 is the first of the four verdicts, C02 the second.
    partly = run(results, "C01,C02", "--verdict", "partly")
    assert re.findall(r"(?m)^(C\d+[A-Z]?) \(", partly) == ["C02"]


def test_help_names_every_verdict() -> None:
    result = CliRunner().invoke(app, ["claims", "--help"])
    assert all(verdict in " ".join(result.stdout.split()) for verdict in get_args(Verdict))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, r"claims\.json is missing: make it with 'snakemake --cores all claims'"),
        ("{", r"claims\.json is not JSON .*: delete it and run again"),
        ("[]", r"claims\.json has no claims: make it with 'snakemake --cores all claims'"),
    ],
)
def test_no_ledger(tmp_path: Path, content: str | None, said: str) -> None:
    if content is not None:
        write_text(tmp_path / "claims" / "claims.json", content)
    result = CliRunner().invoke(app, ["claims", "--results", str(tmp_path)])
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch(rf"penalized-bandits: .*{said}\n", result.stderr)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["C99"], 1, "there is no claim C99: known are C01, "),
        (["--verdict", "perhaps"], 2, "'perhaps' is no verdict: reproduced, consistent, "),
    ],
)
def test_what_there_is_not(results: Path, arguments: list[str], code: int, said: str) -> None:
    result = CliRunner().invoke(app, ["claims", *arguments, "--results", str(results)])
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
