"""Wrong addresses of the playground: the message, and no results until they are corrected."""

from typing import Any

import pytest

from browser_helpers import Open, needs_browser
from playground_helpers import SMALL, address, wait_until_played

pytestmark = needs_browser


SLOW = pytest.mark.slow
BAD = [
    ("law=gaussian", "law=<b>", 'no reward law "<b>": it must be one of bernoulli, gaussian'),
    ("mu=0.9,0.6,0.5", "movies=none", 'no movies "none": they must be one of m0_2500'),
    ("tau=0.1,0.2,0.2", "tau=0.1,0.2", "3 means but 2 values of τ: give one for each arm"),
    ("ucb1", "ucb1:3", "UCB1 has no tuning, but got 3: give none."),
]


def check_blank(page: Any) -> None:
    """Check that there are no results, and that play and copy are disabled."""
    page.wait_for_timeout(500)
    assert page.inner_text("#scores") == page.inner_text("#crossings") == ""
    assert "owed" not in page.inner_text("#rows")
    for result in ("#clock", "#regret", "#tradeoff", "#costs", "#explored"):
        assert page.locator(result).is_hidden(), result
    for control in page.locator("#transport :is(button, input), #take button").all():
        assert control.is_disabled(), control


@pytest.mark.parametrize(
    ("was", "now", "words"), [BAD[0], *(pytest.param(*bad, marks=SLOW) for bad in BAD[1:])]
)
def test_a_wrong_address_is_not_played(visit: Open, was: str, now: str, words: str) -> None:
    page = visit(after=SMALL.replace(was, now))
    given = page.evaluate("location.hash")
    assert words in page.inner_text("#address-problem")
    assert words in page.locator(".wrong").first.inner_text()
    check_blank(page)
    assert page.evaluate("location.hash") == given


def test_a_corrected_address_is_played(visit: Open) -> None:
    page = visit(after=SMALL.replace("t=600", "t=1"))
    page.get_by_label("Horizon T", exact=True).fill("600")
    wait_until_played(page)
    assert page.locator("#address-problem").is_hidden()
    assert page.locator("#clock").is_visible()
    assert page.evaluate("location.hash") == SMALL


def test_a_wrong_address_between_good_ones(visit: Open) -> None:
    page = wait_until_played(visit(after=SMALL))
    bad = SMALL.replace("gaussian", "none")
    page.evaluate("bad => { location.hash = bad; }", bad)
    page.wait_for_selector("#law[aria-invalid=true]")
    check_blank(page)
    # A jump within the page does not lose it.
    page.evaluate("location.hash = '#board'")
    page.wait_for_function("bad => location.hash === bad", arg=bad)
    check_blank(page)
    # A good one leaves nothing marked.
    page.evaluate("good => { location.hash = good; }", SMALL)
    wait_until_played(page)
    assert page.locator(".wrong, [aria-invalid=true]").count() == 0


def test_an_unknown_policy_is_left_out(visit: Open) -> None:
    given = SMALL.replace("p=", "p=none,banditq,")
    page = visit(after=given)
    page.wait_for_selector("#scores .who")
    assert page.locator("#scores .who").all_inner_texts() == ["Hard-threshold UCB", "UCB1"]
    message = page.locator("#address-problem")
    assert 'There is no policy "none": it is left out.' in message.inner_text()
    assert "BanditQ is not in the page: it is left out." in message.inner_text()
    page.get_by_role("button", name="Restart").click()
    assert page.evaluate("location.hash") == given
    page.get_by_label("Replicates", exact=True).fill("3")
    assert message.is_hidden()
    assert address(page)["p"] == "hard_threshold_ucb,ucb1"


def test_a_bandit_that_the_simulator_refuses(visit: Open) -> None:
    page = wait_until_played(visit(after=SMALL))
    law = "law=heavy_tailed&scale=0.1&tail=2"
    bad = SMALL.replace("law=gaussian&sd=0.3", law).replace("ucb1", "hard_threshold_sigma")
    page.evaluate("bad => { location.hash = bad; }", bad)
    page.wait_for_selector("#address-problem:not([hidden])")
    assert "not sub-Gaussian" in page.inner_text("#address-problem")
    check_blank(page)
