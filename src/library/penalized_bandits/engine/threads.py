"""Calls that threads share, and that end with their caller."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent import futures  # imports its pools when one is used
from threading import Event
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Progress: TypeAlias = Callable[[int], None] | None


def in_threads(
    calls: Iterable[Callable[[Progress], T]], threads: int, progress: Progress
) -> Generator[T]:
    """Yield the results of calls in their order; threads share them, a few calls ahead.

    Where a call reports its pulls to ``progress`` it ends, if an interrupt or a failure came.
    """
    if threads == 1:
        yield from (call(progress) for call in calls)
        return
    ended, waiting = Event(), deque[futures.Future[T]]()

    def report(pulls: int) -> None:
        if ended.is_set():
            raise futures.CancelledError
        if progress is not None:
            progress(pulls)

    with futures.ThreadPoolExecutor(threads) as pool:
        try:
            for call in calls:
                waiting.append(pool.submit(call, report))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            yield from (future.result() for future in waiting)
        finally:
            ended.set()
            pool.shutdown(wait=False, cancel_futures=True)
