"""The commands that the documentation prints are commands that work."""

import re
import shlex

import pytest

from workflow_helpers import (
    ROOT,
    Outcome,
    Project,
    Request,
    forked,
    fresh_fixture,  # noqa: F401
)

pytestmark = pytest.mark.slow

DOCUMENTS = ("README.md", "config/README.md", "results/README.md", "Snakefile", "config/quick.yaml")


def _commands() -> list[str]:
    found: list[str] = []
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        # In a block, in backticks or in a comment; a comment may follow the command.
        commands = re.findall(r"(?m)\bsnakemake (--[^\n`#]*[^\n`# ])", text)
        found += [re.split(r" {2,}", command)[0] for command in commands]
    return list(dict.fromkeys(found))


COMMANDS = _commands()


def _blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"(?s)```{language}\n(.*?)```", text)


@pytest.fixture(scope="module")
def said(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Return a dry run of each command, with the file that the documentation shows."""
    project = fresh.copy(tmp_path_factory.mktemp("documented") / "project")
    (mine,) = (b for b in _blocks("config/README.md", "yaml") if b.startswith("# mine.yaml"))
    (project.folder / "mine.yaml").write_text(mine, encoding="utf-8")
    (project.folder / "my_ratings.csv").write_text("user_id,film,stars\n", encoding="utf-8")
    requests = {
        command: Request(str(project.folder), ["--dry-run", *shlex.split(command)])
        for command in COMMANDS
    }
    return forked(requests, project.kernels)


def test_commands_were_found() -> None:
    assert len(COMMANDS) >= 8
    assert "--cores all" in COMMANDS
    assert any("--configfile mine.yaml" in command for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_documented_command(said: dict[str, Outcome], command: str) -> None:
    assert said[command].status == 0, said[command].text
