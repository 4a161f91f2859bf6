"""Put what a finished run of the research found into files under version control.

Writes the pages ``extended``, ``sharp``, ``ceilings`` and ``changing`` of ``research/docs``, their
figures, the claims as data (``research/docs/published``), and what a confirmation decided
(``claims/confirmed.csv``).  Files of sets that were not run stay as they are.

    uv run python research/publish.py && uv run python tools/publish.py

The second writes the README, which names two of these claims.
"""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import yaml

from penalized_bandits.common.files import write_text
from penalized_replication import extensions
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.results import ClaimResult, read_results
from penalized_replication.claims.table.preregistration import confirmed, dates_of, in_short
from penalized_replication.claims.table.render import counts_text, headline_text, measured_text
from penalized_replication.claims.table.tables import markdown_table, tally
from penalized_replication.figures import Figure
from penalized_research.figures import CEILINGS, CHANGING, EXTENDED, SHARP

RESEARCH = Path(__file__).resolve().parent
DOCS, SCENARIOS = RESEARCH / "docs", RESEARCH.parent / "results/scenarios"
Page = Callable[[Sequence[ClaimResult], Mapping[str, str]], str]
CONFIRMED = RESEARCH / "penalized_research/claims/confirmed.csv"
COUNTS = ("hold", "fail", "undecided", "vacuous")
COLUMNS = ("id", "verdict", "by_seed", *COUNTS, "worst", "rule_digest", "frozen")
"""Of the table of confirmed claims: ``rule_digest`` is the digest of the rule, ``frozen``
that of config and bandits."""
FORMS = (".png", "_column.svg", ".md")
TITLES: dict[str, str] = yaml.safe_load((DOCS / "titles.yaml").read_text(encoding="utf-8"))
ABOUT_EXTENDED = """\
All policies on the same bandits (the target `extended`, [its config](../config/README.md)). Each
gets fractions and rewards, some penalty rates (here mostly half the spread of the true means, which
only an oracle knows), σ or T: [side information and results](published/comparison.csv). Each is
tuned over the same number of values, the best one on even replicates measured on odd ones and vice
versa, which removes selection bias. In Settings 3 and 5 reward is compared at unfairness that both
policies reach. The lower bound is [Theorem 3](least-constant.md#theorem-3) with KL
within the family of laws; pulls of an arm are limited to its level, or one arm with Δ_k next to A_k
would dominate the sum.
"""
ABOUT_SHARP = """\
Regret up to T = 10⁸ against the theorems' limits and bounds (the target `sharp`, [its
config](../config/README.md)). No claim here was confirmed on new seeds. C02 and C06A
([claims](../../docs/claims.md)) measure our theorems on Theorem 4.1 at its root and on Theorem 4.2
(d) as printed. In a first run, with 80 and 40 replicates at the longest horizons, one comparison of
S01 and three of S02 were undecided and none failed; their replicates were raised once, to 160 and
96, the rules stayed.
"""
ABOUT_CEILINGS = """\
Six instances of [Theorem V](stairs.md#theorem-v) (target `ceilings`,
[config](../config/README.md)). No claim was confirmed on new seeds; when the rules were set, the
published policy's regret at T = 10⁶ on others was known.
"""
ABOUT_CHANGING = """\
Eight changes of the means ([Theorem D](drift.md#theorem-d); target `changing`, [its
config](../config/README.md)). Regrets on other seeds were known when the rule was set.
"""
CONFIRMATION = """\
Claims were found on the data of the exploration. The confirmation has new seeds and bandits, and
rules and policies that were committed before it was run (set `confirm`, `claims/frozen.csv`;
comparisons in `results/scenarios/confirm.json`). Of one that does not hold, the number that speaks
most against it.
"""
REWORDED = {
    "E01": "the policy, at first any without a power law in the long runs, then any without one in "
    "a settled case, then any shown to keep the law in one, is fixed by name",
    "E02": "cases in which the hard threshold has not settled are vacuous; the fluid prediction in "
    "place of a law chosen by held-out horizons; no horizons whose prediction is 0 (none had it)",
    "E03": "the policy, at first that of E01; tuning, at first on one half of the replicates; the "
    "grid, which ended at a small exploration constant that was chosen often, ends at none",
    "E04": "cases as of E02 are vacuous; limits in place of slopes at finite horizons",
    "E05": "Holm's correction over all comparisons; vacuous where two policies do the same",
    "E06": "the 1 %",
    "E07": "vacuous where the hard threshold pulls what UCB1 does; the fluid prediction, not an "
    "exponent below one half; then as E02",
    "E09": "the 1 %: 1.5 of 562 was called a failure",
    "E10": "added after the first run, with the rule of E01; the policy is fixed by name",
}
"""Rules that changed after data were seen, and how."""


def pictures(figures: Iterable[Figure], captions: Mapping[str, str]) -> Iterable[str]:
    """Yield the Markdown lines of figures with their captions, by id."""
    for figure in figures:
        image = f"![{figure.title}](images/{figure.id}.png)"
        yield from (image, "", captions[figure.id].strip(), "")


def named(result: ClaimResult) -> str:
    """Return the title of a claim, its place and its statement, as one cell."""
    place = result.where.removeprefix("not in the paper").strip("; ()")
    title = f'<a id="{result.id.lower()}"></a>{result.id} **{TITLES[result.id]}**'
    return f"{title}{f' ({place})' if place else ''}<br>{result.statement}"


