"""``penalized-bandits check-policy``: check a policy against the contract of all policies."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Thread
from typing import Annotated, Any

import typer

EXAMPLES = """\b
For example:
  penalized-bandits check-policy my_module:policy
  penalized-bandits check-policy hard_threshold_ucb
"""
_POLICY = "An id, or my_module:policy: a Policy in my_module.py in this folder, or installed."


def _interruptible(call: Callable[[], Any]) -> Any:
    """Return the result of a call, or raise its error; Ctrl-C ends it in compiled code too."""
    result = Future[Any]()

    def run() -> None:
        try:
            result.set_result(call())
        except BaseException as error:  # such as the SystemExit of a policy
            result.set_exception(error)

    Thread(target=run, daemon=True).start()
    return result.result()


def check_policy(policy: Annotated[str, typer.Argument(metavar="POLICY", help=_POLICY)]) -> None:
    """Check a policy: valid arms, equality with plain Python.

    Exit code 1 if it breaks anything.
    """
    import pandas as pd

    from penalized_bandits.cli.terminal import table
    from penalized_bandits.engine.contract import CHECKS, check, instances, trial_of, tunings
    from penalized_bandits.engine.simulate import simulate, why_plain
    from penalized_bandits.policies import get_policy

    chosen = get_policy(policy)
    stderr = typer.get_text_stream("stderr")
    with typer.progressbar(CHECKS, label="checking", file=stderr) as names:
        checks = [_interruptible(partial(check, chosen, name)) for name in names]
    rows = [(one.name, "ok" if one.passed else "FAILED", one.detail) for one in checks]
    frame = pd.DataFrame(rows, columns=["check", "result", "what was found"])
    typer.echo(table(frame, f"{chosen.id}: {chosen.label}"))
    if (frame["result"] == "FAILED").any():
        raise typer.Exit(1)
    trial = trial_of(chosen)
    instance = instances(trial)["five arms"]
    tuning, reason = tunings(chosen, instance.n_arms)[0], why_plain(chosen)
    # Long enough for what comes before the first round to be nothing.
    horizon = trial.horizon * (100 if reason is None else 1)
    start = time.process_time()
    simulate(chosen, instance, horizon, replicates=trial.replicates, tuning=tuning)
    per_pull = (time.process_time() - start) / horizon / trial.replicates
    how = "compiled" if reason is None else f"plain Python ({reason})"
    typer.echo(f"\n{how}: {per_pull * 1e9:,.0f} ns a pull on five arms")
