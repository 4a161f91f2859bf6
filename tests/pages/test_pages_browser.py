"""The reproduction page in a browser: drawn, sorted, filtered, hovered; phones, dark, paper.

Opening the page takes a second or two, so that tests share what is opened where they can.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser_helpers import WIDE, Open, chromium, needs_browser, visits
from pages_helpers import HOSTILE, LISTED, PAGE, hostile_page
from penalized_bandits.claims import CLAIMS
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.pages.charts import CHARTS
from workflow_helpers import Project
from workflow_helpers import fresh_fixture as fresh_fixture
from workflow_helpers import miniature_fixture as miniature_fixture

pytestmark = needs_browser
slow = pytest.mark.slow
PHONE = {"width": 390, "height": 844}
OPEN_DETAILS = "for (const one of document.querySelectorAll('details')) one.open = true"
VERDICTS = "a => a.map(b => b.dataset.verdict)"
ROWS = "table.ledger > tbody"
FIRST = "table.ledger:nth-of-type(1)"
"""The table of the paper's claims."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def visit(browser: Any, miniature: Project) -> Iterator[Open]:
    with visits(browser, miniature.folder / PAGE) as opened:
        yield opened


@pytest.fixture(scope="module")
def opened(browser: Any, miniature: Project) -> Iterator[Any]:
    with visits(browser, miniature.folder / PAGE) as opened:
        yield opened()


@pytest.fixture
def page(opened: Any) -> Any:
    """Return the page, opened once, as it was then: all claims, in order, details closed."""
    sorted_by(opened, "Claim").get_by_role("button").click()
    opened.evaluate(
        "() => { const form = document.querySelector('form.filter'); form.reset();"
        " form.dispatchEvent(new Event('input'));"
        " for (const one of document.querySelectorAll('details')) one.open = false; }"
    )
    if visible_claims(opened) != LISTED:
        sorted_by(opened, "Claim").get_by_role("button").click()
    return opened


def visible_claims(page: Any) -> list[str]:
    return page.eval_on_selector_all(ROWS, "all => all.filter(b => !b.hidden).map(b => b.id)")


def sorted_by(page: Any, name: str) -> Any:
    return page.locator(f"{FIRST} > thead th").filter(has_text=name)


def marks(page: Any, chart: str) -> Any:
    return page.locator(f"[data-chart=chart-{chart}-spec] .role-mark.mark-symbol path")


def point_at(page: Any, mark: Any) -> str:
    """Move the pointer to a mark and return what is shown beside it."""
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#vg-tooltip-element.visible")
    return page.inner_text("#vg-tooltip-element")


def test_every_figure_has_a_size(page: Any) -> None:
    drawings = page.locator("svg[role=img]")
    assert drawings.count() == len(ALL_FIGURES)
    for number in range(drawings.count()):
        width, height, ink = drawings.nth(number).evaluate(
            "svg => [svg.getBoundingClientRect().width, svg.getBoundingClientRect().height,"
            " svg.getBBox().width]"
        )
        assert width > 300
        assert height > 100
        assert ink > 0
    # Letters are drawn by reference: every one of them must be found.
    lost = page.evaluate(
        "[...document.querySelectorAll('svg use')].map(use => use.getAttribute('href'))"
        ".filter(to => !document.getElementById(to.slice(1)))"
    )
    assert lost == []


def test_charts_show_values_on_hover(page: Any) -> None:
    for chart in CHARTS:
        assert marks(page, chart).count() > 3
        shown = point_at(page, marks(page, chart).last)
        wanted = (
            ("Title", "Ratings", "Mean reward", "Arm where", "(19")
            if chart == "movies"
            else ("Policy", "Tuning", "Reward", "Unfairness", "[", "]", "UCB")
        )
        assert [text for text in wanted if text not in shown] == []
        assert "undefined" not in shown
        assert "null" not in shown


