"""python service.py JOURNAL PORT: choices and rewards over HTTP."""

import json
import signal
import sys
import threading
from contextlib import closing, suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from penalized_bandits.live import Journal, Player, RepeatedRewardError


class Service(BaseHTTPRequestHandler):
    """GET /state or /; POST /choose or /reward."""

    player: Player
    timeout = 10

    def do_GET(self) -> None:
        """Answer the state of the player, or its pulls and open choices."""
        if self.path == "/state":
            self.answer(200, json.loads(self.player.state()))
        else:
            pulls, outstanding = self.player.pulls, self.player.outstanding
            self.answer(200, {"pulls": pulls, "outstanding": outstanding})

    def do_POST(self) -> None:
        """Answer a choice with its id, or take a reward by its id."""
        status: int = 200
        answer: dict[str, object] = {}
        try:
            size = min(int(self.headers["Content-Length"]), 10_000)
            given = json.loads(self.rfile.read(size))
            if self.path == "/choose":
                choice = self.player.choose(available=given.get("available"))
                answer = {"arm": choice, "id": choice.id}
            else:
                self.player.update(str(given["id"]), given["reward"])
        except RepeatedRewardError as error:
            status, answer = 409, {"error": str(error)}
        except OSError as error:
            status, answer = 503, {"error": str(error)}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            status, answer = 400, {"error": f"{type(error).__name__}: {error}"}
        self.answer(status, answer)

    def answer(self, status: int, content: dict[str, object]) -> None:
        """Send a status and JSON."""
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    end = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: end.set())
    new = Player("kl_hard_threshold", [0.2, 0.2, 0.2], penalties=1.0)
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Service)
    server.daemon_threads = False  # the last requests are finished
    with closing(Journal(sys.argv[1], new)) as journal, server:
        Service.player = journal.player
        threading.Thread(target=server.serve_forever).start()
        print(server.server_port, flush=True)
        try:
            while not end.wait(60):
                with suppress(OSError):  # full disk or lost journal: requests answer 503
                    journal.player.expire(timedelta(days=1), as_reward=0.0)
        finally:
            server.shutdown()
