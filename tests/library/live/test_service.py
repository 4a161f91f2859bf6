"""The guide's service: retries, ``kill -9``, a lost journal, an error of its main loop."""

import json
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from docs_pages import PAGES
from penalized_bandits.live import Journal, Player


class Served:
    def __init__(self, folder: Path, *changes: tuple[str, str]) -> None:
        program = (PAGES / "how-to/live/service.py").read_text(encoding="utf-8")
        for old, new in changes:
            assert program.count(old) == 1
            program = program.replace(old, new)
        (folder / "service.py").write_text(program, encoding="utf-8")
        self.folder, self.journal, self.port = folder, folder / "player.journal", "0"

    def start(self) -> None:
        command = [sys.executable, "service.py", self.journal.name, self.port]
        self.process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout
        with self.process.stdout as printed:
            self.port = printed.readline().strip()

    def asked(self, path: str, content: object = None) -> tuple[int, Any]:
        data = None if content is None else json.dumps(content).encode()
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/{path}", data, timeout=10) as answer:
                return 200, json.load(answer)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)

    def end(self) -> None:
        self.process.terminate()
        assert self.process.wait(60) == 0


def test_a_killed_service_loses_nothing_and_a_retry_counts_once(tmp_path: Path) -> None:
    """Threads, and a disk that is full for a while, are tested with the player and its journal."""
    served = Served(tmp_path)
    served.start()
    (_, one), (_, other) = (served.asked("choose", {"available": [arm]}) for arm in (1, 2))
    assert served.asked("reward", {"id": one["id"], "reward": 0.5}) == (200, {})
    served.process.send_signal(signal.SIGKILL)
    served.process.wait()
    served.start()
    assert served.asked("reward", {"id": one["id"], "reward": 0.5})[0] == 409
    assert served.asked("reward", {"id": other["id"], "reward": 1}) == (200, {})
    for bad in ([], {"id": 1}, {"id": "1-0-01234567", "reward": 0}, {"id": "", "reward": "x"}):
        assert served.asked("reward", bad)[0] == 400
    served.end()
    with closing(Journal(served.journal)) as again:
        assert (again.player.counts, again.player._tally.totals) == ([0, 1, 1], [0.0, 0.5, 1.0])


def test_a_lost_journal_answers_503_and_the_state_is_still_there(tmp_path: Path) -> None:
    served = Served(tmp_path, ("end.wait(60)", "end.wait(0.01)"))
    served.start()
    _, choice = served.asked("choose", {"available": [2]})
    served.journal.write_bytes(b"")
    for _ in range(3):
        assert served.asked("choose", {})[0] == 503
        assert served.asked("reward", {"id": choice["id"], "reward": 1})[0] == 503
        time.sleep(0.05)  # choices expire in between
    _, state = served.asked("state")
    assert served.asked("") == (200, {"pulls": [0, 0, 1], "outstanding": [0, 0, 1]})
    served.end()
    served.journal.unlink()
    player = Player.from_state(json.dumps(state))
    with closing(Journal(served.journal, player)) as again:
        again.player.update(choice["id"], 1.0)


def test_the_service_ends_with_its_main_loop(tmp_path: Path) -> None:
    changes = ("end.wait(60)", "end.wait(0.01)"), ("timedelta(days=1)", "-1.0")
    served = Served(tmp_path, *changes)
    served.start()
    assert served.process.wait(60) == 1
    Journal(served.journal).close()
