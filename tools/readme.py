"""The parts of the README that are written from published claims: verdicts, rivals, figure."""

import textwrap
from collections.abc import Sequence

from penalized_bandits.common.numbers import percent
from penalized_replication.claims.results import ClaimResult, by_id
from penalized_replication.claims.table.tables import counted
from penalized_replication.figures.overtaking import FIGURE_1_ENDS, crossings, is_drawn, rounded

EXAMPLES = (
    (
        "holds",
        ("holds", "holds by algebra"),
        "C07",
        "under Theorem 4.2's conditions regret grows like log T, within {off} (intervals {far}) of "
        "a parameter-free prediction",
    ),
    ("not contradicted", ("not contradicted",), "C14", "a bound far above measured regret"),
    (
        "holds in part",
        ("holds in part",),
        "C27",
        "all arms turn unfair at once under Flearn, not LFG",
    ),
    (
        "no verdict",
        ("descriptive", "no verdict"),
        "C11",
        "a bound 68,600 times above measured deficits",
    ),
    (
        "fails in the arXiv text",
        ("fails",),
        "C02",
        "Theorem 4.1 with unequal shares: for each T a bandit gives an arm {pulls:.2f} T of "
        "{owed:g} T pulls; on a fixed one a few can lack for ever",
    ),
)
"""Of each group of verdicts: name, verdicts, and a claim that has one of these, in words."""


def sizes(results: Sequence[ClaimResult]) -> dict[str, str | float]:
    """Return the numbers of the examples by their names."""
    claims = by_id(results)
    near = [(p.estimate, p.low, p.high) for p in claims["C07"].comparisons if p.status == "holds"]
    off, far = max(abs(p[0] - 1) for p in near), max(abs(x - 1) for p in near for x in p)
    first = next(x.values for x in claims["C02"].comparisons if "shares" in x.values)
    pulls = {"pulls": first["shares"][-1], "owed": first["fairness"]}
    return {"off": percent(off), "far": percent(far), **pulls}


def verdict_list(results: Sequence[ClaimResult]) -> str:
    """Return the number of claims of the paper with each verdict, and an example with its link.

    Raises ValueError if an example has another verdict.
    """
    asked = counted(results)
    lines = [f"Of {len(asked)} statements:", ""]
    for name, verdicts, example, words in EXAMPLES:
        found = [result for result in asked if result.verdict in verdicts]
        if example not in {result.id for result in found}:
            raise ValueError(f"{example} is not {' or '.join(verdicts)}: give another example")
        computed = sum(result.verdict == "holds by algebra" for result in found)
        corrected = sum(result.corrected for result in found)
        split = f", {corrected} corrected before it was judged" if corrected else ""
        split += f", {computed} by algebra" if computed else ""
        text = words.format(**sizes(results))
        link = f"[{example}](docs/claims.md#{example.lower()})"
        lines.append(wrapped(f"- {name}, {len(found)}{split}: {text} ({link})"))
    return "\n".join(lines)


def wrapped(text: str) -> str:
    """Return a paragraph, or an item of a list, in lines of the width of documents."""
    indent = "  " * text.startswith("- ")
    lines = textwrap.TextWrapper(116, break_on_hyphens=False, break_long_words=False)
    lines.subsequent_indent = indent
    return lines.fill(text)


def crossing_figure(paper: Sequence[ClaimResult]) -> str:
    """Return the figure of the README, whose alternative text is its finding."""
    first = crossings(by_id(paper)["C34"].comparisons)[0]
    finding = (
        f"UCB1 has less penalized regret up to T = {rounded(first.estimate)}; "
        f"the paper ends at {FIGURE_1_ENDS:,}"
    )
    return f'<img src="docs/images/theory_crossover_column.png" width="480" alt="{finding}">'


def points(paper: Sequence[ClaimResult]) -> str:
    """Return where other policies are ahead of the paper's."""
    claims = by_id(paper)
    late = [(is_drawn(x.case), x.estimate) for x in crossings(claims["C34"].comparisons)]
    drawn, fixed = ([at for which, at in late if which is kind] for kind in (True, False))
    lost = [x for x in claims["C36"].comparisons if x.values.get("ratio", 0) > 1]
    ratios = " and ".join(f"{x.values['ratio']:.1f}" for x in lost)
    soft = claims["C24S"]
    parts = (
        "Others do better:",
        "",
        f"- UCB1 up to T = {rounded(min(drawn))} to {rounded(max(drawn))} averaged over draws, "
        f"{rounded(min(fixed))} to {rounded(max(fixed))} on fixed bandits; always if no arm has "
        "0<Δ<A (one of eight draws of five arms; C34)",
        f"- explore-then-commit, which knows T: on MovieLens at T = {lost[0].values['last']:,} the "
        f"rule has {ratios} times its regret (C36)",
        f"- the soft threshold, of linear regret, in {soft.statuses['fails']} of Figure 1's "
        f"{len(soft.comparisons)} cells (C24S)",
        "- LFG as published, in reward at some of Figure 3's levels, "
        "in all six designs with T ≥ 20,000 (C28L)",
    )
    return "\n".join(map(wrapped, parts))
