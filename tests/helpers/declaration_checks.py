"""What is checked of every declared claim, of the paper and of extensions."""

import ast
import re
from collections.abc import Callable
from datetime import date
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import get_args

from config_helpers import ROOT
from git_history import out_of_order, skip_without_history
from penalized_replication.claims import CLAIMS, Entry
from penalized_replication.claims.base import Kind, Verdict, claim_of
from penalized_replication.claims.comparisons import Status
from penalized_replication.claims.results import ClaimResult, read_results
from penalized_replication.claims.table.preregistration import forms_of, register_of
from penalized_replication.claims.table.render import described
from publish import has_low_power, why_low_power
from register_claims import missing

VERDICTS = set(get_args(Verdict)) - {*get_args(Status), *get_args(Kind)}
"""Words that are verdicts and nothing else."""
CLAIMS_FILE = "claims/claims.json"


def checks_of(
    entries: list[Entry],
    modules: Path,
    notes: Path,
    rules: str,
    *results: str,
    table: str = CLAIMS_FILE,
) -> dict[str, Callable[[], None]]:
    """Return all checks of a house's claims, of their preregistration and published results."""
    checks = {entry.id: partial(check_declaration, entry.id, table) for entry in entries}
    checks |= {each.module: partial(check_knows_no_verdict, each.module) for each in entries}
    checks["files"] = partial(check_files, modules, notes, entries)
    checks["register"] = partial(check_preregistration, rules, entries[0].package)
    for file in results:
        checks[f"order of {file}"] = partial(check_rules_before_results, file, rules)
        checks[f"power in {file}"] = partial(check_power, file)
    return checks


def check_files(folder: Path, notes: Path, entries: list[Entry]) -> None:
    """Check that every module of claims, and every template of a note, belongs to a claim."""
    modules = {path.stem for path in folder.glob("[a-z]*.py")}
    assert modules == {entry.module.rpartition(".")[2] for entry in entries}
    templates = {path.name.partition(".")[0].upper() for path in notes.glob("[a-z]*.md.j2")}
    assert templates <= {entry.id for entry in entries}


def check_declaration(name: str, table: str) -> None:
    """Check that a claim has all texts, and as its evidence a file of the run, or this one."""
    declared = claim_of(name)
    for text in (declared.where, declared.statement, declared.rule, declared.quantity):
        assert len(text) >= 5
        assert " ".join(text.split()) == text
    assert "hold" in declared.rule.lower()
    assert "fail" in declared.rule.lower()
    assert declared.statement.endswith(".")
    assert declared.rule.endswith((".", ")"))
    made = {table, CLAIMS_FILE}
    made |= {f"summaries/{experiment}.csv" for experiment in CLAIMS[name].experiments}
    assert described(ClaimResult(name)).evidence.removeprefix("results/") in made


def check_knows_no_verdict(module: str) -> None:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    nodes = list(ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    last = {name.rpartition(".")[2] for name in names}
    assert not last & {"verdict_of", "verdict", "Verdict", "expected", "CLAIMS"}
    # Nor does it decide anything: its rule does.
    assert not last & {"Comparison", "Status", "status_of", "decided"}
    assert not any("claims.table" in name for name in names)
    strings = {node.value for node in nodes if isinstance(node, ast.Constant)}
    assert not VERDICTS & {v for v in strings if isinstance(v, str)}


def check_preregistration(rules: str, package: str) -> None:
    """Check its order, and that it has the rules in force and their code."""
    assert (ROOT / rules).samefile(register_of(package))
    assert list(missing("today")) == []
    for name in CLAIMS:
        forms = forms_of(name)
        dates, digests = ([form[key] for form in forms] for key in ("date", "digest"))
        assert dates == sorted(dates), name
        assert all(date.fromisoformat(day) for day in dates)
        assert all(re.fullmatch(r"[0-9a-f]{12}", digest) for digest in digests), name
        # A rule may come back, but not twice in a row.
        assert all(a != b for a, b in pairwise(digests)), name
        for before, form in pairwise(forms):
            assert form["same"] in ("", before["digest"]), name


EXCUSED = {"not contradicted", "holds by algebra", "undecided", "not measured", "fails"}
EXCUSED |= {"no verdict", "descriptive"}
"""Verdicts for which low power is no fault."""
BEFORE = "2026-11-21"
"""Rules of this date are older than the preregistration."""


def check_power(claims: str) -> None:
    weak = [one for one in read_results(ROOT / claims) if has_low_power(one)]
    claimed = [one for one in weak if one.verdict not in EXCUSED]
    assert [one.id for one in claimed if not why_low_power(one)] == []


def check_rules_before_results(claims: str, rules: str) -> None:
    """Check that the rules of published claims are preregistered, and came there before."""
    skip_without_history()
    for published in read_results(ROOT / claims):
        days = {form["digest"]: form["date"] for form in forms_of(published.id)}
        assert published.digest in days, f"{published.id} is by a rule not in the preregistration"
        if days[published.digest] > BEFORE:
            assert out_of_order(published.digest, claims, rules) == ""
