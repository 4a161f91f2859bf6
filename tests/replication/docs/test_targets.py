"""Targets, results and first commands that documents name: those that the workflow has."""

import re
import shlex

from docs_pages import ROOT
from workflow_helpers import Project

FOLDERS = (".", "config", "results", "docs", "docs/pages", "docs/pages/*")
TEXTS = {p: p.read_text(encoding="utf-8") for f in FOLDERS for p in ROOT.glob(f"{f}/*.md")}
TAKES = {"--configfile": 9, "--config": 9}
TAKES |= dict.fromkeys(("--profile", "--cores", "--directory", "-s", "--report"), 1)
"""Options that take words, of which none is a target."""
ADDED = {"regret_by_arms", "bandits_figure_4", "own", "frozen"}
"""Targets that guides add."""


def targets_in(text: str) -> set[str]:
    """Return the targets of a document's commands, and of columns with that name."""
    targets: set[str] = set()
    for table in re.findall(r"(?m)(?:^\|.*\n)+", text):
        heads, _, *rows = ([c.strip() for c in row.split("|")] for row in table.splitlines())
        for row in rows if "target" in heads else ():
            targets.update(" ".join(re.findall("`(.*?)`", row[heads.index("target")])).split())
    text = re.sub(r"`[^`\n]+\n[^`\n]+`", lambda code: code[0].replace("\n", " "), text)
    for command in re.findall(r"(?m)(?:^|`|run )snakemake ([^`#\n]*)", text):
        taken = 0
        for word in shlex.split(command):
            targets |= set() if taken or word.startswith("-") else {word}
            taken = TAKES.get(word, max(taken - 1, 0))
    return targets


def test_targets_and_results_in_documents_exist(fresh: Project) -> None:
    listed = fresh.snakemake(["--list-rules"]).text
    rules = set(re.findall(r"(?m)^(\w+)(?: \(.*\))?$", listed)) | ADDED
    assert {"interpretations", "get_ratings", "claims"} <= rules
    sources = "".join(p.read_text("utf-8") for p in (ROOT / "workflow/rules").glob("*.smk"))
    paths = re.findall('"(results/.+?)"', sources)
    for stem, kinds in re.findall(r'multiext\("(.+?)", (.+)\)', sources):
        paths += [f"{stem}{kind}" for kind in re.findall('"(.+?)"', kinds)]
    files = "|".join(paths).replace(".", r"\.")
    made = re.compile(re.sub("{.+?}", r"[\\w/]*", files))
    assert made.fullmatch("results/claims/claims.md")
    assert not made.fullmatch("results/claims/claims.txt")
    for name, text in TEXTS.items():
        targets = {target.removeprefix("bandits/") for target in targets_in(text)}
        paths = {*re.findall(r"results/[\w/]+\.\w+", text)} - {"results/README.md"}
        unknown = {t for t in targets | paths if t not in rules and not made.fullmatch(t)}
        assert not unknown, (name, unknown)


def test_uv_is_installed_where_debian_allows_it() -> None:
    way = "python3 -m venv ~/.uv && ~/.uv/bin/pip install uv"
    script = (ROOT / ".ci/run").read_text("utf-8").replace("install --quiet", "install")
    for text in (*TEXTS.values(), script):
        assert text.count("pip install uv") == text.count(way)


def test_container_runs_the_first_commands_of_the_readme() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    install, made = re.findall("(?m)^RUN (.*)", text)
    assert made == "~/.uv/bin/uv sync --locked"
    tasks = re.findall("(?m)^CMD (.*)", text) + re.findall("(?m)^#.* && (.*)'$", text)
    block = TEXTS[ROOT / "README.md"].split("```bash\n")[1].split("```")[0]
    assert re.findall("(?m)^(.*?) +#", block) == [f"{install} && {task}" for task in tasks]
