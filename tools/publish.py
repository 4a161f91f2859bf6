"""Put what a finished run found into files under version control, for those who read no results.

Writes the ledgers as Markdown (``docs/claims.md``, ``extended.md``, ``sharp.md``), the same as
data and checksums (``docs/published``), the verdicts of scenarios beside the paper's, the rules of
low power on a page, the table of verdicts in the README, and the pictures of documents.  Files of
targets that were not run stay as they are: each set of scenarios is a run of its own.

    uv run python tools/publish.py
"""

import math
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from penalized_bandits.common.files import write_text
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.base import FAR
from penalized_replication.claims.joined.verdicts import dependent
from penalized_replication.claims.ledger.register import (
    CONFIRMED,
    COUNTS,
    confirmed,
    dates_of,
    in_short,
)
from penalized_replication.claims.ledger.render import measured_text
from penalized_replication.claims.ledger.tables import (
    claims_tables,
    markdown_table,
    tally,
    to_markdown,
)
from penalized_replication.claims.results import DETECTION, ClaimResult, read_results
from penalized_replication.figures import (
    ALL_FIGURES,
    EXTENDED_FIGURES,
    SHARP_FIGURES,
    Figure,
)
from penalized_replication.figures.theory_crossover import (
    save_preview,
)
from penalized_replication.pages.material import PUBLISHED
from penalized_replication.storage.tables import read_table
from readme import points, verdict_table

PROJECT = Path(__file__).resolve().parents[1]
DOCS, RESULTS = PROJECT / "docs", PROJECT / "results"
SCENARIOS = RESULTS / "scenarios"
FIRST = DOCS / "images/theory_crossover_column.png"
"""The picture of the README, which results have as SVG alone: in the shape of a link's preview."""
CHECKSUMS = DOCS / "published/checksums.txt"
SETS = ("readings", "seeds", "design")
"""Sets whose verdicts are published as a table."""
COLUMNS = ("id", "verdict", "by_seed", *COUNTS, "worst", "rule_digest", "frozen")
"""Of the table of confirmed claims: ``rule_digest`` is the digest of statement and rule, ``frozen``
that of config and bandits."""
README = PROJECT / "README.md"
TALLIES = re.compile(r"(?s)(?<=<!-- verdicts -->\n).*?(?=<!-- end of verdicts -->)")
POINTS = re.compile(r"(?s)(?<=<!-- points -->\n).*?(?=<!-- end of points -->)")
LOW_POWER = re.compile(r"(?s)(?<=<!-- low power -->\n).*?(?=<!-- end of low power -->)")
EVEN = 0.5
"""A rule that detects a violation less often than this has low power."""
WHERE = re.compile(r"(?<=\|)[^|]*\|(?=[^|]*\|[^|]*\|[^|]*\|[^|]*\|$)")
"""Second of the six cells of a row of claims."""
BY = "`tools/publish.py`"
EXTENDED = (
    f"Made by the target `extended` ([its config](../config/README.md#extended)) and {BY}: all "
    "policies of the package on the same bandits. Each gets the fractions and its rewards, some "
    "penalty rates (here mostly half the spread of the true means, which only an oracle knows), σ "
    "or T. Each is tuned over the same number of values: the best one on the even replicates is "
    "measured on the odd ones and vice versa, which removes selection bias. In Settings 3 and 5 "
    "reward is compared at levels of unfairness that both policies reach. The lower bound is "
    "[Theorem 3](pages/theory/lower-bound.md) with KL within the family of reward laws; pulls of "
    "an arm are limited to its level, or one arm with Δ_k next to A_k would dominate the sum."
)
SHARP = (
    f"Made by the target `sharp` ([its config](../config/README.md#the-sharp-constants)) and {BY}. "
    "C02 and C06A ([claims](claims.md)) measure our theorems on Theorem 4.1 at its root and on "
    "Theorem 4.2 (d) as printed.",
    "",
    "In a first run, with 80 and 40 replicates at the longest horizons, one part of S01 and three "
    "of S02 were undecided and none failed. Their replicates were raised once, to 160 and 96; the "
    "rules stayed.",
)

