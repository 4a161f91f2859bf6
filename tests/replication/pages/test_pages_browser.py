"""The reproduction page in a browser: chart, drawings, filters and links."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from browser_helpers import WIDE, Open, needs_browser, violations, visits
from browser_helpers import browser_fixture as browser_fixture
from pages_helpers import ALL_THERE, LISTED, OPEN_DETAILS, PAGE, ROWS
from penalized_replication.figures import EVERY_FIGURE
from workflow_helpers import Project

pytestmark = [needs_browser, pytest.mark.slow]


@pytest.fixture
def visit(browser: Any, smoke_run: Project) -> Iterator[Open]:
    with visits(browser, smoke_run.folder / PAGE) as opened:
        yield opened


@pytest.fixture
def page(visit: Open) -> Any:
    """Return the page with all that is behind "Every claim, figure and table"."""
    page = visit()
    page.locator("#every > summary").click()
    return page


def visible_claims(page: Any) -> list[str]:
    return page.eval_on_selector_all(ROWS, "all => all.filter(b => !b.hidden).map(b => b.id)")


@pytest.mark.sample
def test_every_figure_is_drawn(page: Any) -> None:
    page.wait_for_function(ALL_THERE)
    drawings = page.locator("img >> visible=true")
    # Those of one column are for phones, but for that of a scene, whose figure is not there.
    assert drawings.count() == len(EVERY_FIGURE)
    for drawing in drawings.all():
        # A picture that the browser cannot read has no size of its own.
        for name, least in {"width": 300, "height": 100, "naturalWidth": 100}.items():
            assert drawing.evaluate(f"img => img.{name}") > least, name


@pytest.mark.sample
def test_filter_by_text(page: Any) -> None:
    assert visible_claims(page) == LISTED
    assert page.inner_text("#ledger-status") == f"{len(LISTED)} of {len(LISTED)} claims"
    page.get_by_label("Text").fill("theorem 4.2a")
    found = visible_claims(page)
    assert "C03" in found
    assert len(found) < 5
    assert page.inner_text("#ledger-status").startswith(f"{len(found)} of {len(LISTED)} claims")
    page.get_by_label("Text").fill("A_k − Δ_k")
    assert "C02" in visible_claims(page)
    page.get_by_label("Text").fill("unicorn")
    assert visible_claims(page) == []
    assert page.inner_text("#ledger-status").startswith("0 of")
    assert page.locator("table.ledger >> visible=true").count() == 0


@pytest.mark.sample
def test_filter_by_verdict(page: Any) -> None:
    verdicts = page.eval_on_selector_all(ROWS, "a => a.map(b => b.dataset.verdict)")
    page.get_by_role("checkbox", name="fails").uncheck()
    kept = [c for c, v in zip(LISTED, verdicts, strict=True) if v != "fails"]
    assert visible_claims(page) == kept
    # A link to a claim that is filtered away shows it again, with its details.
    hidden = next(c for c, v in zip(LISTED, verdicts, strict=True) if v == "fails")
    page.locator(f".squares a[href='#{hidden}']").click()
    page.wait_for_selector(f"#{hidden} details[open]")
    assert visible_claims(page) == LISTED


@pytest.mark.sample
def test_all_details_open_by_keyboard(page: Any) -> None:
    page.get_by_role("button", name="Open all details").focus()
    page.keyboard.press("Space")
    assert page.locator("table.ledger details:not([open])").count() == 0


def test_a_link_from_outside_opens_its_claim(visit: Open) -> None:
    page = visit(after="#C07")
    page.wait_for_selector("#C07 details[open]")
    # Drawings above it come later, and it stays where it is.
    page.wait_for_function(ALL_THERE)
    assert 0 <= page.locator("#C07").bounding_box()["y"] < WIDE["height"]
    assert "C07" in page.inner_text("#C07 th")


PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_screen(visit: Open, scheme: str) -> None:
    page = visit(color_scheme=scheme)
    for part in ("h1", ".lead", ".race .chips", ".said", "#chart svg"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= WIDE["height"], part


def test_chips_change_the_bandit(visit: Open) -> None:
    page = visit()
    chips, said = page.locator(".race .chips button"), page.locator(".said p >> visible=true")
    seen = set()
    for chip in chips.all()[:-1]:
        chip.focus()
        page.keyboard.press("Enter")
        assert page.locator(".chips [aria-pressed=true]").inner_text() == chip.inner_text()
        label = page.locator("#chart svg").get_attribute("aria-label")
        assert said.inner_text() in label
        seen.add(label)
        # The chart has a curve for each column of the bandit's table.
        table = page.locator(".numbers >> visible=true").locator("table")
        assert page.locator("#chart .curve").count() == table.locator("[data-policy]").count()
    assert len(seen) == chips.count() - 1 > 1


def test_on_a_phone(visit: Open) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    assert page.locator("#chart").bounding_box()["y"] < page.locator(".lead").bounding_box()["y"]
    overflow = "document.documentElement.scrollWidth - window.innerWidth"
    assert page.evaluate(overflow) <= 0
    page.evaluate(OPEN_DETAILS)
    page.wait_for_function(ALL_THERE)
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
    assert page.locator("#C01").get_by_role("cell").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(visit: Open, scheme: str) -> None:
    page = visit(color_scheme=scheme)
    page.evaluate(OPEN_DETAILS)
    page.wait_for_function(ALL_THERE)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
    assert violations(page) == []
    # Drawings are made for white paper: in the dark light and dark change places.
    paper = {"light": ("rgb(255, 255, 255)", "none"), "dark": ("rgb(20, 20, 20)", "invert")}[scheme]
    for card in page.locator(".card:has(> img)").all():
        assert card.evaluate("c => getComputedStyle(c).backgroundColor") == paper[0]
        drawn = card.evaluate("c => getComputedStyle(c.querySelector('img')).filter")
        assert drawn.startswith(paper[1])


def test_without_javascript(visit: Open) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator("#chart img").is_visible()
    assert page.locator("#why img").is_visible()
    assert page.locator(".race .chips").is_hidden()
    page.locator("#every > summary").click()
    assert page.locator(ROWS).count() == len(LISTED)
    assert page.locator(f"{ROWS} .claim >> visible=true").count() == len(LISTED)
    assert page.locator("form.filter").is_hidden()
    # Of a packed drawing there is the link.
    assert page.locator("img >> visible=true").count() == 2
    page.locator("#figure_1 .enlarge").scroll_into_view_if_needed()
    assert page.locator("#figure_1 .enlarge").is_visible()


def test_the_crossing_disappears_below_the_smallest_gap(visit: Open) -> None:
    page = visit(viewport=PHONE, is_mobile=True, has_touch=True)
    page.get_by_role("button", name="drag the fine").click()
    said, rate = page.locator("#live-said"), page.get_by_label("Fine for a missing choice")
    page.wait_for_selector("#live-said:text('The promise pays after')")
    assert "Worth the share: option 2 (gap 0.3)." in said.inner_text()
    assert rate.get_attribute("aria-valuetext") == "0.34, worth its share: option 2"
    assert page.locator("#chart .crossing").count() == 1
    rate.fill("0.25")
    page.wait_for_selector("#live-said:text('The crossing is gone')")
    assert "No option is worth its share" in said.inner_text()
    assert page.locator("#gaps .worth").count() == 0
    assert page.locator("#chart .crossing").count() == 0
    rate.fill("0.6")
    page.wait_for_selector("#live-said:text('option 2 (gap 0.3) and option 3 (gap 0.5)')")
    # Slider, verdict and curve are seen together.
    places = [page.locator(one).bounding_box() for one in (".said", "#rate", "#chart")]
    assert places[2]["y"] + places[2]["height"] - places[0]["y"] < PHONE["height"]


def test_on_paper(visit: Open) -> None:
    page = visit(color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(ALL_THERE)
    for hidden in ("nav", "form.filter", ".skip", ".race .chips"):
        assert page.locator(hidden).first.is_hidden(), hidden
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("#C07 td").first.is_visible()
    assert page.locator("img >> visible=true").count() == len(EVERY_FIGURE)
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("table.ledger details[open]").count() == 0
    printed = page.pdf(format="A4")
    assert len(printed) > 100_000
    assert 5 < len(re.findall(rb"/Type\s*/Page\b", printed)) <= 15
