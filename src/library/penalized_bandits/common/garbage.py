"""Python's search for garbage, put off while numba makes the objects that it keeps."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def objects_that_stay() -> Iterator[None]:
    """Look for no garbage: among numba's objects it takes longer than our own imports."""
    looks = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looks:
            if not gc.get_freeze_count():
                # Old objects without a look at them: a later search of all finds what is garbage.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
