"""Put what a finished run found into files under version control, for those who read no results.

Writes the claims table as Markdown (``docs/claims.md``), the same as data and checksums
(``docs/published``), the verdicts of scenarios beside the paper's, the rules of low power on a
page, the numbers and verdicts of the README, and the pictures of documents.  Tables of sets of
scenarios that were not run stay as they are.  ``research/publish.py`` publishes the research.

    uv run python tools/publish.py
"""

import re
import shutil
import textwrap
from pathlib import Path

from freeze import AGREEMENT, read_agreement, sentence
from penalized_bandits.common.files import write_text
from penalized_replication.claims.base import FAR
from penalized_replication.claims.results import ClaimResult, read_results
from penalized_replication.claims.table.scenarios import dependent
from penalized_replication.claims.table.tables import markdown_table, to_markdown
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.figures.theory_crossover import save_preview
from penalized_replication.pages.material import PUBLISHED
from penalized_replication.storage.tables import read_table
from readme import crossing_figure, points, verdict_list

PROJECT = Path(__file__).resolve().parents[1]
DOCS, RESULTS = PROJECT / "docs", PROJECT / "results"
SCENARIOS, LEDGER = RESULTS / "scenarios", RESULTS / "claims/claims.json"
FIRST = DOCS / "images/theory_crossover_column.png"
"""The picture of the README, which results have as SVG alone: in the shape of a link's preview."""
CHECKSUMS = DOCS / "published/checksums.txt"
SETS = ("interpretations", "seeds", "design")
"""Sets whose verdicts are published as a table."""
README = PROJECT / "README.md"
TALLIES = re.compile(r"(?s)(?<=<!--verdicts-->\n).*?(?=<!--end-->)")
FIGURE = re.compile(r'(?m)^<img src="docs/images/.*">$')
PATHS = re.compile(r"(?s)(?<=<!-- paths -->\n).*?(?=<!-- end of paths -->)")
FROZEN_TABLE = re.compile(r"(?s)(?<=<!-- frozen -->\n).*?(?=<!-- end of frozen -->)")
CONFIRMATION = re.compile(r"(?s)(?<=<!--confirmation-->\n).*?(?=<!--end-->)")
LOW_POWER = re.compile(r"(?s)(?<=<!-- low power -->\n).*?(?=<!-- end of low power -->)")
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
    return f"In the {link}, {sentence(read_agreement())}."


def frozen_table() -> str:
    """Return how many runs of the frozen confirmation agree with each prediction, in Markdown."""
    if not AGREEMENT.is_file():
        return "It is prepared and has not been run.\n"
    table = read_agreement()
    runs = table["same"].astype(str) + " of " + table["runs"].astype(str)
    numbers = table["new"].map({True: "", False: " (the same numbers in all runs)"})
    counts = (
        table["least"]
        .astype(str)
        .where(
            table["least"] == table["most"],
            table["least"].astype(str) + " to " + table["most"].astype(str),
        )
    )
    of_each = zip(table.index.astype(str), table["predicted"], runs + numbers, counts, strict=True)
    heads = ("claim", "predicted verdict", "runs that agree", "comparisons that count")
    said = sentence(table)
    return "\n".join([f"{said[0].upper()}{said[1:]}.", "", *markdown_table(heads, of_each), ""])


def publish_claims() -> None:
    """Write the paper's claims, its rules of low power, and verdicts of sets of scenarios."""
    results = read_results(LEDGER)
    shutil.copyfile(LEDGER, DOCS / "published/claims.json")
    shutil.copyfile(RESULTS / "checksums.txt", CHECKSUMS)
    for name in filter(lambda name: (SCENARIOS / f"{name}.csv").is_file(), SETS):
        shutil.copyfile(SCENARIOS / f"{name}.csv", DOCS / f"published/{name}.csv")
    # The page shows this figure in all its forms.
    for file in map(Path, PUBLISHED):
        if (RESULTS / "figures" / file.name).is_file():
            shutil.copyfile(RESULTS / "figures" / file.name, PROJECT / file)
    lines: list[str] = []
    for name in SETS:
        table = read_table(DOCS / f"published/{name}.csv")
        changes = "(verdict, or whether comparisons fail)"
        pairs = f"{int(table['changed'].sum())} of {len(table)} pairs {changes}"
        lines += ["", f"## Verdicts that change: {name}", "", f"{pairs}."]
        changed = [f"- {claim}: {'; '.join(found)}" for claim, found in dependent(table).items()]
        lines += ["", *changed] if changed else []
    lines.append("")
    write_text(DOCS / "claims.md", to_markdown(results) + "\n".join(lines))
    weak = [result for result in results if has_low_power(result)]
    low = "".join(f"- {r.id} ({r.verdict}): {why_low_power(r)}.\n" for r in weak)
    paths = "".join(f"- {r.id}: {r.path}\n" for r in results if r.path)
    page = DOCS / "pages/background/verdicts.md"
    text = LOW_POWER.sub(f"\n{low}\n", page.read_text(encoding="utf-8"))
    text = FROZEN_TABLE.sub(f"\n{frozen_table()}\n", text)
    write_text(page, PATHS.sub(f"\n{paths}\n", text))
    said = textwrap.fill(confirmation(), 116, break_on_hyphens=False)
    readme = CONFIRMATION.sub(f"{said}\n", README.read_text(encoding="utf-8"))
    readme = FIGURE.sub(crossing_figure(results), readme)
    found = f"{verdict_list(results)}\n\n{points(results)}"
    write_text(README, TALLIES.sub(f"\n{found}\n\n", readme))
    for picture in (DOCS / "images").glob("*.png"):
        figure = EVERY_FIGURE.get(picture.stem)
        if figure and not figure.scenarios:
            for file in (picture.name, f"{picture.stem}_column.svg"):
                shutil.copyfile(RESULTS / "figures" / file, picture.with_name(file))
    save_preview(RESULTS, FIRST)


if __name__ == "__main__":
    publish_claims()
