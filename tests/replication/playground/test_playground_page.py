"""The playground in a browser: play, wrong input and addresses, presets, a copy as Python."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from browser_helpers import Open, needs_browser
from penalized_bandits.policies import KINDS
from playground_helpers import SMALL, address, numbers_of, wait_until_played
from programs import printed_by
from workflow_helpers import wait_for

pytestmark = needs_browser
PHONE = {"width": 390, "height": 844}
AT_ROUND = "n => document.querySelector('#clock').textContent.startsWith(`round ${n} `)"
LANES = "document.querySelector('#rows').textContent"


def pulls_in(page: Any) -> dict[str, list[float]]:
    rows = numbers_of(page)
    pulls: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row["round"] == rows[-1]["round"]:
            pulls[row["policy"]].append(float(row["pulls_mean"]))
    return pulls


def test_the_first_preset_is_played(visit: Open, playground: Path) -> None:
    # It is to open at once, on a phone too.
    assert playground.stat().st_size < 1_000_000
    page = visit()
    # There is something to see, and nothing is given away before the guess.
    page.wait_for_function(AT_ROUND, arg="1,028")
    page.pdf()  # a print shows all rounds
    wait_until_played(page)
    assert page.locator("#rows .row").count() == int(page.input_value("#arms"))
    assert page.locator("#scores .score").count() == page.locator("#policies li").count()
    for drawing in ("regret", "tradeoff", "costs"):
        assert page.locator(f"#{drawing} svg[role=img]").get_attribute("aria-label")
    assert page.locator("#preset option:checked").inner_text().startswith("The guide")
    assert page.locator("#address-problem").is_hidden()
    kinds = page.locator("#add optgroup").evaluate_all("all => all.map(({ label }) => label)")
    assert sorted(kinds) == sorted(KINDS)
    page.emulate_media(media="print")
    assert page.locator("#clock").is_visible()


@pytest.mark.sample
def test_play_step_and_restart_change_the_lanes(visit: Open) -> None:
    page = wait_until_played(visit(after=SMALL))
    at_end = page.evaluate(LANES)
    page.get_by_role("button", name="Restart").click()
    page.wait_for_function(AT_ROUND, arg=1)
    page.wait_for_function(f"() => {LANES} !== {json.dumps(at_end)}")
    page.get_by_role("button", name="Step").click()
    page.wait_for_function(AT_ROUND, arg=2)
    page.select_option("#speed", "120")
    page.get_by_role("button", name="Play").click()
    wait_until_played(page)
    page.wait_for_function(f"() => {LANES} === {json.dumps(at_end)}")
    assert page.get_by_role("button", name="Play").is_visible()


WRONG = [
    ("μ of arm 2", "1.2", "μ of arm 2 is 1.2: it must be a number from 0 to 1."),
    ("Share owed τ", "0.4", "add up to 1.2"),
    ("Penalty rate A", "-1", "A of arm 1 is −1"),
    ("Horizon T", "3000000", "from 2 to 1,000,000"),
    ("Replicates", "0", "from 1 to 1,000"),
    ("Arms K", "21", "from 2 to 20"),
    ("Standard deviation", "", "not a number"),
]


def test_wrong_input_is_marked_at_its_control(visit: Open) -> None:
    page = wait_until_played(visit(after=SMALL.replace("tau=0.1,0.2,0.2", "tau=0.1")))
    before = address(page)
    message = page.locator(".wrong")
    for control, value, words in WRONG:
        field = page.get_by_label(control, exact=True)
        good = field.input_value()
        field.fill(value)
        assert message.count() == 1, control
        assert words in message.inner_text()
        assert field.get_attribute("aria-invalid") == "true", control
        for button in ("Play", "Step", "Restart"):
            assert page.get_by_role("button", name=button).is_disabled(), control
        assert page.locator("#clock").is_hidden(), control
        # The address is that of the last valid bandit.
        assert address(page) == before, control
        field.fill(good)
        assert message.count() == 0, control
        assert page.get_by_role("button", name="Play").is_enabled(), control


@pytest.mark.slow
def test_the_address_holds_the_whole_state(visit: Open) -> None:
    page = wait_until_played(visit(after=SMALL))
    assert page.evaluate("location.hash") == SMALL
    page.get_by_label("μ of arm 3", exact=True).fill("0.25")
    page.select_option("#add", "lfg")
    page.get_by_label("η₀").fill("40")
    page.select_option("#law", "bernoulli")
    page.get_by_label("Replicates", exact=True).fill("3")
    fields = address(page)
    assert fields["mu"] == "0.9,0.6,0.25"
    assert fields["p"] == "hard_threshold_ucb,ucb1,lfg:40"
    assert (fields["law"], fields["r"]) == ("bernoulli", "3")
    page.wait_for_timeout(500)
    wait_until_played(page)
    again = wait_until_played(visit(after=page.evaluate("location.hash")))
    assert pulls_in(again) == pulls_in(page)
    assert address(again) == fields


TELL = """import json
print(json.dumps({p: r.pulls[:, -1].mean(axis=0).tolist() for p, r in runs.items()}))
"""


@pytest.mark.sample
@pytest.mark.parametrize(
    "bandit",
    [
        *(SMALL.replace("ucb1", own) for own in ("lfg,thompson", "lfg_original:40,fair_learn")),
        *(SMALL.replace("gaussian&sd=0.3", law) for law in ("beta", "deterministic")),
        "#movies=m0_2500&tau=0.03&a=0.1&t=300&r=2&seed=3",
    ],
)
def test_the_copied_python_pulls_the_same_arms(visit: Open, tmp_path: Path, bandit: str) -> None:
    page = wait_until_played(visit(after=bandit))
    # The browser forbids copying: the text is shown.
    page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no')); 0")
    page.get_by_role("button", name="Copy as Python").click()
    page.wait_for_selector("#to-copy:not([hidden])")
    program, actual = page.input_value("#to-copy"), pulls_in(page)
    expected = json.loads(printed_by(program + TELL, cwd=tmp_path).splitlines()[-1])
    assert [*actual] == [*expected]
    for policy, pulls in expected.items():
        assert actual[policy] == pytest.approx(pulls, rel=1e-12), policy


@pytest.mark.slow
def test_pictures_are_saved(visit: Open) -> None:
    page = wait_until_played(visit(after=SMALL))
    for which in ("board", "regret", "tradeoff", "costs"):
        page.select_option("#which", which)
        for kind, begins in (("SVG", b"<svg "), ("PNG", b"\x89PNG")):
            with page.expect_download() as waiting:
                page.get_by_role("button", name=kind, exact=True).click()
            assert waiting.value.suggested_filename == f"playground-{which}.{kind.lower()}"
            saved = Path(waiting.value.path()).read_bytes()
            assert saved.startswith(begins)
            words = (b"seed 7", b"playground.html#mu=0.9,0.6,0.5")
            assert kind == "PNG" or all(word in saved for word in words)


@pytest.mark.sample
def test_a_phone_has_no_sideways_scrolling_and_the_bandit_near(visit: Open) -> None:
    for after in (SMALL, "#movies=m0_2000&tau=0.01&a=0.1&t=300&r=1&seed=3"):
        page = wait_until_played(visit(after=after, viewport=PHONE))
        page.get_by_text("Change bandit").click()
        assert page.locator("#arms").bounding_box()["y"] < PHONE["height"]
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_three_steps_are_about_what_is_shown(visit: Open) -> None:
    page = visit(after=SMALL)
    assert page.locator("#guide").is_hidden()
    page.select_option("#preset", "guide")
    steps, current = page.locator("#guide .now"), page.locator("#guide li.current")
    page.locator("#guide").get_by_role("button", name="UCB1", exact=True).click()
    assert current.inner_text().startswith("Play.")
    page.select_option("#speed", "120")
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector("#guide li:nth-child(3).current")

    def updated() -> bool:
        lost = page.locator("#scores .lost").all_inner_texts()
        return len(lost) == 2 and all(s.split("\n")[0] in steps.nth(1).inner_text() for s in lost)

    assert wait_for(updated)
    played = steps.nth(1).inner_text()
    assert "your guess was wrong" in played
    assert page.inner_text("#crossings").split("round ")[1].rstrip(".") in played
    page.get_by_label("Penalty rate A", exact=True).fill("0.3")
    # The words with all rounds come after those that a computation is under way.
    page.wait_for_selector("#guide .now:text('A = 0.3: '):text('ahead')")
    assert "UCB1 is ahead in round 100,000" in steps.last.inner_text()
    # Back undoes the change.
    page.go_back()
    page.wait_for_function("document.querySelector('#penalties').value === '0.34'")
    page.get_by_label("μ of arm 3", exact=True).fill("0.2")
    page.wait_for_selector("#guide :text('another bandit')")
    assert steps.nth(1).inner_text() == ""


@pytest.mark.sample
def test_a_preview_of_one_replicate_comes_while_a_slider_moves(visit: Open) -> None:
    page = wait_until_played(visit(after=SMALL.replace("r=5", "r=1000")))
    page.evaluate(
        "() => new MutationObserver(() => { window.said = (window.said ?? '')"
        " + document.querySelector('#clock').textContent; })"
        ".observe(document.querySelector('#clock'), { childList: true })"
    )
    page.get_by_label("Penalty rate A", exact=True).fill("0.31")
    page.wait_for_function("() => window.said?.includes('preview, 1 replicate')")
    wait_until_played(page)
    assert "stale" not in (page.locator("#stage").get_attribute("class") or "")


def test_names_of_controls_and_the_keyboard(visit: Open) -> None:
    page = visit(after=SMALL)
    nameless = page.eval_on_selector_all(
        "input, select, button, textarea",
        "all => all.filter(e => !(e.labels?.length || e.ariaLabel || e.textContent.trim()))"
        ".map(e => e.outerHTML)",
    )
    assert nameless == []
    wait_until_played(page)
    page.locator("#play").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#play[aria-pressed=true]")
    page.get_by_label("μ of arm 1, slider").focus()
    page.keyboard.press("ArrowLeft")
    assert np.isclose(float(address(page)["mu"].split(",")[0]), 0.89)


SLOW = pytest.mark.slow
BAD = [
    ("law=gaussian", "law=<b>", 'no reward law "<b>": it must be one of bernoulli, gaussian'),
    ("mu=0.9,0.6,0.5", "movies=none", 'no movies "none": they must be one of m0_2500'),
    ("tau=0.1,0.2,0.2", "tau=0.1,0.2", "3 means but 2 values of τ: give one for each arm"),
    ("ucb1", "ucb1:3", "UCB1 has no tuning, but got 3: give none."),
]


def check_blank(page: Any) -> None:
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


def test_a_wrong_address_between_good_ones_and_one_that_the_simulator_refuses(visit: Open) -> None:
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
    law = "law=heavy_tailed&scale=0.1&tail=2"
    bad = SMALL.replace("law=gaussian&sd=0.3", law).replace("ucb1", "hard_threshold_sigma")
    page.evaluate("bad => { location.hash = bad; }", bad)
    page.wait_for_selector("#address-problem:not([hidden])")
    assert "not sub-Gaussian" in page.inner_text("#address-problem")
    check_blank(page)


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
