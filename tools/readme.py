"""The parts of the README that are written from published claims: points, table of verdicts."""

import textwrap
from collections.abc import Sequence

from penalized_bandits.common.numbers import percent
from penalized_replication.claims.results import ClaimResult, by_id
from penalized_replication.claims.table.tables import counted, tally
from penalized_replication.figures.overtaking import behind, crossings, is_drawn, rounded
from penalized_replication.pages.cards import FAILS, HOLDS, IN_PART, UNJUDGED, WIDE

EXAMPLES = (
    ("● holds", HOLDS, "C07", "penalized regret grows like log T"),
    ("▲ not contradicted", WIDE, "C14", "a bound for all gaps, far above what is measured"),
    (
        "◆ holds in part",
        IN_PART,
        "C27",
        "under the earlier policies all arms turn unfair at once: under LFG two stay fair at first",
    ),
    ("· no verdict", UNJUDGED, "C11", "a bound 68,600 times above what is measured"),
    (
        "✕ fails in the arXiv text",
        FAILS,
        "C02",
        "with unequal shares no arm lacks a pull of its share in the end (Theorem 4.1)",
    ),
)
"""Rows of the table of verdicts: name, verdicts, and a claim that has one of these, in words."""


def verdict_table(results: Sequence[ClaimResult]) -> str:
    """Return the verdicts on the paper in five rows, with links to the page of all claims.

    Raises ValueError if an example has another verdict.
    """
    asked = counted(results)
    lines = [f"| verdict | of {len(asked)} statements | for example |", "| --- | --- | --- |"]
    for name, verdicts, example, words in EXAMPLES:
        found = [result for result in asked if result.verdict in verdicts]
        if example not in {result.id for result in found}:
            raise ValueError(f"{example} is not {' or '.join(verdicts)}: give another example")
        computed = sum(result.verdict == "holds by algebra" for result in found)
        corrected = sum(result.corrected for result in found)
        first = f" ({corrected} corrected before it was judged)" if corrected else ""
        split = f": {len(found) - computed} measured{first}, {computed} by algebra"
        split = split if computed else ""
        link = f"[{example}](docs/claims.md#{example.lower()})"
        lines.append(f"| {name} | {len(found)}{split} | {words} ({link}) |")
    ours = tally([result for result in results if result.asked_by == "us"])
    return "\n".join([*lines, "", f"Our own questions: {ours}."])


def points(paper: Sequence[ClaimResult], research: Sequence[ClaimResult]) -> str:
    """Return the four points of the README, with the numbers of published claims.

    Of those of the research E10 alone.
    """
    asked, claims = counted(paper), by_id([*paper, *research])
    near = [(p.estimate, p.low, p.high) for p in claims["C07"].comparisons if p.status == "holds"]
    off, far = max(abs(p[0] - 1) for p in near), max(abs(x - 1) for p in near for x in p)
    late = [(is_drawn(x.case), x.estimate) for x in crossings(claims["C34"].comparisons)]
    drawn, fixed = ([at for which, at in late if which is kind] for kind in (True, False))
    first = next(x.values for x in claims["C02"].comparisons if "shares" in x.values)
    owed, given = first["fairness"], first["shares"][-1]
    by_law = (claims["E10"].facts[name] for name in ("ratios", "of_constant"))
    index, constant = (map(percent, ratios["rewards in [0, 1]"]) for ratios in by_law)
    (least, most, mean), (low, high, middle) = index, constant
    failing, in_part = (sum(r.verdict in kind for r in asked) for kind in (FAILS, IN_PART))
    return f"""
- **It works.** Penalized regret grows like log T: within {percent(off)}, intervals within
  {percent(far)}, of a prediction in which nothing is fitted ([C07](docs/claims.md#c07)).
- **It starts behind.** UCB1, which ignores the shares, has *less* regret at first. The hard
  threshold overtakes it at T between {rounded(min(drawn))} and {rounded(max(drawn))}
  on average over draws, between {rounded(min(fixed))} and {rounded(max(fixed))}
  on fixed bandits (C34). Where no arm is worth its share
  (0 < Δ < A), as in one of eight draws of five arms, it never does.
{textwrap.indent(textwrap.fill(behind(claims["C36"].comparisons), 96), "  ")}
- **What fails.** {failing} of {len(asked)} statements: with unequal shares, for each T a bandit at
  Theorem 4.1's margin gives an arm {given:.2f} T of {owed:g} T pulls; on a fixed one
  an arm can stay a few pulls short for ever ([C02](docs/claims.md#c02)). {in_part} more
  hold{"s" * (in_part == 1)} in part.
- **It improves.** With KL-UCB's index the same rule is asymptotically optimal for rewards of 0
  and 1. Simulated with rewards in [0, 1], it has {least} to {most} of the paper's penalized
  regret (geometric mean {mean}, E10). Most of this is the constant: the paper's policy with half
  of its radius, which such rewards allow, has {low} to {high} ({middle}).

"""
