"""Names for reading: of cases, policies and experiments, wherever a person meets them.

Tables and configs have ids (``K5_tau0.2``, ``hard_threshold_ucb``); figures, pages and notebooks
say what these functions return.
"""

import re

from penalized_bandits.common.numbers import format_number, restyled
from penalized_bandits.policies import POLICIES

_CELL = re.compile(r"K(\d+)_tau(\d+(?:\.\d+)?)(?:_([a-z]+))?")
_MOVIES = re.compile(r"(movies_)?m0_(\d+)(?:_tau(\d+(?:\.\d+)?))?")
_SETTING = re.compile(r"setting_(\d+)(?:_(\w+))?")
_CONSTRUCTION = re.compile(r"(theorem|lemma)_(\d+)_(\d+)_K(\d+)")
_WORDS = {"noncritical": "non-critical", "tau": "τ", "lfg": "LFG", "m0": "m₀"}
# Ids within a sentence: a cell, or words joined by underscores.  max_t and sup_t are formulas.
_ID = re.compile(
    r"\bK\d+_tau\d+(?:\.\d+)?(?:_[a-z]+)?"
    r"|\bm0_\d+_tau\d+(?:\.\d+)?"
    r"|\b(?:m0|(?!max_|sup_)[a-z]{2,}\d?[a-z]*)(?:_[a-z0-9]+)+(?:_K\d+)?\b"
)

_FOLLOWED = re.compile(rf"({_ID.pattern})(?= T ?=| arm \d)")
"""An id before a horizon or an arm, from which a comma keeps it."""


def case_name(case: str, n_arms: int | None = None) -> str:
    """Name a case of a setting or study, with its number of arms K where that is given.

    >>> case_name("K5_tau0.2"), case_name("m0_2500_tau0.5", 13)
    ('K = 5, τ = 0.2', 'm₀ = 2,500, τ = 0.5 (K = 13)')
    """
    if match := _CELL.fullmatch(case):
        law = f", {match[3].capitalize()}" if match[3] else ""
        return f"K = {match[1]}, τ = {match[2]}{law}"
    if match := _MOVIES.fullmatch(case):
        arms = f" (K = {n_arms})" if n_arms is not None else ""
        level = f", τ = {match[3]}" if match[3] else ""
        return (
            f"{'MovieLens, ' if match[1] else ''}m₀ = {format_number(int(match[2]))}{level}{arms}"
        )
    if match := _SETTING.fullmatch(case):
        return f"Setting {match[1]}{f', {case_name(match[2])}' if match[2] else ''}"
    if match := _CONSTRUCTION.fullmatch(case):
        return f"{match[1].capitalize()} {match[2]}.{match[3]}, K = {match[4]}"
    # 025 is 0.25, as in tau_power_025.
    words = re.sub(r"_0(?=\d)", "_0.", case).split("_")
    return " ".join(_WORDS.get(word, word) for word in words)


def name_of(identifier: str) -> str:
    """Name a policy, an experiment or a case."""
    policy = POLICIES.get(identifier)
    return policy.label if policy is not None else case_name(identifier)


def in_words(text: str) -> str:
    """Return a sentence with names in place of ids, and its numbers in the style of all others.

    >>> in_words("K5_tau0.2 against lfg_original at T=16000: -2.5%")
    'K = 5, τ = 0.2 against LFG (as published) at T = 16,000: −2.5 %'
    """
    named = _ID.sub(lambda match: name_of(match[0]), _FOLLOWED.sub(r"\1,", text))
    alone = "|".join(name for name in ("m0", *POLICIES) if "_" not in name)
    return restyled(re.sub(rf"(?<![\w.])(?:{alone})(?!\w|\.\w)", lambda m: name_of(m[0]), named))
