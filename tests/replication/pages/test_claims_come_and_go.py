"""A claim removed, and one added: the ledger and the page follow."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pages_helpers import page_of
from penalized_replication.claims import CLAIMS, claim
from penalized_replication.claims.base import DECLARED
from penalized_replication.claims.ledger import register, render
from penalized_replication.claims.ledger.render import tell
from penalized_replication.claims.ledger.tables import to_markdown
from penalized_replication.claims.results import ClaimResult, by_id, read_results, to_json
from penalized_replication.figures import EVERY_FIGURE
from workflow_helpers import Project

NEW = "C99"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Restore the register; compile the notes' templates anew, as it becomes part of them."""
    known = dict(CLAIMS)
    render.templates.cache_clear()
    yield
    CLAIMS.clear()
    CLAIMS.update(known)
    render.templates.cache_clear()


def decided(project: Project) -> list[ClaimResult]:
    results = read_results(project.folder / "results/claims/claims.json")
    return [result for result in results if result.id in CLAIMS]


def page_with(project: Project, folder: Path, ledger: list[ClaimResult]) -> str:
    (folder / "claims.json").write_text(to_json(ledger), encoding="utf-8")
    return page_of(project, claims=str(folder / "claims.json"))


@pytest.mark.parametrize("gone", ["C16", "C17", "C26P", "C34"])
def test_one_removed(smoke_run: Project, tmp_path: Path, gone: str) -> None:
    del CLAIMS[gone]
    ledger = [tell(result) for result in decided(smoke_run)]
    assert not any(re.search(rf"\b{gone}\b", f"{r.note} {r.repeats}") for r in ledger)
    assert gone not in to_markdown(ledger)
    text = page_with(smoke_run, tmp_path, ledger)
    assert f"#{gone}" not in text
    assert f'id="{gone}"' not in text


def test_one_added(smoke_run: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DECLARED, NEW, replace(claim("C17"), id=NEW))
    registered = register.register()
    registered[NEW] = registered["C17"]
    monkeypatch.setattr(register, "register", lambda: registered)
    shown = replace(EVERY_FIGURE["figure_1"], claims=(NEW,))
    monkeypatch.setitem(EVERY_FIGURE, "figure_1", shown)
    CLAIMS[NEW] = replace(CLAIMS["C17"], id=NEW)
    results = decided(smoke_run)
    ledger = [tell(result) for result in (*results, replace(by_id(results)["C17"], id=NEW))]
    assert f'<a id="{NEW.lower()}"></a>' in to_markdown(ledger)
    figures = page_with(smoke_run, tmp_path, ledger).split('<article id="')[1:]
    beside = {figure.split('"')[0] for figure in figures[:-1] if f'href="#{NEW}"' in figure}
    assert beside == {"figure_1"}
