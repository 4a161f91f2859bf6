"""The first screen in words: what holds, what holds with limits, what fails, and the crossover.

Which card a claim is on, and every number, is the ledger's; here it is only said in plain words
what the claims are about.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from penalized_bandits.common.numbers import shown
from penalized_bandits.experiments.names import case_name
from penalized_bandits.figures.theory_crossover import (
    CLAIM,
    FIGURE_1_ENDS,
    by_case,
    example,
    horizon_of,
    rounded,
)

PLAIN: dict[str, str] = {
    "C07": "the policy's loss grows only with the logarithm of time",
    "C24": "it loses less than the earlier policy LFG everywhere in Figure 1",
    "C31": "on simulated bandits it earns more than equally fair rivals",
    "C28": "on movie ratings it earns more than equally fair rivals",
    "C25": "it loses less than the earlier policy Flearn everywhere in Figure 1",
    "C02": "each arm gets its share, with a probability that goes to 1, if its penalty rate is "
    "above its gap by Theorem 4.1's margin",
    "C06": "the loss stays below the bound that Theorem 4.2d prints, also where a share shrinks "
    "like log T/T",
    "C30": "arms worth their share are pulled in inverse proportion to the square of how much "
    "worse they are",
    "C29": "arms not worth their share are pulled in inverse proportion to the square of how "
    "much worse they are",
    "C15": "the worst loss over all bandits grows like the square root of time",
    "C26": "arms give up their shares one by one as the penalty falls",
}
"""Claims that the first screen may name, the most telling first; each as what would be true."""
NAMED = 3
"""Claims that a card names at most."""
HOLDS, LIMITS, FAILS = ("reproduced", "identity"), ("partly", "consistent"), ("not reproduced",)


@dataclass(frozen=True)
class Card:
    """One sentence: ``lead``, the claims named, ``tail``."""

    slug: str
    title: str
    symbol: str
    lead: str
    named: tuple[tuple[str, str], ...]
    """Id and plain words of each claim that is named."""
    tail: str


def _of(claims: Sequence[Mapping[str, Any]], verdicts: Sequence[str]) -> list[str]:
    return [c["id"] for c in claims if c["verdict"].name in verdicts]


def _named(found: Sequence[str]) -> tuple[tuple[str, str], ...]:
    told = [(claim, words) for claim, words in PLAIN.items() if claim in found]
    return tuple(told[:NAMED])


def _claims(number: int, of: int = 0) -> str:
    """Count claims: ``1 claim``, ``3 of 41 claims``."""
    several = (of or number) != 1
    return f"{shown(number)}{f' of {shown(of)}' if of else ''} claim{'s' if several else ''}"


def _card(slug: str, title: str, symbol: str, found: Sequence[str], lead: str, tail: str) -> Card:
    named = _named(found)
    joint = ": that" if len(named) == len(found) else ", among them that"
    return Card(slug, title, symbol, f"{lead}{joint}" if named else lead, named, f"{tail}.")


def cards(claims: Sequence[Mapping[str, Any]], *, other_config: bool = False) -> list[Card]:
    """Return the three cards about the paper's claims, which are views of the ledger's rows.

    With ``other_config``, a run that is not of the paper's config, each begins by saying so.
    """
    total = len(claims)
    holds, fails = _of(claims, HOLDS), _of(claims, FAILS)
    partly, wide = _of(claims, LIMITS[:1]), _of(claims, LIMITS[1:])
    rest = total - len(holds) - len(fails) - len(partly) - len(wide)
    verb = "holds" if len(holds) == 1 else "hold"
    first = f"{_claims(len(holds), total)} of the paper {verb}" if holds else "No claim holds whole"
    if partly:
        second = f"{_claims(len(partly))} hold{'s' if len(partly) == 1 else ''} only in part"
    else:
        second = "No claim holds only in part"
    tails = []
    if wide:
        tails.append(f"{len(wide)} agree{'s' if len(wide) == 1 else ''} with bounds so wide that "
                     "they say little")  # fmt: skip
    if rest:
        tails.append(f"of {rest} too little is known")
    second_tail = f"; {' and '.join(tails)}" if tails else ""
    third = f"{_claims(len(fails))} fail{'s' if len(fails) == 1 else ''} as printed"
    third = third if fails else "No claim of the paper fails"
    if other_config:
        first, second, third = (
            f"Under this config {lead[0].lower()}{lead[1:]}" for lead in (first, second, third)
        )
    return [
        _card("holds", "Holds", "●", holds, first, ""),
        _card("limits", "Holds with limits", "◆", partly, second, second_tail),
        _card("fails", "Fails", "✕", fails, third, ""),
    ]


def crossover(rows: Sequence[Mapping[str, Any]]) -> str:
    """Say where the hard threshold overtakes UCB1, in the case that the first screen shows."""
    parts = next((by_case(row) for row in rows if row["id"] == CLAIM), {})
    case = example(parts)
    if not case:
        return "This config is too small to say where the curves cross."
    known = [float(p["estimate"]) for p in parts.values() if p["estimate"] is not None]
    return (
        f"Here ({case_name(case)}) UCB1, which ignores the shares, loses less up to "
        f"{horizon_of(parts[case])}, and hard-threshold UCB loses less from there on. The curves "
        f"cross on {len(known)} of {len(parts)} kinds of bandits, at T from {rounded(min(known))} "
        f"to {rounded(max(known))}; the paper's Figure 1 ends at {shown(FIGURE_1_ENDS)}."
    )