@slow
def test_a_hostile_title_is_shown_and_not_run(
    visit: Open, miniature: Project, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(hostile_page(miniature, tmp_path), encoding="utf-8")
    page = visit(tmp_path / "index.html")
    assert HOSTILE in point_at(page, marks(page, "movies").first)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0


def test_another_panel_is_drawn_when_chosen(page: Any) -> None:
    choice = page.locator("#chart-setting_5-choice").get_by_label("Panel")
    options = choice.locator("option").all_inner_texts()
    assert len(options) == 3
    before = marks(page, "setting_5").first.get_attribute("aria-label")
    choice.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    assert choice.input_value() == options[-1]
    page.wait_for_function(
        "before => document.querySelector('[data-chart=chart-setting_5-spec]"
        " .role-mark.mark-symbol path').getAttribute('aria-label') !== before",
        arg=before,
    )


def test_filter_by_text(page: Any) -> None:
    assert visible_claims(page) == LISTED
    assert page.inner_text("#ledger-status") == f"{len(CLAIMS)} of {len(CLAIMS)} claims"
    page.get_by_label("Text").fill("theorem 4.2a")
    found = visible_claims(page)
    assert "C03" in found
    assert len(found) < 5
    assert page.inner_text("#ledger-status") == f"{len(found)} of {len(CLAIMS)} claims"
    page.get_by_label("Text").fill("A_k − Δ_k")
    assert "C02" in visible_claims(page)
    page.get_by_label("Text").fill("no such words")
    assert visible_claims(page) == []
    page.get_by_label("Text").fill("")
    page.get_by_label("Text").focus()
    page.keyboard.type("Figure 3")
    assert "C28" in visible_claims(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.value") == "reproduced"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Space")
    assert not page.get_by_label("● reproduced").is_checked()


def test_filter_by_verdict(page: Any) -> None:
    verdicts = page.eval_on_selector_all(ROWS, VERDICTS)
    page.get_by_label("not reproduced").uncheck()
    kept = [c for c, v in zip(LISTED, verdicts, strict=True) if v != "not-reproduced"]
    assert visible_claims(page) == kept
    page.locator("a.count.reproduced").first.click()
    kept = [c for c, v in zip(LISTED, verdicts, strict=True) if v == "reproduced"]
    assert visible_claims(page) == kept
    # A link to a claim that is filtered away shows it again, with its details.
    hidden = next(c for c, v in zip(LISTED, verdicts, strict=True) if v != "reproduced")
    page.locator(f".chips a[href='#{hidden}']").click()
    page.wait_for_function(f"document.querySelector('#{hidden} details').open")
    assert visible_claims(page) == LISTED


def test_sort(page: Any) -> None:
    ranks = "a => a.map(b => Number(b.dataset.rank))"
    head = sorted_by(page, "Verdict")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    found = page.eval_on_selector_all(f"{FIRST} > tbody", ranks)
    assert found == sorted(found)
    assert found[0] < found[-1]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    found = page.eval_on_selector_all(f"{FIRST} > tbody", ranks)
    assert found == sorted(found, reverse=True)
    assert page.locator(f"{FIRST} [aria-sort]").count() == 1


def test_sort_by_keyboard(page: Any) -> None:
    head = sorted_by(page, "Where")
    sorted_by(page, "Claim").get_by_role("button").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    order = visible_claims(page)
    assert order != LISTED
    assert sorted(order) == sorted(CLAIMS)
    places = page.eval_on_selector_all(ROWS, "a => a.map(b => b.dataset.where)")
    # Numbers within text count as numbers: Theorem 4.10 would come after 4.9.
    figures = [place for place in places if place.startswith("Figure")]
    assert figures[0].startswith("Figure 1")


def test_details_open_by_keyboard(page: Any) -> None:
    page.locator("#C24 summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("#C24 table").first.is_visible()
    page.get_by_role("button", name="Open all details").focus()
    page.keyboard.press("Space")
    assert page.locator("table.ledger details:not([open])").count() == 0


@slow
def test_a_link_from_outside_opens_its_claim(visit: Open) -> None:
    page = visit(after="#C07")
    page.wait_for_function("document.querySelector('#C07 details').open")
    assert 0 <= page.locator("#C07").bounding_box()["y"] < WIDE["height"]
    assert "C07" in page.inner_text("#C07 th")


@slow
def test_the_first_stop_skips_to_the_content(visit: Open) -> None:
    page = visit()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["y"] >= 0


@slow
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


CONTRAST = """
() => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.9) return colour.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const poor = [];
  let seen = 0;
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || one.closest("svg, script, .unseen") || !one.checkVisibility()) continue;
    const [a, b] = [light(channels(getComputedStyle(one).color)), light(ground(one))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    seen += 1;
    if (ratio < 4.5) poor.push([ratio.toFixed(2), one.outerHTML.slice(0, 120)]);
  }
  return [seen, poor];
}
"""


@slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(visit: Open, scheme: str) -> None:
    page = visit(color_scheme=scheme)
    page.evaluate(OPEN_DETAILS)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
    seen, poor = page.evaluate(CONTRAST)
    assert seen > 500
    assert poor == []
    # Drawings are made for white paper.
    for card in page.locator(".card").all():
        assert card.evaluate("c => getComputedStyle(c).backgroundColor") == "rgb(255, 255, 255)"
    point_at(page, marks(page, "movies").first)
    _, poor = page.evaluate(CONTRAST)
    assert poor == []


@slow
def test_without_javascript(visit: Open) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator(ROWS).count() == len(CLAIMS)
    assert page.locator(f"{ROWS} .claim >> visible=true").count() == len(CLAIMS)
    assert page.locator("form.filter").is_hidden()
    assert page.locator("table.ledger button").count() == 0
    assert page.get_by_text("This chart needs JavaScript.").count() == len(CHARTS)
    assert page.locator("svg[role=img] >> visible=true").count() == len(ALL_FIGURES)


@slow
def test_on_paper(visit: Open) -> None:
    page = visit(color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    for hidden in ("nav", "form.filter", ".chart", ".skip"):
        assert page.locator(hidden).first.is_hidden(), hidden
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("#C07 dd").first.is_visible()
    assert page.locator("svg[role=img] >> visible=true").count() == len(ALL_FIGURES)
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("table.ledger details[open]").count() == 0
    assert len(page.pdf(format="A4")) > 100_000
