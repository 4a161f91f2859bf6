"""Write the help of every command into the page about the command line.

The line ``<!-- help -->`` of ``command-line.md`` becomes a section for each subcommand,
with the help that the program itself prints.
"""

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from typer.testing import CliRunner

from penalized_bandits.cli import app
from penalized_bandits.cli.errors import PROGRAM

PAGE, MARKER = "command-line.md", "<!-- help -->"
COLUMNS = "80"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str | None:
    """Put the help in the place of the marker."""
    del config, files
    if page.file.src_uri != PAGE:
        return None
    if MARKER not in markdown:
        raise PluginError(f"{PAGE} has no line {MARKER}")
    group = typer.main.get_command(app)
    names: list[str] = list(getattr(group, "commands", {}))
    sections = [_block(_help())] + [f"## {name}\n\n{_block(_help(name))}" for name in names]
    return markdown.replace(MARKER, "\n\n".join(sections))


def _help(*command: str) -> str:
    """Return what a command prints when it is asked for help, without colours."""
    plain = {"COLUMNS": COLUMNS, "TERMINAL_WIDTH": COLUMNS, "TERM": "dumb", "NO_COLOR": "1"}
    result = CliRunner().invoke(app, [*command, "--help"], prog_name=PROGRAM, env=plain)
    if result.exit_code != 0:
        raise PluginError(f"{' '.join([PROGRAM, *command])} --help failed: {result.output}")
    return result.output


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"
