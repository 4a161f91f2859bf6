"""The reproduction page in a browser: drawn, sorted, filtered, hovered; phones, dark, paper."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browser_helpers import chromium, needs_browser
from pages_helpers import HOSTILE, PAGE, hostile_page
from penalized_bandits.claims import CLAIMS
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.pages.charts import CHARTS
from workflow_helpers import Project
from workflow_helpers import fresh_fixture as fresh_fixture
from workflow_helpers import miniature_fixture as miniature_fixture

pytestmark = needs_browser
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
DRAWN = (
    "document.querySelectorAll('[data-chart]').length"
    " === document.querySelectorAll('[data-drawn]').length"
)
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def visit(browser: Any, miniature: Project) -> Iterator[Open]:
    """Open the page; afterwards nothing may have gone wrong or have been asked of any host."""
    problems: list[str] = []
    contexts: list[Any] = []

    def guard(route: Any) -> None:
        if route.request.url.startswith("file:"):
            route.continue_()
        else:
            problems.append(f"request: {route.request.url}")
            route.abort()

    def open_page(path: Path | None = None, after: str = "", **options: Any) -> Any:
        context = browser.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        context.route("**/*", guard)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda m: problems.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: problems.append(f"error: {e}"))
        page.on("dialog", lambda d: (problems.append(f"dialog: {d.message}"), d.dismiss()))
        page.goto((path or miniature.folder / PAGE).as_uri() + after)
        if options.get("java_script_enabled", True):
            page.wait_for_function(DRAWN)
            # Scrolling smoothly would have clicks wait for it.
            page.add_style_tag(content="html { scroll-behavior: auto !important; }")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def visible_claims(page: Any) -> list[str]:
    return page.eval_on_selector_all(
        "#ledger-table > tbody", "all => all.filter(one => !one.hidden).map(one => one.id)"
    )


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


def test_every_figure_has_a_size(visit: Open) -> None:
    page = visit()
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


@pytest.mark.parametrize("chart", CHARTS)
def test_a_chart_shows_values_on_hover(visit: Open, chart: str) -> None:
    page = visit()
    assert marks(page, chart).count() > 3
    shown = point_at(page, marks(page, chart).last)
    wanted = (
        ("Title", "Ratings", "Mean reward", "Arm where", "(19")
        if chart == "movies"
        else ("Policy", "Tuning", "Reward", "Unfairness", "[", "]", "UCB")
    )
    for text in wanted:
        assert text in shown
    assert "undefined" not in shown
    assert "null" not in shown


def test_a_chart_shows_values_on_a_tap(visit: Open) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    mark = marks(page, "movies").last
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#vg-tooltip-element.visible")
    assert "Mean reward" in page.inner_text("#vg-tooltip-element")


def test_a_hostile_title_is_shown_and_not_run(
    visit: Open, miniature: Project, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(hostile_page(miniature, tmp_path), encoding="utf-8")
    page = visit(tmp_path / "index.html")
    assert HOSTILE in point_at(page, marks(page, "movies").first)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0


def test_another_panel_is_drawn_when_chosen(visit: Open) -> None:
    page = visit()
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


def test_filter_by_text(visit: Open) -> None:
    page = visit()
    assert visible_claims(page) == list(CLAIMS)
    assert page.inner_text("#ledger-status") == f"{len(CLAIMS)} of {len(CLAIMS)} claims"
    page.get_by_label("Text").fill("theorem 4.2a")
    assert visible_claims(page) == ["C03"]
    assert page.inner_text("#ledger-status") == f"1 of {len(CLAIMS)} claims"
    page.get_by_label("Text").fill("A_k − Δ_k")
    assert "C02" in visible_claims(page)
    page.get_by_label("Text").fill("no such words")
    assert visible_claims(page) == []


def test_filter_by_verdict(visit: Open) -> None:
    page = visit()
    verdicts = page.eval_on_selector_all(
        "#ledger-table > tbody", "a => a.map(b => b.dataset.verdict)"
    )
    page.get_by_label("not reproduced").uncheck()
    kept = [c for c, v in zip(CLAIMS, verdicts, strict=True) if v != "not-reproduced"]
    assert visible_claims(page) == kept
    page.locator("a.count.reproduced").click()
    kept = [c for c, v in zip(CLAIMS, verdicts, strict=True) if v == "reproduced"]
    assert visible_claims(page) == kept
    # A link to a claim that is filtered away shows it again, with its details.
    hidden = next(c for c, v in zip(CLAIMS, verdicts, strict=True) if v != "reproduced")
    page.locator(f".chips a[href='#{hidden}']").click()
    page.wait_for_function(f"document.querySelector('#{hidden} details').open")
    assert visible_claims(page) == list(CLAIMS)


def test_filter_by_keyboard(visit: Open) -> None:
    page = visit()
    page.get_by_label("Text").focus()
    page.keyboard.type("Figure 3")
    assert "C28" in visible_claims(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.value") == "reproduced"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Space")
    assert not page.get_by_label("● reproduced").is_checked()


def sorted_by(page: Any, name: str) -> Any:
    return page.locator("#ledger-table > thead th").filter(has_text=name)


def test_sort(visit: Open) -> None:
    page = visit()
    ranks = "a => a.map(b => Number(b.dataset.rank))"
    head = sorted_by(page, "Verdict")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    found = page.eval_on_selector_all("#ledger-table > tbody", ranks)
    assert found == sorted(found)
    assert found[0] < found[-1]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    found = page.eval_on_selector_all("#ledger-table > tbody", ranks)
    assert found == sorted(found, reverse=True)
    assert page.locator("#ledger-table [aria-sort]").count() == 1


def test_sort_by_keyboard(visit: Open) -> None:
    page = visit()
    head = sorted_by(page, "In the paper")
    sorted_by(page, "Claim").get_by_role("button").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    order = visible_claims(page)
    assert order != list(CLAIMS)
    assert sorted(order) == sorted(CLAIMS)
    places = page.eval_on_selector_all("#ledger-table > tbody", "a => a.map(b => b.dataset.where)")
    # Numbers within text count as numbers: Theorem 4.10 would come after 4.9.
    assert places[0].startswith("Figure 1")


def test_a_link_from_outside_opens_its_claim(visit: Open) -> None:
    page = visit(after="#C07")
    page.wait_for_function("document.querySelector('#C07 details').open")
    assert 0 <= page.locator("#C07").bounding_box()["y"] < WIDE["height"]
    assert "C07" in page.inner_text("#C07 th")


def test_details_open_by_keyboard(visit: Open) -> None:
    page = visit()
    page.locator("#C24 summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("#C24 table").first.is_visible()
    page.get_by_role("button", name="Open all details").focus()
    page.keyboard.press("Space")
    assert page.locator("#ledger-table details:not([open])").count() == 0


def test_the_first_stop_skips_to_the_content(visit: Open) -> None:
    page = visit()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["y"] >= 0


def test_a_phone_does_not_scroll_sideways(visit: Open) -> None:
    page = visit(viewport=PHONE)
    overflow = "document.documentElement.scrollWidth - window.innerWidth"
    assert page.evaluate(overflow) <= 0
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(visit: Open, scheme: str) -> None:
    page = visit(color_scheme=scheme)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
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


def test_without_javascript(visit: Open) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator("#ledger-table > tbody").count() == len(CLAIMS)
    assert page.locator("#ledger-table > tbody .claim >> visible=true").count() == len(CLAIMS)
    assert page.locator("form.filter").is_hidden()
    assert page.locator("#ledger-table button").count() == 0
    assert page.get_by_text("This chart needs JavaScript.").count() == len(CHARTS)
    assert page.locator("svg[role=img] >> visible=true").count() == len(ALL_FIGURES)


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
    assert page.locator("#ledger-table details[open]").count() == 0
    assert len(page.pdf(format="A4")) > 100_000