def counts(result: ClaimResult) -> str:
    """Return how many comparisons hold, fail and are undecided, in short."""
    return counts_text(result).replace(" / ", "/")


def side_by_side(results: Sequence[ClaimResult]) -> list[str]:
    """Return the verdicts of an exploration and of the confirmation as a Markdown table."""
    lines: list[tuple[str, ...]] = []
    for result in results:
        new = confirmed().get(result.id, dict.fromkeys(COLUMNS, ""))
        seeds = new["by_seed"] if len({*new["by_seed"].split(", ")}) > 1 else ""
        worst = new["worst"] * (new["verdict"] != "holds")
        number = (
            "{hold}/{fail}/{undecided} (+ {vacuous} vacuous)".format(**new) if new["id"] else ""
        )
        again = f"**{in_short(result.id)}**{f' (by seed: {seeds})' if seeds else ''}"
        cells = (named(result), f"{result.verdict} {counts(result)}", again, worst)
        lines.append((*cells, number.removesuffix(" (+ 0 vacuous)")))
    heads = ("claim", "exploration", "confirmation", "evidence", "hold/fail/undecided")
    return markdown_table(heads, lines)


def of_constants(result: ClaimResult) -> str:
    """Return what the index of E10 saves, and what its constant alone does."""
    words = {
        "ratios": "the KL threshold",
        "of_constant": "the paper's index with the constant of [0, 1]",
    }
    means = (
        f"{policy} {', '.join(f'{mean:.2f} ({law})' for law, (*_, mean) in laws.items())}"
        for key, policy in words.items()
        if (laws := result.facts.get(key))
    )
    return f"Mean regret over that of the paper's policy, both as published: {'; '.join(means)}."


def exploration(results: Sequence[ClaimResult]) -> str:
    """Return the claims in Markdown: both verdicts, then the rules that changed."""

    def changed(name: str) -> str:
        times = dates_of(name)[1].split()
        return f" ({times[0]}, last {times[-1]})" if times else ""

    known = ((name, text) for name, text in REWORDED.items() if name in CLAIMS)
    lines = [
        *("## Claims", "", CONFIRMATION, *side_by_side(results), ""),
        *(f"{of_constants(result)}\n" for result in results if result.id == "E10"),
        *("### Rules that changed after data were seen", ""),
        "How often, when last (`claims/rules.csv`), and what; in E01, E03, E05, E06 and E09 "
        "differences up to 1 % are none since then:",
        *("", *(f"- {name}{changed(name)}: {text}" for name, text in known)),
    ]
    return "\n".join(lines)


def extended_page(results: Sequence[ClaimResult], captions: Mapping[str, str]) -> str:
    """Return the page of the comparison of all policies and the claims E01 to E10."""
    lines = ["# Extended experiments", "", ABOUT_EXTENDED]
    return "\n".join([*lines, *pictures(EXTENDED, captions), exploration(results)]) + "\n"


def measured(title: str, about: str, figures: Sequence[Figure]) -> tuple[Page, Sequence[Figure]]:
    """Return the page of a set whose claims were decided in one run, and its figures."""

    def page(results: Sequence[ClaimResult], captions: Mapping[str, str]) -> str:
        return with_claims([f"# {title}", "", about, *pictures(figures, captions)], results)

    return page, figures


def with_claims(head: Sequence[str], results: Sequence[ClaimResult]) -> str:
    """Return a page with its claims, which were decided in one run, as a table."""
    against = {r.id: f": {headline_text(r)}" for r in results if r.verdict == "holds in part"}
    cells = [(named(r), f"{r.verdict}{against.get(r.id, '')}", counts(r)) for r in results]
    table = markdown_table(("claim", "verdict", "hold/fail/undecided"), cells)
    return "\n".join([*head, "## Claims", "", f"{tally(results)}.", "", *table]) + "\n"


PAGES: dict[str, tuple[Page, Sequence[Figure]]] = {
    "extended": (extended_page, EXTENDED),
    "sharp": measured("The sharp constants", ABOUT_SHARP, SHARP),
    "ceilings": measured("Floors and ceilings, measured", ABOUT_CEILINGS, CEILINGS),
    "changing": measured("Means that change, measured", ABOUT_CHANGING, CHANGING),
}
"""Pages and figures of the sets."""


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
    for name, (page, figures) in PAGES.items():
        folder, published = SCENARIOS / name, DOCS / f"published/{name}.json"
        if (folder / "claims/claims.json").is_file():
            shutil.copyfile(folder / "claims/claims.json", published)
            # Phones show the form of one column.
            for file in (f"{f.id}{form}" for f in figures for form in FORMS):
                shutil.copyfile(folder / "figures" / file, DOCS / "images" / file)
        if (comparison := folder / "comparison.csv").is_file():
            shutil.copyfile(comparison, DOCS / "published/comparison.csv")
        if published.is_file():
            images = {f.id: DOCS / f"images/{f.id}.md" for f in figures}
            captions = {name: path.read_text(encoding="utf-8") for name, path in images.items()}
            write_text(DOCS / f"{name}.md", page(read_results(published), captions))


if __name__ == "__main__":
    main()
