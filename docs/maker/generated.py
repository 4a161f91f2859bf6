"""What stands in pages in the place of a marker: made from the package, so never out of date."""

import typer
from typer.testing import CliRunner

from maker import equations
from penalized_bandits.cli import app
from penalized_bandits.cli.errors import PROGRAM
from penalized_bandits.policies import POLICIES
from penalized_bandits.policies.imported import registered

_PLAIN = {"COLUMNS": "80", "TERMINAL_WIDTH": "80", "TERM": "dumb", "NO_COLOR": "1"}


def command_help() -> str:
    """Return what each command prints when it is asked for help, a section each."""
    group = typer.main.get_command(app)
    names: list[str] = list(getattr(group, "commands", {}))
    return "\n\n".join([_help(), *(f"## {name}\n\n{_help(name)}" for name in names)])


def _help(*command: str) -> str:
    result = CliRunner().invoke(app, [*command, "--help"], prog_name=PROGRAM, env=_PLAIN)
    if result.exit_code != 0:
        raise RuntimeError(f"{' '.join([PROGRAM, *command])} --help failed: {result.output}")
    return f"```text\n{result.output.rstrip()}\n```"


def policies() -> str:
    """Return a card for each policy of the package, from what its file says."""
    cards = [
        f"### {p.label} {{ #{p.id} }}\n\n`{p.id}`: {p.rule}\n\n"
        f"- **Source:** {p.reference}\n- **Proved:** {p.guarantees}\n- **Lacks:** {p.lacks}"
        for p in POLICIES.values()
        if p.id not in registered()
    ]
    return "\n\n".join(cards)


MARKERS = {
    "<!-- help -->": command_help,
    "<!-- policies -->": policies,
    "<!-- equations -->": equations.tables,
}
"""What makes the text that a marker stands for; each marker stands in one page."""
