"""A claim removed, and one added: the claims table and the page follow."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pages_helpers import page_of
from penalized_replication.claims import CLAIMS, claim
from penalized_replication.claims.base import DECLARED
from penalized_replication.claims.results import ClaimResult, by_id, read_results, to_json
from penalized_replication.claims.table import preregistration, render
from penalized_replication.claims.table.render import described
from penalized_replication.claims.table.tables import to_markdown
from penalized_replication.figures import EVERY_FIGURE
from workflow_helpers import Project

NEW = "C99"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Restore the register; compile the notes' templates anew, as it is part of them."""
    known = dict(CLAIMS)
    render.templates.cache_clear()
    yield
    CLAIMS.clear()
    CLAIMS.update(known)
    render.templates.cache_clear()


def decided(project: Project) -> list[ClaimResult]:
    results = read_results(project.folder / "results/claims/claims.json")
    return [result for result in results if result.id in CLAIMS]


def page_with(project: Project, folder: Path, claims: list[ClaimResult]) -> str:
    (folder / "claims.json").write_text(to_json(claims), encoding="utf-8")
    return page_of(project, claims=str(folder / "claims.json"))


@pytest.mark.parametrize("gone", ["C16", "C17", "C26P", "C34"])
def test_one_removed(smoke_run: Project, tmp_path: Path, gone: str) -> None:
    del CLAIMS[gone]
    claims = [described(result) for result in decided(smoke_run)]
    assert not any(re.search(rf"\b{gone}\b", f"{r.note} {r.repeats}") for r in claims)
    assert gone not in to_markdown(claims)
    text = page_with(smoke_run, tmp_path, claims)
    assert f"#{gone}" not in text
    assert f'id="{gone}"' not in text


def test_one_added(smoke_run: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DECLARED, NEW, replace(claim("C17"), id=NEW))
    forms_of = preregistration.forms_of
    monkeypatch.setattr(preregistration, "forms_of", lambda n: forms_of(n.replace(NEW, "C17")))
    shown = replace(EVERY_FIGURE["figure_1"], claims=(NEW,))
    monkeypatch.setitem(EVERY_FIGURE, "figure_1", shown)
    CLAIMS[NEW] = replace(CLAIMS["C17"], id=NEW)
    results = decided(smoke_run)
    claims = [described(result) for result in (*results, replace(by_id(results)["C17"], id=NEW))]
    assert f'<a id="{NEW.lower()}"></a>' in to_markdown(claims)
    figures = page_with(smoke_run, tmp_path, claims).split('<article id="')[1:]
    beside = {figure.split('"')[0] for figure in figures[:-1] if f'href="#{NEW}"' in figure}
    assert beside == {"figure_1"}
