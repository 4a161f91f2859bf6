"""The reproduction page in Chromium, as on a phone with a fourth of this machine's speed."""

import shutil

from benchmarks.cases import ROOT, Case


def until_usable(case: Case) -> None:
    """Start the browser, and open a page until it is laid out and its scripts are idle."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        path = shutil.which("chromium")
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.goto((ROOT / case.config).as_uri())
        page.evaluate("() => new Promise((done) => requestIdleCallback(done))")
        browser.close()
