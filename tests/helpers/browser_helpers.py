"""A real browser for pages: Debian's Chromium or another, driven by Playwright."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FOUND = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM = os.environ.get("CHROMIUM") or FOUND
needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium: install it, or say where it is in CHROMIUM"
)
ARGUMENTS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

WIDE = {"width": 1280, "height": 900}
Open = Callable[..., Any]


@contextmanager
def chromium() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture(scope="module", name="browser")
def browser_fixture() -> Iterator[Any]:
    with chromium() as started:
        yield started


@contextmanager
def visits(browser: Any, usual: Path) -> Iterator[Open]:
    """Yield what opens pages; check afterwards that there was no error and no request."""
    problems: list[str] = []
    contexts: list[Any] = []

    def guard(route: Any) -> None:
        problems.append(f"request: {route.request.url}")
        route.abort()

    def open_page(path: Path | None = None, after: str = "", **options: Any) -> Any:
        context = browser.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        context.route(re.compile("^(?!file:)"), guard)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.on("console", lambda m: problems.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: problems.append(f"error: {e}"))
        page.on("dialog", lambda d: (problems.append(f"dialog: {d.message}"), d.dismiss()))
        page.goto((path or usual).as_uri() + after)
        if options.get("java_script_enabled", True):
            # Scrolling smoothly would have clicks wait for it.
            page.add_style_tag(content="html { scroll-behavior: auto !important; }")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def violations(page: Any) -> list[tuple[str, str]]:
    """Return the rules of axe that a page breaks, each with the first element that breaks it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    rules = axe.Axe().run(page).response["violations"]
    return [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in rules]
