"""What captions, the ledger, the page and the end of a run say of its config."""

from pathlib import Path
from typing import Any

from penalized_bandits.claims.ledger.tables import groups, tally
from penalized_bandits.claims.ledger.tell import config_name, warning
from penalized_bandits.claims.results import read_results
from penalized_bandits.config import BaseConfig
from penalized_bandits.experiments.base import Readings
from penalized_bandits.figures import EXTENDED_FIGURES, Figure
from penalized_bandits.figures.captions import CaptionContext
from penalized_bandits.pages.origin import changed_keys
from penalized_bandits.storage.files import read_json
from penalized_bandits.workflow.runs import readings_of, sections_of


def name_of(config: BaseConfig, papers: str) -> str:
    """Return the name that the ledger has for a config; ``papers`` is the file of the paper's."""
    return config_name(changed_keys(config, papers))


def context_of(figure: Figure, config: BaseConfig, papers: str | None) -> CaptionContext:
    """Return what the caption of a figure says of the config behind it.

    ``papers`` is the file of the paper's config, for a figure of the ledger.
    """
    experiments = config.extensions if figure.id in EXTENDED_FIGURES else figure.experiments
    sections: dict[str, Any] = sections_of(config, experiments)
    if figure.claims:
        sections["sensitivity"] = config.sensitivity.model_dump(mode="json")
    readings = readings_of(config, figure.experiments).values()
    return CaptionContext(
        sections[figure.setting] if figure.setting else sections,
        Readings.model_validate({k: v for one in readings for k, v in one.items()})
        if readings
        else config.readings,
        warning(name_of(config, papers)) if papers else "",
    )


def closing_lines(results: Path) -> list[str]:
    """Return where to look, the tally of verdicts, and what to know of the config and ratings.

    ``results`` is the folder of a finished run of the default target; empty without its page.
    """
    if not (results / "index.html").exists():
        return []
    ledger = read_results(results / "claims/claims.json")
    (title, claims), *_ = groups(ledger)
    bundled = read_json(results / "movielens/provenance.json")["source_used"] == "bundled"
    return [
        f"Open {results}/index.html (the ledger: {results}/claims/claims.md)",
        f"{title}: {tally(claims)}.",
        *filter(None, [warning(ledger[0].config)]),
        *["MovieLens was not downloaded: bundled counts of its ratings were used."] * bundled,
    ]