CONFIRMATION = (
    "The verdicts of the exploration are on data on which the claims were found; those of the "
    "confirmation on new seeds and new bandits, by rules and policies that were committed before "
    "it was run (set `confirm` of `config/scenarios.yaml`, `claims/ledger/frozen.csv`; "
    "`results/scenarios/confirm.json` has every part)."
)
REWORDED = {
    "E01": "the policy compared, at first any without a power law in the long runs, then any "
    "without one in a settled case, then any shown to keep the law in one, is fixed by name.",
    "E02": "cases in which the hard threshold has not settled became vacuous; then, in place of a "
    "law chosen by held-out horizons, agreement with the fluid prediction.",
    "E03": "the policy, at first that of E01; how it is tuned, at first on one half of the "
    "replicates only; the grid, which ended at a small exploration constant that was chosen often, "
    "and now ends at none.",
    "E04": "cases in which the hard threshold has not settled became vacuous; then limits in place "
    "of slopes at finite horizons.",
    "E05": "Holm's correction over all comparisons; vacuous where two policies do the same.",
    "E06": "the 1 % alone.",
    "E07": "vacuous where the hard threshold pulls what UCB1 does; then agreement with the fluid "
    "prediction in place of an exponent below one half.",
    "E09": "the 1 % alone: 1.5 of 562 was called a failure.",
    "E10": "added after the first run, with the rule of E01; now the policy is fixed by name.",
}
"""Rules that changed after data were seen, and how."""

COMPARISON = (
    "[published/comparison.csv](published/comparison.csv) has a row for each of the policies: "
    "side information, penalized regret over the instance lower bound (geometric mean over cases, "
    "as published and tuned), the limit of this ratio, unfairness, and reward at equal unfairness "
    "less the hard threshold's."
)


def ledger(folder: Path, name: str) -> list[ClaimResult]:
    """Copy a ledger of the results to ``docs/published``; return its results."""
    source, target = folder / "claims/claims.json", DOCS / f"published/{name}.json"
    target.parent.mkdir(exist_ok=True)
    shutil.copyfile(source, target)
    return read_results(source)


def with_captions(folder: Path, figures: Mapping[str, Figure]) -> Iterable[str]:
    """Copy figures of a scenario to the documentation; yield Markdown lines with their captions.

    Their forms of one column are what phones show.
    """
    for name, figure in figures.items():
        for file in (f"{name}.png", f"{name}_column.svg"):
            shutil.copyfile(folder / "figures" / file, DOCS / "images" / file)
        caption = (folder / f"figures/{name}.md").read_text(encoding="utf-8").strip()
        yield from (f"![{figure.title}](images/{name}.png)", "", caption, "")


def has_low_power(result: ClaimResult) -> bool:
    """Whether the rule detects a violation by a factor 2 in less than half of the runs."""
    chance = result.detection_by_column[DETECTION[-1]]
    return math.isnan(chance) or chance < EVEN


def why_low_power(result: ClaimResult) -> str:
    """Return why a rule with low power is acceptable; empty if its power is high enough."""
    if not has_low_power(result):
        return ""
    if result.low_power:
        return result.low_power
    if result.statuses["fails"]:
        return "a violation was detected: parts fail"
    reasons = {
        "consistent": f"the bound is at least {FAR:g} times the measured value",
        "identity": "only an error in the code could make a part fail",
        "undecided": "nothing is claimed",
        "not measured": "nothing is claimed",
    }
    return reasons.get(result.verdict, "")


def publish_claims() -> None:
    """Write the paper's ledger, its rules of low power, and verdicts that depend on a reading."""
    results = ledger(RESULTS, "claims")
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
        changes = "(verdict, or whether parts fail)"
        pairs = f"{int(table['changed'].sum())} of {len(table)} pairs {changes}"
        lines += ["", f"## Verdicts that change: {name}", "", f"{pairs}."]
        changed = [f"- {claim}: {'; '.join(found)}" for claim, found in dependent(table).items()]
        lines += ["", *changed] if changed else []
    lines.append("")
    write_text(DOCS / "claims.md", to_markdown(results) + "\n".join(lines))
    weak = [result for result in results if has_low_power(result)]
    low = "".join(f"- {r.id} ({r.verdict}): {why_low_power(r)}.\n" for r in weak)
    power = DOCS / "pages/background/verdicts.md"
    write_text(power, LOW_POWER.sub(f"\n{low}\n", power.read_text(encoding="utf-8")))
    compared = read_results(DOCS / "published/extended.json")
    readme = POINTS.sub(points(results, compared), README.read_text(encoding="utf-8"))
    write_text(README, TALLIES.sub(f"\n{verdict_table(results)}\n\n", readme))
    for picture in (DOCS / "images").glob("*.png"):
        if picture.stem in ALL_FIGURES and not ALL_FIGURES[picture.stem].scenarios:
            for file in (picture.name, f"{picture.stem}_column.svg"):
                shutil.copyfile(RESULTS / "figures" / file, picture.with_name(file))
    save_preview(RESULTS, FIRST)


