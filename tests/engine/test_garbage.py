"""Python's search for garbage is put off while objects are made that stay, and goes on after."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from penalized_bandits.common.garbage import objects_that_stay


@pytest.fixture(autouse=True)
def _on() -> Iterator[None]:
    """Turn the search on, which jobs of the workflow turn off, imported in this process."""
    before = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if before else gc.disable)()


class _Ring:
    """An object that only a search for garbage finds."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_that_was_made_meanwhile_is_found_later() -> None:
    with objects_that_stay():
        assert not gc.isenabled()
        lost = weakref.ref(_Ring())
    assert gc.isenabled()
    gc.collect()
    assert lost() is None


def test_search_is_on_again_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), objects_that_stay():
        _ = 1 / 0
    assert gc.isenabled()


def test_search_that_the_user_turned_off_stays_off() -> None:
    gc.disable()
    try:
        with objects_that_stay():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_objects_that_the_user_froze_stay_frozen() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with objects_that_stay():
            pass
        assert 0 < gc.get_freeze_count() <= frozen  # some of them end in between
    finally:
        gc.unfreeze()
