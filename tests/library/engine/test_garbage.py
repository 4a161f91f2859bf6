"""Python's search for garbage is put off while objects are made that stay, and goes on after."""

import gc
from collections.abc import Iterator

import pytest

from penalized_bandits.common.garbage import objects_that_stay


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave the search as it was: jobs of the workflow, imported in this process, turn it off."""
    before = gc.isenabled()
    yield
    (gc.enable if before else gc.disable)()


@pytest.mark.parametrize("on", [True, False])
def test_the_search_is_as_before_also_after_an_error(on: bool) -> None:
    (gc.enable if on else gc.disable)()
    with pytest.raises(ZeroDivisionError), objects_that_stay():
        _ = 1 / gc.isenabled()  # which is False
    assert gc.isenabled() == on


def test_objects_that_the_user_froze_stay_frozen() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with objects_that_stay():
            pass
        assert 0 < gc.get_freeze_count() <= frozen  # some of them end in between
    finally:
        gc.unfreeze()
