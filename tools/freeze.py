"""The frozen confirmation of the paper's claims: fix every rule, then take seeds from the commit.

    uv run python tools/freeze.py rules          # 1. docs/published/freeze.csv: commit it
    uv run python tools/freeze.py seeds          # 2. seeds of that commit, into config/frozen.yaml
    uv run snakemake --cores all frozen          # 3. twenty runs
    uv run python tools/freeze.py publish        # 4. docs/published/frozen.csv and its comparisons

Each claim has the digest of its rule and the verdict that is predicted, today's; each file that
decides has its git blob id.  Between the first commit and the publication nothing below src,
research, config and workflow changes but the seeds.  What a run finds to be wrong is published as
it came, and the repair is a second freeze: all freezes stay in the files.
"""

import csv
import re
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pandas as pd

from penalized_bandits.common.files import write_text
from penalized_replication.claims import CLAIMS, claim
from penalized_replication.claims.results import by_id, read_results
from penalized_replication.config.frozen import seeds_of

PROJECT = Path(__file__).resolve().parents[1]
PUBLISHED = PROJECT / "docs/published"
FREEZE, FROZEN = PUBLISHED / "freeze.csv", PUBLISHED / "frozen.csv"
SEEDS = PROJECT / "config/frozen.yaml"
DECIDING = ("claims", "experiments", "config", "storage")
"""Folders whose files decide: rules, claims, measures, and what is simulated."""
AGREED = 19
"""Of twenty runs."""
JUDGED = ("holds", "not contradicted", "holds in part", "fails", "undecided")
"""Verdicts of claims that can fail."""


def git(*arguments: str) -> str:
    """Return what git prints."""
    done = subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        cwd=PROJECT,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def blobs() -> Iterator[tuple[str, str]]:
    """Yield the files that decide, with their git blob ids."""
    home = PROJECT / "src/replication/penalized_replication"
    files = sorted(f for folder in DECIDING for f in (home / folder).rglob("*.py"))
    names = [file.relative_to(PROJECT).as_posix() for file in files]
    yield from zip(names, git("hash-object", *names).split(), strict=True)


def write_rules() -> None:
    """Write the file of the freeze: rules with predictions, and files with blob ids."""
    today = by_id(read_results(PUBLISHED / "claims.json"))
    text = StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("kind", "name", "id", "predicted"))
    for name in CLAIMS:
        rows.writerow(("rule", name, claim(name).digest, today[name].verdict))
    for name, blob in blobs():
        rows.writerow(("file", name, blob, ""))
    write_text(FREEZE, text.getvalue())


def write_seeds() -> None:
    """Write the commit that brought the file of the freeze, and its seeds, into the config."""
    name = FREEZE.relative_to(PROJECT).as_posix()
    commit = git("log", "-1", "--format=%H", "--", name)
    if not commit or git("status", "--porcelain"):
        sys.exit(f"commit {name}, and everything else, first: seeds follow from that commit")
    text = re.sub(r"(?m)^freeze: .*$", f'freeze: "{commit}"', SEEDS.read_text(encoding="utf-8"))
    write_text(SEEDS, re.sub(r"(?m)^seeds: .*$", f"seeds: {seeds_of(commit)}", text))


def publish() -> None:
    """Copy the verdicts of all runs, and write their comparisons in one table."""
    results = PROJECT / "results/scenarios"
    write_text(FROZEN, (results / "frozen.csv").read_text(encoding="utf-8"))
    tables = {
        path.parents[1].name: pd.read_csv(path)
        for path in sorted(results.glob("frozen_[0-9]*/claims/comparisons.csv"))
    }
    every = pd.concat(tables, names=["scenario", None]).reset_index(level=0)
    columns = ["scenario", "id", "comparison", "estimate", "ci_low", "ci_high", "limit", "status"]
    every[columns].to_csv(PUBLISHED / "frozen_comparisons.csv", index=False, lineterminator="\n")


def agreement(frozen: pd.DataFrame) -> pd.DataFrame:
    """Return, by claim, the verdict predicted, and in how many runs it came out the same."""
    same = frozen["verdict"] == frozen["paper_verdict"]
    by_claim = frozen.assign(same=same).groupby("id", sort=True)
    return by_claim.agg(
        predicted=("paper_verdict", "first"), same=("same", "sum"), n=("id", "size")
    )


def sentence(frozen: pd.DataFrame) -> str:
    """Return how many claims that can fail came out the same in nearly all runs."""
    table = agreement(frozen)
    judged = table[table["predicted"].isin(JUDGED)]
    same = int((judged["same"] >= AGREED).sum())
    return (
        f"of {len(judged)} claims that can fail, {same} came out the same in at least {AGREED} of "
        "20 runs on numbers that nobody had seen"
    )


if __name__ == "__main__":
    {"rules": write_rules, "seeds": write_seeds, "publish": publish}[sys.argv[1]]()
