"""The reproduction page on a first screen, a phone and paper, in the dark and without scripts."""

import re

import pytest

from browser_helpers import WIDE, Open, needs_browser, violations
from pages_helpers import LISTED, OPEN_DETAILS, ROWS, marks, point_at
from penalized_replication.figures import ALL_FIGURES
from penalized_replication.pages.charts import CHARTS

pytestmark = [needs_browser, pytest.mark.slow]
PHONE = {"width": 390, "height": 844}
CARDS = ("holds", "limits", "fails")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_screen(visit: Open, scheme: str) -> None:
    page = visit(charts=False, color_scheme=scheme)
    for part in ("h1", ".lead", *(f"#card-{card}" for card in CARDS), ".crossing img"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= WIDE["height"], part
    # No chart begins before it comes near: its script is not even unpacked.
    assert page.evaluate("typeof window.vegaEmbed") == "undefined"
    assert page.locator("[data-drawn]").count() == 0


def test_on_a_phone(visit: Open) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    overflow = "document.documentElement.scrollWidth - window.innerWidth"
    assert page.evaluate(overflow) <= 0
    page.evaluate(OPEN_DETAILS)
    assert page.evaluate(overflow) <= 0
    # Nor does anything stick out of the page unseen, except what scrolls in a box of its own.
    out = page.evaluate(
        "[...document.querySelectorAll('main *, header *')].filter(one =>"
        " !one.closest('.scroll, pre, svg, .unseen, [aria-hidden]')"
        " && one.getBoundingClientRect().right > window.innerWidth + 1)"
        ".map(one => one.outerHTML.slice(0, 100))"
    )
    assert out == []
    # Drawings fit the screen, and some have a form of one column.
    for drawing in page.locator("img >> visible=true").all():
        assert drawing.bounding_box()["width"] <= PHONE["width"]
    assert page.locator("#figure_1 .column-form img").is_visible()
    assert page.locator("#figure_1 .wide-form img").is_hidden()
    # The chart keeps to the page as well.
    assert marks(page, "setting_3").first.is_visible()
    assert page.locator("#C01").get_by_role("cell").first.is_visible()
    # A tap shows what a pointer would.
    mark = marks(page, "movies").last
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#vg-tooltip-element.visible")
    assert "Mean reward" in page.inner_text("#vg-tooltip-element")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(visit: Open, scheme: str) -> None:
    page = visit(color_scheme=scheme)
    page.evaluate(OPEN_DETAILS)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
    assert violations(page) == []
    # Drawings are made for white paper: in the dark light and dark change places.
    paper = {"light": ("rgb(255, 255, 255)", "none"), "dark": ("rgb(20, 20, 20)", "invert")}[scheme]
    for card in page.locator(".card:has(> img)").all():
        assert card.evaluate("c => getComputedStyle(c).backgroundColor") == paper[0]
        drawn = card.evaluate("c => getComputedStyle(c.querySelector('img')).filter")
        assert drawn.startswith(paper[1])
    point_at(page, marks(page, "movies").first)
    # The tooltip is a part of no landmark.
    assert [rule for rule, _ in violations(page) if rule != "region"] == []


def test_without_javascript(visit: Open) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator(ROWS).count() == len(LISTED)
    assert page.locator(f"{ROWS} .claim >> visible=true").count() == len(LISTED)
    assert page.locator("form.filter").is_hidden()
    assert page.locator("table.ledger button").count() == 0
    assert page.get_by_text("This chart needs JavaScript.").count() == len(CHARTS)
    assert page.locator("img >> visible=true").count() == len(ALL_FIGURES) + 1


def test_on_paper(visit: Open) -> None:
    page = visit(color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    for hidden in ("nav", "form.filter", ".chart", ".skip"):
        assert page.locator(hidden).first.is_hidden(), hidden
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("#C07 td").first.is_visible()
    assert page.locator("img >> visible=true").count() == len(ALL_FIGURES) + 1
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("table.ledger details[open]").count() == 0
    printed = page.pdf(format="A4")
    assert len(printed) > 100_000
    assert 5 < len(re.findall(rb"/Type\s*/Page\b", printed)) <= 15
