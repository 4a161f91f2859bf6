"""The reproduction page in Firefox: charts are drawn, it fits a phone, nothing goes wrong."""

import pytest

from browser_helpers import DRAWN, LOOK_AT_CHARTS
from firefox_helpers import FirefoxPage, needs_firefox
from pages_helpers import PAGE
from workflow_helpers import Project

pytestmark = needs_firefox
PHONE = 390


@pytest.mark.sample
def test_on_a_phone(fox: FirefoxPage, miniature: Project) -> None:
    fox.open(miniature.folder / PAGE, width=PHONE)
    fox.evaluate(LOOK_AT_CHARTS)
    assert fox.evaluate(DRAWN)
    assert fox.evaluate("() => document.documentElement.scrollWidth") <= PHONE
    # A link opens its claim.
    fox.open(miniature.folder / PAGE, "#C07", width=PHONE)
    fox.wait_for("() => document.querySelector('#C07 details').open")
    assert fox.problems == []
