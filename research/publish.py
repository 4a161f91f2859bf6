"""Put what a finished run of the research found into files under version control.

Writes the pages ``research/docs/extended.md`` and ``sharp.md``, their figures, the claims as data
(``research/docs/published``), and what a confirmation decided (``claims/confirmed.csv``).  Files of
sets that were not run stay as they are.

    uv run python research/publish.py && uv run python tools/publish.py

The second writes the README, which names two of these claims.
"""

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from penalized_bandits.common.files import write_text
from penalized_replication import extensions
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.results import ClaimResult, read_results
from penalized_replication.claims.table.preregistration import confirmed, dates_of, in_short
from penalized_replication.claims.table.render import measured_text
from penalized_replication.claims.table.tables import claims_tables, markdown_table, tally
from penalized_replication.figures import Figure
from penalized_research.figures import EXTENDED, SHARP

RESEARCH = Path(__file__).resolve().parent
DOCS, SCENARIOS = RESEARCH / "docs", RESEARCH.parent / "results/scenarios"
CONFIRMED = RESEARCH / "penalized_research/claims/confirmed.csv"
COUNTS = ("hold", "fail", "undecided", "vacuous")
COLUMNS = ("id", "verdict", "by_seed", *COUNTS, "worst", "rule_digest", "frozen")
"""Of the table of confirmed claims: ``rule_digest`` is the digest of the rule, ``frozen``
that of config and bandits."""
WHERE = re.compile(r"(?<=\|)[^|]*\|(?=[^|]*\|[^|]*\|[^|]*\|[^|]*\|$)")
"""Second of the six cells of a row of claims."""
MADE_BY = "and `research/publish.py`"
KEYS = "../config/README.md"
ABOUT_EXTENDED = (
    f"Made by the target `extended` ([its config]({KEYS})) {MADE_BY}: all policies of the package "
    "on the same bandits. Each gets the fractions and its rewards, some penalty rates (here mostly "
    "half the spread of the true means, which only an oracle knows), σ or T. Each is tuned over "
    "the same number of values: the best one on the even replicates is measured on the odd ones "
    "and vice versa, which removes selection bias. In Settings 3 and 5 reward is compared at "
    "levels of unfairness that both policies reach. The lower bound is "
    "[Theorem 3](least-constant.md#theorem-3) with KL within the family of reward laws; "
    "pulls of an arm are limited to its level, or one arm with Δ_k next to A_k would dominate the "
    "sum."
)
ABOUT_SHARP = (
    f"Made by the target `sharp` ([its config]({KEYS})) {MADE_BY}. None of these claims was "
    "confirmed on new seeds. C02 and C06A ([claims](../../docs/claims.md)) measure our theorems on "
    "Theorem 4.1 at its root and on Theorem 4.2 (d) as printed.",
    "",
    "In a first run, with 80 and 40 replicates at the longest horizons, one comparison of S01 and "
    "three of S02 were undecided and none failed. Their replicates were raised once, to 160 and "
    "96; the rules stayed.",
)
CONFIRMATION = (
    "The verdicts of the exploration are on data on which the claims were found; those of the "
    "confirmation on new seeds and new bandits, by rules and policies that were committed before "
    "it was run (set `confirm` of `penalized_research/scenarios.yaml`, `claims/frozen.csv`; "
    "`results/scenarios/confirm.json` has every comparison)."
)
REWORDED = {
    "E01": "the policy compared, at first any without a power law in the long runs, then any "
    "without one in a settled case, then any shown to keep the law in one, is fixed by name.",
    "E02": "cases in which the hard threshold has not settled became vacuous; then, in place of a "
    "law chosen by held-out horizons, agreement with the fluid prediction; then horizons whose "
    "prediction is 0 left out; no case had one.",
    "E03": "the policy, at first that of E01; how it is tuned, at first on one half of the "
    "replicates only; the grid, which ended at a small exploration constant that was chosen often, "
    "and now ends at none.",
    "E04": "cases in which the hard threshold has not settled became vacuous; then limits in place "
    "of slopes at finite horizons.",
    "E05": "Holm's correction over all comparisons; vacuous where two policies do the same.",
    "E06": "the 1 % alone.",
    "E07": "vacuous where the hard threshold pulls what UCB1 does; then agreement with the fluid "
    "prediction in place of an exponent below one half; then as E02.",
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


def pictures(figures: Iterable[Figure], captions: Mapping[str, str]) -> Iterable[str]:
    """Yield the Markdown lines of figures with their captions, by id."""
    for figure in figures:
        image = f"![{figure.title}](images/{figure.id}.png)"
        yield from (image, "", captions[figure.id].strip(), "")


def side_by_side(results: Sequence[ClaimResult]) -> list[str]:
    """Return the verdicts of an exploration and of the confirmation as a Markdown table."""
    comparisons = "comparisons: hold / fail / undecided (vacuous)"
    heads = ("claim", "exploration", "confirmation", "by seed", comparisons, "nearest to fail")
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
        "`claims/rules.csv` has a digest of each rule. After the first run of the "
        "exploration these changed; in E01, E03, E05, E06 and E09 differences up to 1 % are none "
        "since then:",
        *("", *(f"- {name}{changed(name)}: {text}" for name, text in known), ""),
        *("### The exploration", "", f"{tally(results)}.", ""),
        # None of these claims is in the paper.
        *(WHERE.sub("", re.sub("^#", "##", line)) for line in claims_tables(results)),
    ]
    return "\n".join(lines).rstrip()


