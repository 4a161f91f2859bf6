"""The reproduction page in Chromium, as on a phone with a fourth of this machine's speed."""

import shutil
from functools import cache
from typing import Any

from benchmarks.cases import ROOT, Case


@cache  # started by the untimed call, ended with the process
def _browser() -> Any:
    from playwright.sync_api import sync_playwright

    chromium, path = sync_playwright().start().chromium, shutil.which("chromium")
    return chromium.launch(executable_path=path, args=["--no-sandbox"])


def until_usable(case: Case) -> None:
    """Open a page until it is laid out and its scripts are idle."""
    with _browser().new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.goto((ROOT / case.config).as_uri())
        page.evaluate("() => new Promise((done) => requestIdleCallback(done))")
