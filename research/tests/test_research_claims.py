"""The claims of the research: declarations, rules that came before results, published pages."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from research import publish

import declaration_checks as checks
from config_helpers import ROOT
from git_history import OF_RESEARCH
from penalized_replication.claims import experiments_of
from penalized_replication.claims.results import read_results, to_json
from penalized_replication.claims.table.preregistration import confirmed, register_of
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_research.figures import SHARP as FIGURES
from register_claims import missing
from tiny_sections import ENTRIES, EXTENDED, HOME, NAME, SHARP


def test_every_module_and_template_belongs_to_a_claim() -> None:
    checks.check_files(HOME / "claims", HOME / "claims/notes", ENTRIES.values())
    assert [*EXTENDED, *SHARP] == sorted(ENTRIES)


def test_every_experiment_of_a_claim_is_there() -> None:
    assert set(experiments_of(ENTRIES.values())) <= EXPERIMENTS.keys()


@pytest.mark.parametrize("name", ENTRIES)
def test_declaration_has_all_texts_and_its_evidence(name: str) -> None:
    checks.check_declaration(name, "comparison_by_case.csv")


@pytest.mark.parametrize("module", sorted({entry.module for entry in ENTRIES.values()}))
def test_no_claim_knows_its_verdict(module: str) -> None:
    checks.check_knows_no_verdict(module)


def test_the_preregistration_is_in_order_and_has_every_rule_and_its_code() -> None:
    assert (ROOT / OF_RESEARCH).samefile(register_of(NAME))
    checks.check_preregistration()
    assert [*missing("today")] == []


DOCS = ROOT / "research/docs"
PUBLISHED = [f"research/docs/published/{name}.json" for name in ("extended", "sharp")]


@pytest.mark.parametrize("published", PUBLISHED)
def test_rules_were_committed_before_their_results(published: str) -> None:
    checks.check_rules_before_results(published, OF_RESEARCH)


@pytest.mark.parametrize("published", PUBLISHED)
def test_a_rule_of_low_power_has_a_reason(published: str) -> None:
    checks.check_power(published)


def test_extended_page_has_the_published_claims() -> None:
    results = read_results(DOCS / "published/extended.json")
    page = (DOCS / "extended.md").read_text(encoding="utf-8")
    assert page.endswith(publish.exploration(results) + "\n"), "research/publish.py"


def test_sharp_page_is_that_of_the_published_claims_and_captions() -> None:
    results = read_results(DOCS / "published/sharp.json")
    captions = {f.id: (DOCS / f"images/{f.id}.md").read_text(encoding="utf-8") for f in FIGURES}
    page = (DOCS / "sharp.md").read_text(encoding="utf-8")
    assert page == publish.sharp_page(results, captions), "research/publish.py"


def test_overview_has_every_theorem_and_what_was_confirmed() -> None:
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    for path in (DOCS / f"{name}.md" for name in ("gap-free", "floors", "all-laws")):
        kinds = r"(?m)^##+ (?:Theorem|Lemma) .*\{ #(\S+) \}$"
        for anchor in re.findall(kinds, path.read_text(encoding="utf-8")):
            assert text.count(f"](docs/{path.name}#{anchor})") == 1, anchor
    verdicts: dict[str, list[str]] = {}
    for row in confirmed().values():
        verdicts.setdefault(row["verdict"], []).append(row["id"])
    for verdict, claims in verdicts.items():
        assert f"- {verdict}: {', '.join(claims)}\n" in text


def test_a_run_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, docs = tmp_path / "scenarios", tmp_path / "docs"
    monkeypatch.setattr(publish, "SCENARIOS", run)
    monkeypatch.setattr(publish, "DOCS", docs)
    monkeypatch.setattr(publish, "CONFIRMED", tmp_path / "confirmed.csv")
    ledgers, figures = run / "sharp/claims", run / "sharp/figures"
    for folder in (ledgers, figures, docs / "images", docs / "published"):
        folder.mkdir(parents=True)
    shutil.copyfile(DOCS / "published/sharp.json", ledgers / "claims.json")
    for path in (DOCS / "images").iterdir():
        shutil.copyfile(path, figures / path.name)
    facts = {"by_seed": ["holds in part"], "rule_digest": "1", "frozen": "2"}
    results = read_results(DOCS / "published/extended.json")
    again = [replace(result, facts={**result.facts, **facts}) for result in results]
    (run / "confirm.json").write_text(to_json(again), encoding="utf-8")
    publish.main()
    assert (docs / "sharp.md").read_bytes() == (DOCS / "sharp.md").read_bytes()
    assert not (docs / "extended.md").exists()
    shown = {f"{figure.id}{form}" for figure in FIGURES for form in (".png", ".md", "_column.svg")}
    assert {path.name for path in (docs / "images").iterdir()} == shown
    lines = publish.CONFIRMED.read_text(encoding="utf-8").splitlines()
    assert (lines[0], len(lines)) == (",".join(publish.COLUMNS), len(results) + 1)
