"""The guide's service under load: retries, ``kill -9`` in the middle, a full disk."""

import json
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import pytest

from docs_pages import blocks
from penalized_bandits.live import Journal, Player

VISITS = 120
"""Of each of four clients."""


class Served:
    """The service in a process of its own, and its clients."""

    def __init__(self, folder: Path, *changes: tuple[str, str]) -> None:
        (program,) = (b.text for b in blocks("how-to/live.md") if b.title == "service.py")
        for old, new in changes:
            assert program.count(old) == 1
            program = program.replace(old, new)
        (folder / "service.py").write_text(program, encoding="utf-8")
        self.folder, self.port, self.seen = folder, "0", Counter[Any]()
        self.taken, self.lock = list[tuple[int, float]](), threading.Lock()

    def start(self) -> None:
        command = [sys.executable, "service.py", "player.journal", self.port]
        self.process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout
        with self.process.stdout as printed:
            self.port = printed.readline().strip()

    def asked(self, path: str, content: object) -> tuple[int, Any]:
        """Return status and answer of a request; 0 without an answer."""
        try:
            url = f"http://127.0.0.1:{self.port}/{path}"
            with urlopen(url, json.dumps(content).encode(), timeout=10) as answer:
                status, text = 200, json.load(answer)
        except HTTPError as error:
            error.close()
            status, text = error.code, None
        except (OSError, ValueError, HTTPException):
            status, text = 0, None
            time.sleep(0.05)
        with self.lock:
            self.seen[path, status] += 1
        return status, text

    def until_done(self, path: str, content: object) -> Any:
        while (answer := self.asked(path, content))[0] not in (200, 409):
            assert answer[0] in (0, 503), answer
        return answer[1]

    def visits(self, client: int) -> None:
        """Choose and report, every third time twice."""
        rng = np.random.default_rng(client)
        for visit in range(VISITS):
            choice, reward = self.until_done("choose", {}), float(rng.integers(0, 5) / 4)
            for _ in range(1 + (visit % 3 == 0)):
                self.until_done("reward", {"id": choice["id"], "reward": reward})
            with self.lock:
                self.taken.append((choice["arm"], reward))

    def wait(self, reached: Callable[[], bool]) -> None:
        end = time.monotonic() + 60
        while not reached() and time.monotonic() < end:
            time.sleep(0.01)
        assert reached()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process")
def test_no_choice_or_reward_is_lost_or_counted_twice(tmp_path: Path) -> None:
    served, journal = Served(tmp_path), tmp_path / "player.journal"
    served.start()
    with ThreadPoolExecutor(4) as pool:
        clients = [pool.submit(served.visits, client) for client in range(4)]
        for kill in (1, 2):
            served.wait(lambda done=kill * VISITS: len(served.taken) > done)
            served.process.send_signal(signal.SIGKILL)
            served.process.wait()
            served.start()
        served.wait(lambda: len(served.taken) > 3 * VISITS)
        limits = resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE)
        full = journal.stat().st_size + 99, limits[1]
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, full)
        served.wait(lambda: served.seen["choose", 503] + served.seen["reward", 503] > 20)
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, limits)
        for client in clients:
            client.result()
    for bad in ([], {"id": 1}, {"id": "1-0-01234567", "reward": 0}, {"id": "", "reward": "x"}):
        assert served.asked("reward", bad)[0] == 400
    served.process.terminate()
    assert served.process.wait(60) == 0
    with closing(Journal(journal)) as again:
        player = again.player
    arms, rewards = np.array(served.taken).T
    assert player.counts == np.bincount(arms.astype(int), minlength=3).tolist()
    assert player._tally.totals == np.bincount(arms.astype(int), rewards, 3).tolist()
    # A choice without a reward is one whose answer no client got.
    assert sum(player.outstanding) <= served.seen["choose", 0]
    assert served.seen["reward", 409] >= 4 * VISITS // 3


@pytest.mark.slow
def test_a_lost_journal_answers_503_and_the_state_is_still_there(tmp_path: Path) -> None:
    served = Served(tmp_path, ("end.wait(60)", "end.wait(0.01)"))
    journal = tmp_path / "player.journal"
    served.start()
    choice = served.until_done("choose", {"available": [2]})
    journal.write_bytes(b"")
    for _ in range(3):
        assert served.asked("choose", {})[0] == 503
        assert served.asked("reward", {"id": choice["id"], "reward": 1})[0] == 503
        time.sleep(0.05)  # choices expire in between
    with urlopen(f"http://127.0.0.1:{served.port}/state") as answer:
        player = Player.from_state(answer.read().decode())
    with urlopen(f"http://127.0.0.1:{served.port}/") as answer:
        assert json.load(answer) == {"pulls": [0, 0, 1], "outstanding": [0, 0, 1]}
    served.process.terminate()
    assert served.process.wait(60) == 0
    journal.unlink()
    with closing(Journal(journal, player)) as again:
        again.player.update(choice["id"], 1.0)


@pytest.mark.slow
def test_the_service_ends_with_its_main_loop(tmp_path: Path) -> None:
    changes = ("end.wait(60)", "end.wait(0.01)"), ("timedelta(days=1)", "-1.0")
    served = Served(tmp_path, *changes)
    served.start()
    assert served.process.wait(60) == 1
    Journal(tmp_path / "player.journal").close()
