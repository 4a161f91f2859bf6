"""The claims of the research: declarations, register, and rules that came before results."""

import pytest

import declaration_checks as checks
from config_helpers import ROOT
from git_history import OF_RESEARCH
from penalized_replication.claims import OURS, experiments_of
from penalized_replication.claims.ledger.register import registers
from penalized_replication.experiments.catalogue import ADDED, EXPERIMENTS
from tiny_sections import ENTRIES, EXTENDED, HOME, NAME, SHARP


def test_every_module_and_template_belongs_to_a_claim() -> None:
    checks.check_files(HOME / "claims", HOME / "claims/notes", ENTRIES.values())
    assert [*EXTENDED, *SHARP] == sorted(ENTRIES)


def test_every_experiment_of_a_claim_is_there() -> None:
    assert set(experiments_of(ENTRIES.values())) <= ADDED.keys() | EXPERIMENTS.keys()


@pytest.mark.parametrize("name", ENTRIES)
def test_declaration_has_all_texts_and_its_evidence(name: str) -> None:
    checks.check_declaration(name, "comparison_by_case.csv")


@pytest.mark.parametrize("module", sorted({entry.module for entry in ENTRIES.values()}))
def test_no_claim_knows_its_verdict(module: str) -> None:
    checks.check_knows_no_verdict(module)


def test_the_register_is_in_order() -> None:
    assert registers().keys() == {OURS, NAME}
    assert (ROOT / OF_RESEARCH).samefile(registers()[NAME])
    checks.check_wordings()


PUBLISHED = [f"research/docs/published/{name}.json" for name in ("extended", "sharp")]


@pytest.mark.parametrize("ledger", PUBLISHED)
def test_rules_were_committed_before_their_results(ledger: str) -> None:
    checks.check_rules_before_results(ledger, OF_RESEARCH)


@pytest.mark.parametrize("ledger", PUBLISHED)
def test_a_rule_of_low_power_has_a_reason(ledger: str) -> None:
    checks.check_power(ledger)
