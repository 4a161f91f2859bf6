"""The register of rules: every wording has its line, and lines come before results."""

import re
from datetime import date
from itertools import pairwise

import pytest

from config_helpers import ROOT
from git_history import RULES, out_of_order, skip_without_history
from penalized_bandits.claims import CLAIMS, REGISTER, claim
from penalized_bandits.claims.ledger.register import dates_of, digest_of, register
from penalized_bandits.claims.results import read_results
from register_claims import main, missing

PUBLISHED = [f"docs/published/{name}.json" for name in ("claims", "extended", "sharp")]
BEFORE = "2026-11-21"
"""Wordings of this date are older than the register."""


def test_every_rule_is_declared() -> None:
    lines = missing(date.today().isoformat())
    assert lines == [], (
        f"rules of another wording than the register's: commit these lines at the end of {RULES}, "
        "with the claims and before any result:\n" + "\n".join(lines)
    )


def test_the_register_is_in_order() -> None:
    assert (ROOT / RULES).samefile(REGISTER)
    assert set(register()) == set(CLAIMS)
    for name, wordings in register().items():
        dates = [day for day, _ in wordings]
        assert dates == sorted(dates), name
        assert all(date.fromisoformat(day) for day in dates)
        digests = [digest for _, digest in wordings]
        assert all(re.fullmatch(r"[0-9a-f]{12}", digest) for digest in digests), name
        # A wording may come back, but not twice in a row.
        assert all(a != b for a, b in pairwise(digests)), name


def test_dates_are_those_of_the_first_and_the_last_wording(monkeypatch: pytest.MonkeyPatch) -> None:
    wordings = {"C01": [("2026-01-01", "a"), ("2026-01-02", "b"), ("2026-01-03", "c")]}
    monkeypatch.setattr("penalized_bandits.claims.ledger.register.register", lambda: wordings)
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
    monkeypatch.setattr("penalized_bandits.claims.ledger.register.register", lambda: less)
    digest = digest_of(claim("C07"))
    assert f"C07,2026-12-01,{digest}" in missing("2026-12-01")
    main()
    assert re.search(rf"(?m)^C07,\d{{4}}-\d\d-\d\d,{digest}$", capsys.readouterr().out)


# --- Rules before results


@pytest.mark.parametrize("file", PUBLISHED)
def test_rules_were_committed_before_their_results(file: str) -> None:
    skip_without_history()
    results = read_results(ROOT / file)
    assert results, file
    for result in results:
        days = {digest: day for day, digest in register()[result.id]}
        assert result.digest in days, f"{file} has {result.id} by a rule not in the register"
        if days[result.digest] > BEFORE:
            assert out_of_order(result.digest, file) == ""


def test_a_rule_after_its_result_is_noticed() -> None:
    skip_without_history()
    digest = digest_of(claim("S14"))
    assert "before it came to" in out_of_order(digest, page=RULES, rules=PUBLISHED[2])
    assert "no commit brought it" in out_of_order("0" * 12, PUBLISHED[2])