def write_confirmed(results: Sequence[ClaimResult], path: Path) -> None:
    """Write what came out of a confirmation as a table."""
    lines = [",".join(COLUMNS)]
    for result in results:
        worst = f"{result.quantity} ({result.headline.name}): {measured_text(result)}"
        by_seed = ", ".join(result.facts["by_seed"])
        row = result.row() | dict(result.facts) | {"worst": worst, "by_seed": by_seed}
        lines.append(",".join('"' + str(row[c]).replace('"', '""') + '"' for c in COLUMNS))
    write_text(path, "\n".join(lines) + "\n")


def side_by_side(results: Sequence[ClaimResult]) -> list[str]:
    """Return the verdicts of an exploration and of the confirmation as a Markdown table."""
    parts = "parts: hold / fail / undecided (vacuous)"
    heads = ("claim", "exploration", "confirmation", "by seed", parts, "nearest to fail")
    lines: list[tuple[str, ...]] = []
    for result in results:
        cells = (result.id, result.verdict, f"**{in_short(result.id)}**")
        new = confirmed().get(result.id)
        number = "{hold} / {fail} / {undecided} ({vacuous})".format(**new) if new else ""
        lines.append((*cells, *((new["by_seed"], number, new["worst"]) if new else ("",) * 3)))
    return markdown_table(heads, lines)


def exploration(results: Sequence[ClaimResult]) -> str:
    """Return the claims in Markdown: both verdicts, the rules that changed, then each claim."""

    def changed(name: str) -> str:
        times = dates_of(name)[1]
        return f" (changed {times})" if times else ""

    known = ((name, text) for name, text in REWORDED.items() if name in CLAIMS)
    lines = [
        *("## Extended claims", "", CONFIRMATION, "", *side_by_side(results), ""),
        *("### Rules that changed after data were seen", ""),
        "`claims/ledger/rules.csv` has a digest of each wording. After the first run of the "
        "exploration these changed; in E01, E03, E05, E06 and E09 differences up to 1 % are none "
        "since then:",
        *("", *(f"- {name}{changed(name)}: {text}" for name, text in known), ""),
        *("### The exploration", "", f"{tally(results)}.", ""),
        # None of these claims is in the paper.
        *(WHERE.sub("", re.sub("^#", "##", line)) for line in claims_tables(results)),
    ]
    return "\n".join(lines).rstrip()


def publish_extended() -> None:
    """Write the comparison of all policies, its figures and the claims E01 to E10."""
    folder, confirmation = SCENARIOS / "extended", SCENARIOS / "confirm.json"
    if confirmation.is_file():
        write_confirmed(read_results(confirmation), CONFIRMED)
    lines = ["# Extended experiments", "", EXTENDED, "", COMPARISON, ""]
    lines += with_captions(folder, EXTENDED_FIGURES)
    lines += [exploration(ledger(folder, "extended"))]
    shutil.copyfile(folder / "comparison.csv", DOCS / "published/comparison.csv")
    write_text(DOCS / "extended.md", "\n".join(lines) + "\n")


def publish_sharp() -> None:
    """Write the figure and the claims on the sharp constants."""
    folder = SCENARIOS / "sharp"
    results = ledger(folder, "sharp")
    lines = ["# The sharp constants", "", *SHARP, "", *with_captions(folder, SHARP_FIGURES)]
    lines += [f"{tally(results)}.", "", *claims_tables(results)]
    # The article shows these captions too if the run has no such figures.
    for name in SHARP_FIGURES:
        shutil.copyfile(folder / f"figures/{name}.md", DOCS / f"images/{name}.md")
    write_text(DOCS / "sharp.md", "\n".join(lines) + "\n")


def main() -> None:
    """Publish what there is."""
    for folder, publish in {
        SCENARIOS / "extended": publish_extended,
        SCENARIOS / "sharp": publish_sharp,
        RESULTS: publish_claims,  # the README has numbers of all
    }.items():
        if (folder / "claims/claims.json").is_file():
            publish()


if __name__ == "__main__":
    main()
