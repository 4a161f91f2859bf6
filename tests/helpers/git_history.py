"""Order of rules and results in the project's git history."""

import subprocess
from pathlib import Path

import pytest

from config_helpers import ROOT

RULES = "src/replication/penalized_replication/claims/rules.csv"
OF_RESEARCH = "research/penalized_research/claims/rules.csv"
EARLIER = {
    RULES: (":(glob)src/**/rules.csv",),
    "docs/published/claims.json": ("docs/claims.md",),
    "research/docs/published/extended.json": (
        *("docs/published/extended.json", "docs/extended.md", "docs/beyond.md"),
    ),
    "research/docs/published/sharp.json": ("docs/published/sharp.json", "docs/sharp.md"),
}
"""Earlier paths of what files hold; of others, all files of the same name."""


def skip_without_history() -> None:
    try:
        shallow = git("rev-parse", "--is-shallow-repository") == "true"
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no clone: what came before what is not known here")
    if shallow:
        pytest.skip("this clone has not the whole history, which says what came before what")


def git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout.strip()


def brought(digest: str, file: str) -> str:
    """Return the first commit that brought a digest to a file; empty if none has."""
    files = (file, *EARLIER.get(file, (f":(glob)**/{Path(file).name}",)))
    commits = git("log", "--reverse", "--format=%H", f"-S{digest}", "--", *files)
    return commits.partition("\n")[0]


def out_of_order(digest: str, page: str, rules: str = RULES) -> str:
    """Return the fault in the order of a rule and its published result; empty if there is none.

    A result that is not committed yet needs the rule committed.
    """
    rule, result = brought(digest, rules), brought(digest, page)
    if not rule:
        return f"{digest} is published in {page}, and no commit brought it to {rules}"
    if rule == result:
        return f"{digest} came to {rules} and to {page} in one commit"
    if result and git("merge-base", rule, result) != rule:
        return f"{digest} came to {page} before it came to {rules}"
    return ""
