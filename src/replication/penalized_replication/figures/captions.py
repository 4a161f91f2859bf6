"""Captions: ``captions/<figure>.md.j2``, or ``default.md.j2``, filled in.

A template knows the ``figure``, ``section`` and ``interpretations`` of the config, ``level`` of the
intervals, ``means`` and ``spread`` (how the means were drawn), ``replicates(table)``, and what
`caption_values` of the figure's file returns, if it has this function.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from penalized_bandits.common.numbers import WORDS
from penalized_bandits.policies import POLICIES
from penalized_replication.claims import if_declared
from penalized_replication.experiments.base import Interpretations
from penalized_replication.extensions import packages
from penalized_replication.figures import Figure
from penalized_replication.figures.base import Tables, ends_of, module_of, summary_of

# Captions are Markdown, and reStructuredText in Snakemake's report.
_MARKUP = re.compile(r"[\\`*_$<\[\]|]")


def joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def labels_of(policies: Sequence[str]) -> str:
    """Return the labels of policies as a list in a sentence, in which no letter is markup."""
    return joined([_MARKUP.sub(r"\\\g<0>", POLICIES[policy].label) for policy in policies])


def least_and_most(replicates: pd.Series) -> str:
    """Return the least and the largest number of replicates as a range in a sentence."""
    return " to ".join(dict.fromkeys(ends_of(replicates.dropna(), ",.0f")))


def caption_of(
    figure: Figure,
    tables: Tables,
    section: Mapping[str, Any],
    interpretations: Interpretations,
    end: str = "",
) -> str:
    """Return the caption of a figure as one line of Markdown, with a sentence at its end.

    ``section`` is the setting's section of the config; for a figure of the theory all sections
    behind it, by name.
    """
    # Captions are Markdown: what could be markup is escaped where it comes in (`labels_of`).
    own = packages()[figure.package] / "figures/captions"
    loader = FileSystemLoader([own, Path(__file__).parent / "captions"])
    made = Environment(loader=loader, undefined=StrictUndefined)  # noqa: S701
    made.filters |= {"thousands": "{:,}".format, "joined": joined, "labels": labels_of}
    made.filters |= {"if_declared": if_declared, "least_and_most": least_and_most}
    once = interpretations.means == "once"
    text = made.select_template([f"{figure.id}.md.j2", "default.md.j2"]).render(
        figure=figure,
        section=section,
        interpretations=interpretations,
        level=WORDS,
        means=f"means drawn {'once from U[0, 1]' if once else 'from U[0, 1] in each replicate'}",
        spread="" if once else " and drawn means",
        replicates=lambda name="summary": least_and_most(summary_of(tables, name)["n_replicates"]),
        **getattr(module_of(figure), "caption_values", lambda _: {})(tables),
    )
    others = interpretations.model_dump(exclude_defaults=True).items()
    switched = ", ".join(f"{name}: {value}" for name, value in others)
    changed = f"**Interpretations switched from their defaults: {switched}.**" if switched else ""
    return re.sub("[ \n]+", " ", f"{text} {changed} {end}").strip()
