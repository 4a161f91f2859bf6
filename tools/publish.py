"""Put what a finished run found into files under version control, for those who read no results.

Writes the claims table as Markdown (``docs/claims.md``), the same as data and checksums
(``docs/published``), the verdicts of scenarios beside the paper's, the rules of low power on a
page, the numbers and verdicts of the README, and the pictures of documents.  Tables of sets of
scenarios that were not run stay as they are.  ``research/publish.py`` publishes the research.

    uv run python tools/publish.py
    uv run python tools/publish.py pages    # of what is published already, without a run
"""

import re
import shutil
import sys
import textwrap
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import pandas as pd

from claims_page import SETS, claims_page
from freeze import AGREED, AGREEMENT, FROZEN, counted, read_agreement, sentence
from penalized_bandits.common.files import write_text
from penalized_replication.claims.base import FAR
from penalized_replication.claims.results import ClaimResult, read_results
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.figures.theory_crossover import save_preview
from penalized_replication.pages.material import PUBLISHED
from readme import crossing_figure, points, verdict_list

PROJECT = Path(__file__).resolve().parents[1]
DOCS, RESULTS = PROJECT / "docs", PROJECT / "results"
SCENARIOS, LEDGER = RESULTS / "scenarios", RESULTS / "claims/claims.json"
FIRST = DOCS / "images/theory_crossover_column.png"
"""The picture of the README, which results have as SVG alone: in the shape of a link's preview."""
PUBLISHED_CLAIMS = DOCS / "published/claims.json"
CHECKSUMS = DOCS / "published/checksums.txt"
README = PROJECT / "README.md"
TALLIES = re.compile(r"(?s)(?<=<!--verdicts-->\n).*?(?=<!--end-->)")
FIGURE = re.compile(r'(?m)^<img src="docs/images/.*">$')
PATHS = re.compile(r"(?s)(?<=<!-- paths -->\n).*?(?=<!-- end of paths -->)")
FROZEN_TABLE = re.compile(r"(?s)(?<=<!-- frozen -->\n).*?(?=<!-- end of frozen -->)")
CONFIRMATION = re.compile(r"(?s)(?<=<!--confirmation-->\n).*?(?=<!--end-->)")
LOW_POWER = re.compile(r"(?s)(?<=<!-- low power -->\n).*?(?=<!-- end of low power -->)")
TODAY = {
    "reproduced": "holds",
    "partly": "holds in part",
    "not reproduced": "fails",
    "consistent": "not contradicted",
    "identity": "holds by algebra",
}
"""Verdicts by their former words."""
EVEN = 0.5
"""A rule that detects a violation less often than this has low power."""


def has_low_power(result: ClaimResult) -> bool:
    """Whether the rule detects a violation by a factor 2 in less than half of the runs."""
    return not (result.detection and result.detection[-1] >= EVEN)


def why_low_power(result: ClaimResult) -> str:
    """Return why a rule with low power is acceptable; empty if its power is high enough."""
    if not has_low_power(result):
        return ""
    if result.low_power:
        return result.low_power
    if result.statuses["fails"]:
        return "a violation was detected: comparisons fail"
    reasons = {
        "not contradicted": f"the bound is at least {FAR:g} times the measured value",
        "holds by algebra": "only an error in the code could make a comparison fail",
        "no verdict": "nothing is claimed",
        "undecided": "nothing is claimed",
        "not measured": "nothing is claimed",
    }
    return reasons.get(result.verdict, "")


def confirmation() -> str:
    """Return the README's sentence on the frozen confirmation."""
    link = "[frozen confirmation](docs/pages/background/verdicts.md#the-frozen-confirmation)"
    if not AGREEMENT.is_file():
        return (
            "No claim of the paper has been decided under its final rule on new numbers: the "
            f"{link} is prepared and not run."
        )
    table = read_agreement()
    same = counted(table)["same"]
    others = same[same < AGREED]
    few = ", ".join(f"{name} in {runs}" for name, runs in others.items())
    return f"In the {link}, {sentence(table)}{f' ({few})' if few else ''}."


