"""Put the ledger of a finished run where readers look: claims, power, tallies.

Writes ``docs/claims.md`` and ``docs/pages/background/power.md``, and brings the tallies in
the README and on the first page of the documentation, the table of ``docs/artifact.md``, and the
pictures that the documentation shows, up to them; and the table of other choices, where the
target ``choices`` was run.  Not a rule, because it changes files under version control; run it by
hand after a main job, once the rules are committed.

    uv run python workflow/scripts/publish_claims.py
"""

import re
import shutil
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd

from penalized_bandits.claims import CLAIMS, experiments_of
from penalized_bandits.claims.reach import margins_table, to_spare
from penalized_bandits.claims.reading import groups, markdown_table, power_page, tally, to_markdown
from penalized_bandits.claims.sensitivity import dependent
from penalized_bandits.common.numbers import percent
from penalized_bandits.config import load_config
from penalized_bandits.experiments.names import in_words
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.origins import read_json
from penalized_bandits.storage.summaries import read_table

PROJECT = Path(__file__).resolve().parents[2]
TALLIED = ("README.md", "docs/pages/index.md")
TALLIES = re.compile(r"(?s)(?<=<!-- tallies -->\n).*?(?=<!-- end of tallies -->)")
ARTIFACT = PROJECT / "docs/artifact.md"
EXPECTED = re.compile(r"(?s)(?<=<!-- expected verdicts -->\n).*?(?=<!-- end of verdicts -->)")
CHOICES = PROJECT / "docs/pages/how-to/flip-a-reading.md"
CHOSEN = re.compile(r"(?s)(?<=<!-- other choices -->\n).*?(?=<!-- end of choices -->)")
JOB_SECONDS = 4
"""Start and end of a job, which no log has."""


def write_tallies(rows: Sequence[Mapping[str, Any]]) -> None:
    """Bring the tallies of the two tables up to the ledger, wherever they stand."""
    lines = "".join(f"- **{title}**: {tally(of_it)}.\n" for title, of_it in groups(rows))
    for name in TALLIED:
        text = (PROJECT / name).read_text(encoding="utf-8")
        write_text(PROJECT / name, TALLIES.sub(f"\n{lines}\n", text))


def costs(experiments: Sequence[str], logs: Path) -> tuple[float, int]:
    """Return the minutes of one core and the most megabytes that simulating experiments took."""
    seconds, peak = 0.0, 0
    for experiment in experiments:
        for log in (logs / "simulate_group" / experiment).glob("*.log"):
            text = log.read_text(encoding="utf-8")
            times = [datetime.fromisoformat(t) for t in re.findall(r"(?m)^(\S+ \S+),\d+ ", text)]
            seconds += (times[-1] - times[0]).total_seconds() + JOB_SECONDS
            peak = max([peak, *map(int, re.findall(r"peak memory (\d+) MiB", text))])
    return seconds / 60, peak


def write_artifact(rows: Sequence[Mapping[str, Any]], logs: Path) -> None:
    """Bring the table of claims, commands, costs and verdicts up to the ledger."""
    lines: list[tuple[str, ...]] = []
    for row in rows:
        name = row["id"]
        minutes, peak = costs(experiments_of(CLAIMS[name].topic), logs)
        made = f"`results/claims/pages/{name}.md`"
        link = f"[{name}](claims.md#{name.lower()})"
        lines.append((link, row["where"], made, f"{minutes:.1f}", str(peak), row["verdict"]))
    heads = ("claim", "where", "makes", "minutes", "MB", "expect")
    written = "\n".join(markdown_table(heads, lines))
    text = ARTIFACT.read_text(encoding="utf-8")
    write_text(ARTIFACT, EXPECTED.sub(f"\n{written}\n\n", text))


def write_choices(table: pd.DataFrame) -> None:
    """Bring the table of claims under other choices up to the results."""
    heads = (
        "claim",
        "T",
        "τ",
        "values tuned",
        "hold / fail / undecided",
        "worst part",
        "its share",
    )
    lines: list[tuple[Any, ...]] = []
    for row in table.to_dict("records"):
        parts = f"{row['hold']} / {row['fail']} / {row['undecided']}"
        share, low, high = (percent(row[name]) for name in ("share", "share_low", "share_high"))
        choices = (row["horizon"], row["fairness"], row["tuning_values"])
        worst = (in_words(row["part"]), f"{share} [{low}, {high}]" if share else "")
        lines.append((row["id"], *choices, parts, *worst))
    written = "\n".join(markdown_table(heads, lines))
    text = CHOICES.read_text(encoding="utf-8")
    write_text(CHOICES, CHOSEN.sub(f"\n{written}\n\n", text))


def margins(rows: Sequence[Mapping[str, Any]]) -> str:
    """Say how far replicates go beyond what verdicts need."""
    config = load_config(PROJECT / "config/config.yaml")
    names = {name for row in rows for name in CLAIMS[row["id"]].experiments}
    replicates = {name: config.section(name).replicates for name in names}
    spare = [f"{name} ({least:.1f})" for name, least in to_spare(rows).items()]
    text = f"""
## Margins and replicates

The table has the part of each claim that is closest to undecided: how many half-widths of its
interval the estimate lies from the limit (1: just decided), and the replicates behind it. With 2 or
more the same estimate would be decided with a quarter of the replicates too. That is so for all
parts of all claims on these experiments: {", ".join(spare) or "none"}.
A new estimate from fewer replicates may differ from this one: 48 of worst_case, in place of 100,
gave C15 another verdict at one of three seeds.

"""
    return text + "\n".join(margins_table(rows, replicates)) + "\n"


def main() -> None:
    """Write the whole ledger, what its rules notice, and which verdicts depend on a reading."""
    rows = read_json(PROJECT / "results/claims/claims.json")
    changes = dependent(read_table(PROJECT / "results/claims/sensitivity.csv"))
    lines = ["", "## Verdicts that change when a reading is flipped", ""]
    lines += [f"- {name}: {'; '.join(found)}" for name, found in changes.items()]
    lines += ["", "All others do not.", ""]
    write_text(PROJECT / "docs/claims.md", to_markdown(rows) + "\n".join(lines))
    page = power_page(rows) + margins(rows)
    write_text(PROJECT / "docs/pages/background/power.md", page)
    write_tallies(rows)
    write_artifact(rows, PROJECT / "results/logs")
    for picture in (PROJECT / "docs/images").glob("*.png"):
        if picture.stem in ALL_FIGURES:
            shutil.copyfile(PROJECT / "results/figures" / picture.name, picture)
    if (PROJECT / "results/claims/choices.csv").is_file():
        write_choices(read_table(PROJECT / "results/claims/choices.csv"))


if __name__ == "__main__":
    main()
