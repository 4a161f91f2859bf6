"""Progress of long work: a bar of tqdm (the extra ``progress``), or a function of the user's."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from penalized_bandits.common.errors import MissingExtraError, extra, one_of

Reported = Callable[[int], None]
Progress = bool | Reported | None
"""A bar at once, none, a function that is called with the pulls done since its last call; or by
default a bar after `SHOWN_AFTER`, on a terminal or in a notebook, where tqdm is installed."""

SHOWN_AFTER = 2.0
"""Seconds without a bar, by default."""


@contextmanager
def reported(pulls: int, progress: Progress) -> Iterator[Reported | None]:
    """Yield the function to which work of so many pulls is reported, if any.

    Raises MissingExtraError if a bar is asked for and tqdm is missing.
    """
    seen = sys.stderr.isatty() or "ipykernel" in sys.modules
    if not callable(progress):
        one_of("progress", progress, None, True, False)
    if callable(progress) or not (progress or (progress is None and seen)):
        yield progress or None
        return
    try:
        tqdm = extra("progress", "tqdm").tqdm
    except MissingExtraError:
        if progress:
            raise
        yield None
        return
    shown = {"delay": 0.0 if progress else SHOWN_AFTER, "leave": bool(progress)}
    with tqdm(total=pulls, unit=" pulls", unit_scale=True, **shown) as bar:
        yield bar.update
