"""``penalized-bandits check-policy``: hold a policy to what every policy must keep."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from penalized_bandits.policies import Policy

EXAMPLES = """\b
For example:
  penalized-bandits check-policy my_module:policy
  penalized-bandits check-policy hard_threshold_ucb
"""


def _speed(policy: "Policy") -> str:
    """Say what a pull costs on the first of the checks' bandits with five arms."""
    import warnings

    from penalized_bandits.engine.simulate import simulate
    from penalized_bandits.errors import PlainPythonWarning
    from penalized_bandits.policies.contract import instances, tunings

    instance = instances()["five arms"]
    tuning = tunings(policy, instance.n_arms)[0]
    plain: list[str] = []
    seconds = 0.0
    for rounds in (50, 2000):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", PlainPythonWarning)
            start = time.perf_counter()
            simulate(policy, instance, rounds, replicates=64, tuning=tuning)
            seconds = time.perf_counter() - start
        plain = [str(one.message) for one in caught]
        if plain:
            return plain[0]
    return f"compiled: {seconds / 64 / 2000 * 1e9:.0f} ns a pull on five arms"


def check_policy(
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY",
            help="An id, or my_module:policy: a Policy in my_module.py in this folder, or in an "
            "installed module.",
        ),
    ],
) -> None:
    """Check a policy: valid arms, no pulls lost, determinism, equality with plain Python.

    Exit code 1 if it breaks any of it.
    """
    from penalized_bandits.cli.terminal import show, table
    from penalized_bandits.policies import get_policy
    from penalized_bandits.policies.contract import CHECKS, check

    wanted = get_policy(policy)
    listed = table("check", "", "what was found", title=f"{wanted.id}: {wanted.label}")
    with typer.progressbar(CHECKS, label="checking", file=typer.get_text_stream("stderr")) as names:
        found = [check(wanted, name) for name in names]
    for one in found:
        listed.add_row(one.name, "ok" if one.passed else "FAILED", one.detail)
    passed = all(one.passed for one in found)
    show(listed, *([_speed(wanted)] if passed else []))
    if not passed:
        raise typer.Exit(1)
