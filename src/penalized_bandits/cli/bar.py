"""What shows on stderr while a command works, where that is a terminal."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def progress_bar(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Yield a function that adds units done, of ``total``; threads may call it at once.

    The bar vanishes at the end.  Where stderr is no terminal nothing is written.  After
    Ctrl-C the function raises KeyboardInterrupt in every thread that calls it.
    """
    from rich.console import Console
    from rich.progress import Progress

    bars = Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    with _interrupts() as interrupted, bars:
        task = bars.add_task(what, total=total)

        def add(units: int) -> None:
            if interrupted.is_set():
                raise KeyboardInterrupt
            bars.advance(task, units)

        yield add


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets, besides what it does.

    Python tells the main thread alone, which then waits for all others.
    """
    interrupted = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        interrupted.set()
        signal.default_int_handler(number, frame)

    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say what is being waited for, where stderr is a terminal."""
    from rich.console import Console

    if not sys.stderr.isatty():
        yield
        return
    with Console(stderr=True).status(what):
        yield
