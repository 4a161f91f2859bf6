"""Commands and code of the how-to guides and other documents: they work as shown."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import page_as_notebook
from config_helpers import ROOT
from docs_pages import (
    PAGES,
    TABLES,
    Block,
    blocks,
    copy_files,
    snakemake_commands,
    write_file,
    write_files,
)
from workflow_helpers import Outcome, Project, Request, environment, several

SITE_PAGES = [*sorted(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md")), TABLES]
COMMANDS = [
    (page, shlex.join(arguments))
    for page in SITE_PAGES
    for block in blocks(page)
    for arguments in snakemake_commands(block)
]
BESIDES = ("README.md", "config/README.md", "workflow/Snakefile", "config/quick.yaml")
"""Other documents with commands: in a block, in backticks or in a comment."""


def commands_besides() -> dict[str, str]:
    """Return the document of each command that no page has."""
    documents: dict[str, str] = {}
    for document in BESIDES:
        text = (ROOT / document).read_text(encoding="utf-8")
        for command in re.findall(r"(?m)\bsnakemake (--[^\n`#]*[^\n`# ])", text):
            # A comment may follow the command.
            documents.setdefault(re.split(r" {2,}", command)[0], document)
    for _, command in COMMANDS:
        documents.pop(command, None)
    return documents


ALL_COMMANDS = [*COMMANDS, *((page, command) for command, page in commands_besides().items())]
WITH_CODE = [
    page
    for page in SITE_PAGES
    if any(block.language == "python" or block.note == "run" for block in blocks(page))
]
WITHOUT_THE_WORKFLOW = {
    *("how-to/ceilings.md", "how-to/changing-means.md", "how-to/live.md", "library/ten-minutes.md")
}
SAMPLE = ("how-to/run.md", "library/ten-minutes.md")
"""Pages whose code ``.ci/run`` runs; the commands of all are run dry by default."""

# Each line is code as JSON; the answer is a line with its output.
SESSION = """
import contextlib, io, json, sys
names = {}
for line in sys.stdin:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(json.loads(line), "<page>", "exec"), names)
    print(json.dumps(printed.getvalue()), flush=True)
"""


@pytest.fixture(scope="module", name="said")
def said_fixture(
    fresh: Project, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, str], Outcome]:
    """Return a dry run of each command in a copy with the files of its page."""
    folder = tmp_path_factory.mktemp("pages")
    projects: dict[str, Project] = dict.fromkeys(BESIDES, fresh.copy(folder / "beside"))
    (projects["README.md"].folder / "mine.yaml").write_text("seed: 7\n", encoding="utf-8")
    for page in dict.fromkeys(page for page, _ in COMMANDS):
        projects[page] = fresh.copy(folder / page.replace("/", "_"))
        write_files(page, projects[page].folder)
    for document, project in projects.items():
        text = (ROOT / document if document in BESIDES else PAGES / document).read_text("utf-8")
        for table in re.findall(r"path: (\w+\.csv)", text):
            (project.folder / table).write_text("user_id,film,stars\n", encoding="utf-8")
    requests = {
        (page, command): Request(str(projects[page].folder), ["--dry-run", *shlex.split(command)])
        for page, command in ALL_COMMANDS
    }
    return several(requests, fresh.kernels)


def test_commands_were_found() -> None:
    assert ("how-to/run.md", "--cores 1 figure_4") in COMMANDS
    assert any("--configfile mine.yaml" in command for command in commands_besides())
    assert {page for page, _ in COMMANDS} >= set(WITH_CODE) - WITHOUT_THE_WORKFLOW


@pytest.mark.sample
@pytest.mark.parametrize(("page", "command"), ALL_COMMANDS)
def test_commands_run_dry(said: dict[tuple[str, str], Outcome], page: str, command: str) -> None:
    assert said[page, command].status == 0, said[page, command].text


SHOW = """
from penalized_replication.command import in_full, claim_results
from pathlib import Path

results = claim_results(Path("results"))
print(*in_full(next(result for result in results if result.id == "{claim}")), sep="\\n\\n")
"""


@contextmanager
def session(project: Project) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", SESSION],
        cwd=project.folder,
        env=environment(project.folder, project.kernels),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as python:
        yield python


def printed(python: subprocess.Popen[str], code: str) -> str:
    """Return the output of code in a session; its error goes to stderr."""
    assert python.stdin is not None
    assert python.stdout is not None
    python.stdin.write(json.dumps(code) + "\n")
    python.stdin.flush()
    answer = python.stdout.readline()
    assert answer, f"failed:\n{code}"
    return str(json.loads(answer))


def tidied(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def check_file(folder: Path, block: Block) -> None:
    if block.language == "text" and block.title:
        assert block.text in (folder / block.title).read_text(encoding="utf-8")
    if block.note.startswith("rows of "):
        path = folder / block.note.removeprefix("rows of ")
        text = re.sub(r"[ |]+", " ", path.read_text(encoding="utf-8"))
        for row in block.text.splitlines()[2:]:
            assert re.sub(r"[ |]+", " ", row).strip() in text, row


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow, *([pytest.mark.sample] * (page in SAMPLE))])
        for page in WITH_CODE
    ],
)
def test_guide_does_what_it_says(page: str, fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    parts = blocks(page)
    copy_files(page, project.folder)
    with session(project) as python:
        for block, following in zip(parts, [*parts[1:], None], strict=True):
            write_file(block, project.folder)
            check_file(project.folder, block)
            if block.note == "run":
                for arguments in snakemake_commands(block):
                    outcome = project.snakemake(arguments)
                    assert outcome.status == 0, outcome.text
                for claim in re.findall(r"uv run penalized-replication claims (\w+)", block.text):
                    shown = printed(python, SHOW.format(claim=claim))
                    (project.folder / "said.txt").write_text(shown, encoding="utf-8")
            if block.language == "python" and not block.title:
                expected = following.text if following and following.language == "text" else ""
                assert tidied(printed(python, block.text)) == tidied(expected)


def test_readme_shows_what_its_snippet_prints(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code, shown = re.findall(r"(?ms)^```python\n(.*?)^```\n\n```text\n(.*?)^```$", text)[0]
    exec(compile(code, "README.md", "exec"), {})
    assert tidied(capsys.readouterr().out) == shown.splitlines()


def test_notebook_is_that_of_its_page() -> None:
    assert page_as_notebook.NOTEBOOK.read_text(encoding="utf-8") == page_as_notebook.notebook()
