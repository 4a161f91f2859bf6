"""The playground's simulator in a browser, and bandits as it takes them."""

from collections.abc import Iterator
from typing import Any

import pytest

from browser_helpers import chromium
from penalized_bandits import Instance
from penalized_bandits.playground.scripts import engine_source


@pytest.fixture(name="page", scope="module")
def page_fixture() -> Iterator[Any]:
    """Open an empty page with the script in it."""
    with chromium() as browser:
        opened = browser.new_page()
        opened.add_script_tag(content=engine_source())
        yield opened


def given_as(
    instance: Instance,
    law: dict[str, Any],
    horizon: int,
    *,
    seed: int,
    stream: tuple[str, ...] = (),
    replicate: int = 0,
) -> dict[str, Any]:
    """Return what a simulation in the script is made from, but for its policy."""
    return {
        **{name: getattr(instance, name).tolist() for name in ("means", "fairness", "penalties")},
        **dict(zip(("experiment", "instance"), stream, strict=False)),
        "law": law,
        "horizon": horizon,
        "seed": seed,
        "replicate": replicate,
    }