def frozen_table() -> str:
    """Return how many runs of the frozen confirmation agree with each prediction, in Markdown."""
    if not AGREEMENT.is_file():
        return "It is prepared and has not been run.\n"
    table, claims = read_agreement(), dict[str, list[str]]()
    runs = pd.read_csv(FROZEN)
    other = runs[runs["changed"]].groupby("id")["verdict"].unique()
    for name, row in table.sort_values("same", ascending=False, kind="stable").iterrows():
        verdicts = [row["predicted"], *other.get(name, [])]
        verdict = "" if row["same"] == row["runs"] else f" ({', else '.join(verdicts)})"
        same = f"{row['same']} of {row['runs']}"
        claims.setdefault(same, []).append(f"{name}{'' if row['new'] else '†'}{verdict}")
    lines = [f"- {same}: {', '.join(names)}" for same, names in claims.items()]
    about = "Runs that agree with the verdict predicted; †: on the same numbers in all of them."
    said = sentence(table)
    return "\n".join([f"{said[0].upper()}{said[1:]}. {about}", "", *lines, ""])


def grouped(texts: Iterable[tuple[str, str]]) -> str:
    """Return a list in Markdown: each text that is not empty, after the claims that have it."""
    found: dict[str, list[str]] = {}
    for claim, text in texts:
        found.setdefault(text, []).append(claim)
    return "".join(f"- {', '.join(claims)}: {text}\n" for text, claims in found.items() if text)


def path(result: ClaimResult) -> str:
    """Return the verdicts under former rules and today's, in today's words; empty without them."""
    verdicts = (TODAY.get(word, word) for word in result.path.split(" → "))
    return " → ".join(word for word, _ in groupby(v for v in verdicts if v != "not run"))


def copy_run() -> None:
    """Copy the claims, checksums and pictures of a run, and verdicts of sets of scenarios."""
    shutil.copyfile(LEDGER, PUBLISHED_CLAIMS)
    shutil.copyfile(RESULTS / "checksums.txt", CHECKSUMS)
    for name in filter(lambda name: (SCENARIOS / f"{name}.csv").is_file(), SETS):
        shutil.copyfile(SCENARIOS / f"{name}.csv", DOCS / f"published/{name}.csv")
    # The page shows this figure in all its forms.
    for file in map(Path, PUBLISHED):
        if (RESULTS / "figures" / file.name).is_file():
            shutil.copyfile(RESULTS / "figures" / file.name, PROJECT / file)
    for picture in (DOCS / "images").glob("*.png"):
        figure = EVERY_FIGURE.get(picture.stem)
        if figure and not figure.scenarios:
            for file in (picture.name, f"{picture.stem}_column.svg"):
                shutil.copyfile(RESULTS / "figures" / file, picture.with_name(file))
    save_preview(RESULTS, FIRST)


def write_pages() -> None:
    """Write the pages that are made of what is published, or have parts that are."""
    results = read_results(PUBLISHED_CLAIMS)
    write_text(DOCS / "claims.md", claims_page(results))
    low = grouped((r.id, why_low_power(r)) for r in results)
    page = DOCS / "pages/background/verdicts.md"
    text = LOW_POWER.sub(f"\n{low}\n", page.read_text(encoding="utf-8"))
    text = FROZEN_TABLE.sub(f"\n{frozen_table()}\n", text)
    write_text(page, PATHS.sub(f"\n{grouped((r.id, path(r)) for r in results)}\n", text))
    said = textwrap.fill(confirmation(), 116, break_on_hyphens=False)
    readme = CONFIRMATION.sub(f"{said}\n", README.read_text(encoding="utf-8"))
    readme = FIGURE.sub(crossing_figure(results), readme)
    found = f"{verdict_list(results)}\n\n{points(results)}"
    write_text(README, TALLIES.sub(f"\n{found}\n\n", readme))


if __name__ == "__main__":
    if sys.argv[1:] != ["pages"]:
        copy_run()
    write_pages()