def extended_page(results: Sequence[ClaimResult], captions: Mapping[str, str]) -> str:
    """Return the page of the comparison of all policies and the claims E01 to E10."""
    lines = ["# Extended experiments", "", ABOUT_EXTENDED, "", COMPARISON, ""]
    return "\n".join([*lines, *pictures(EXTENDED, captions), exploration(results)]) + "\n"


def sharp_page(results: Sequence[ClaimResult], captions: Mapping[str, str]) -> str:
    """Return the page of the sharp constants and the claims S01 to S23."""
    lines = ["# The sharp constants", "", *ABOUT_SHARP, "", *pictures(SHARP, captions)]
    return "\n".join([*lines, f"{tally(results)}.", "", *claims_tables(results)]) + "\n"


def write_confirmed(results: Sequence[ClaimResult], path: Path) -> None:
    """Write what came out of a confirmation as a table."""
    lines = [",".join(COLUMNS)]
    for result in results:
        worst = f"{result.quantity} ({result.headline.name}): {measured_text(result)}"
        by_seed = ", ".join(result.facts["by_seed"])
        row = result.row() | dict(result.facts) | {"worst": worst, "by_seed": by_seed}
        lines.append(",".join('"' + str(row[c]).replace('"', '""') + '"' for c in COLUMNS))
    write_text(path, "\n".join(lines) + "\n")


def main() -> None:
    """Publish what there is."""
    extensions.load(["penalized_research"])
    if (confirmation := SCENARIOS / "confirm.json").is_file():
        write_confirmed(read_results(confirmation), CONFIRMED)
    sets = {"extended": (extended_page, EXTENDED), "sharp": (sharp_page, SHARP)}
    for name, (page, figures) in sets.items():
        folder = SCENARIOS / name
        if not (folder / "claims/claims.json").is_file():
            continue
        captions: dict[str, str] = {}
        for figure in (figure.id for figure in figures):
            # Phones show the form of one column; the article shows captions of `sharp`.
            caption = [f"{figure}.md"] * (name == "sharp")
            for file in (f"{figure}.png", f"{figure}_column.svg", *caption):
                shutil.copyfile(folder / "figures" / file, DOCS / "images" / file)
            captions[figure] = (folder / f"figures/{figure}.md").read_text(encoding="utf-8")
        published = DOCS / "published" / f"{name}.json"
        shutil.copyfile(folder / "claims/claims.json", published)
        if (comparison := folder / "comparison.csv").is_file():
            shutil.copyfile(comparison, DOCS / "published/comparison.csv")
        write_text(DOCS / f"{name}.md", page(read_results(published), captions))


if __name__ == "__main__":
    main()
