"""Parts of the reproduction page: formulas, pictures and provenance."""

from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from pages_helpers import INJECTION, Reader
from penalized_replication.config.differences import differences
from penalized_replication.pages.render import caption, formula, picture


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
