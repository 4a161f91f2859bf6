"""Parts of the reproduction page: formulas, pictures, differences, and claims that come and go."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from extension_helpers import loaded
from pages_helpers import INJECTION, Reader, page_of
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.base import DECLARED, claim_of
from penalized_replication.claims.results import ClaimResult, by_id, read_results, to_json
from penalized_replication.claims.table import preregistration, render
from penalized_replication.claims.table.render import described
from penalized_replication.claims.table.tables import to_markdown
from penalized_replication.config.files import differences
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.pages.render import caption, formula, picture
from workflow_helpers import Project


@pytest.mark.parametrize("set_in_html", [formula, caption])
def test_text_is_escaped_before_it_is_set(set_in_html: Any) -> None:
    html = set_in_html(f"{INJECTION} A_k **<i>** `<i>` $_<$ ^<b")
    assert isinstance(html, Markup)
    assert {tag for tag, _ in Reader(html).elements} <= {"sub", "sup", "strong", "code"}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("N_k(T) ≥ ⌊τ_k T⌋", "N<sub>k</sub>(T) ≥ ⌊τ<sub>k</sub> T⌋"),
        ("Δ_(k+1)", "Δ<sub>(k+1)</sub>"),
        ("Δ_(K_exploit)", "Δ<sub>(K_exploit)</sub>"),
        ("K_exploit = 1", "K<sub>exploit</sub> = 1"),
        ("E max_t (τ_j t)", "E max<sub>t</sub> (τ<sub>j</sub> t)"),
        ("order T^(2/3)", "order T<sup>2/3</sup>"),
        ("τ_k = T^−b", "τ<sub>k</sub> = T<sup>−b</sup>"),
        ("(Δ_k − A_k)^−2", "(Δ<sub>k</sub> − A<sub>k</sub>)<sup>−2</sup>"),
        # Names of the workflow are not formulas.
        ("setting_3, hard_threshold_ucb, m0_2500, K5_tau0.2", None),
        ("log_of = n-1", None),
    ],
)
def test_formula(text: str, html: str | None) -> None:
    assert formula(text) == (html or text)


def test_caption() -> None:
    text = "**Figure 1. A < B.** τ$_k$T, (x)$_+$, c T$^p$, (log T)$^{1/3}$ `a_b`, 5 $ and 6 $.\n"
    assert caption(text) == (
        "<strong>Figure 1. A &lt; B.</strong> τ<sub>k</sub>T, (x)<sub>+</sub>, c T<sup>p</sup>, "
        "(log T)<sup>1/3</sup> <code>a_b</code>, 5 $ and 6 $."
    )


def test_a_picture_says_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("<svg/>", encoding="utf-8")
    assert picture(tmp_path / "a.svg", 'A & "B"', "text") == (
        '<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="A &amp; &#34;B&#34;"'
        ' aria-describedby="text">'
    )


def test_differences() -> None:
    published = {"seed": 1, "a": {"n": 3, "list": [1, 2], "deep": {"x": 1}}, "b": {"n": 1}}
    used = {"seed": 1, "a": {"n": 4, "list": [1, 2], "deep": {"x": 1, "y": 2}, "left": None}}
    less = {"a": {"n": 4, "deep": {"y": 2}}, "b": None}
    assert differences(used, published) == less
    assert differences(published, published) == {}
    assert differences({"n": 1.0}, {"n": 1}) == {}


# --- A claim removed, and one added: the claims table and the page follow -----------

NEW = "C99"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Restore the register; compile the notes' templates anew, as it is part of them."""
    render.templates.cache_clear()
    with loaded():
        yield
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
    monkeypatch.setitem(DECLARED, NEW, replace(claim_of("C17"), id=NEW))
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
