"""What captions, the ledger and the page say of a run's config."""

from typing import Any

from penalized_bandits.claims.ledger.tell import config_name, warning_on
from penalized_bandits.config import BaseConfig
from penalized_bandits.experiments.base import Readings
from penalized_bandits.figures import EXTENDED_FIGURES, Figure
from penalized_bandits.figures.captions import CaptionContext
from penalized_bandits.pages.origin import changed_keys
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
        warning_on(name_of(config, papers)) if papers else "",
    )
