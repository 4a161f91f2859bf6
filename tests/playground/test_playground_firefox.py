"""The playground in Firefox: the oracle's pulls, and a page that works there as in Chromium."""

from pathlib import Path

import pytest

from firefox_helpers import FirefoxPage, needs_firefox
from penalized_bandits.playground.scripts import engine_source
from playground_helpers import check_pulls
from playground_page_helpers import PLAYED, SMALL

pytestmark = needs_firefox
ONE_OF_EACH_LAW = (0, 3, 4, 7, 8, 11)


@pytest.fixture(scope="module", name="engine")
def engine_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write an empty page with the simulator in it."""
    path = tmp_path_factory.mktemp("engine") / "engine.html"
    text = f'<!doctype html><meta charset="utf-8"><script>{engine_source()}</script>'
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("i", ONE_OF_EACH_LAW)
def test_the_oracle_pulls_the_same_arms(fox: FirefoxPage, engine: Path, i: int) -> None:
    fox.open(engine)
    check_pulls(fox, i)


@pytest.mark.sample
def test_it_plays_and_fits_a_phone(fox: FirefoxPage, playground: Path) -> None:
    fox.open(playground, SMALL, width=390)
    fox.wait_for(PLAYED)
    fox.wait_for(
        "() => ['regret', 'tradeoff', 'costs'].every("
        "id => document.querySelector(`#${id} svg[role=img]`)?.ariaLabel)"
    )
    assert fox.evaluate("() => document.querySelectorAll('#rows .row').length") == 3
    assert fox.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert fox.problems == []


@pytest.mark.slow
def test_a_bad_address_is_told(fox: FirefoxPage, playground: Path) -> None:
    fox.open(playground, SMALL.replace("mu=0.9,", "mu=x,").replace("ucb1", "none"))
    told = "one => document.querySelector(one).innerText"
    for place in ("#address-problem", ".wrong"):
        assert 'μ of arm 1 is "x"' in fox.evaluate(told, place)
    assert 'no policy "none"' in fox.evaluate(told, "#address-problem")
    assert fox.evaluate(told, "#clock") == fox.evaluate(told, "#scores") == ""
    assert fox.problems == []
