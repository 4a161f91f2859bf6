"""Put the playground together: one page with its engine, theory, bandits and drawings."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup
from scipy.stats import t as student

from penalized_bandits.common.numbers import TAILS
from penalized_bandits.policies import POLICIES
from penalized_replication.config.model import BaseConfig
from penalized_replication.figures.style import look_of
from penalized_replication.pages.render import environment, written
from penalized_replication.playground import LIVE
from penalized_replication.playground.presets import GUIDE, Preset, movies, presets
from penalized_replication.playground.scripts import engine_source

TEMPLATES = Path(__file__).parent / "templates"
_scripts = partial(written, folder=TEMPLATES)


def on_dark(colour: str) -> str:
    """Return a colour (#rrggbb) half way to white, which stands out from a dark ground."""
    return f"#{bytes((part + 256) // 2 for part in bytes.fromhex(colour[1:])).hex()}"


def live_data(
    presets: Sequence[Preset] = (GUIDE,), movies: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return bandits, by default that of the reproduction page, and what they are drawn with."""
    colours = {policy: look_of(policy).colour for policy in POLICIES}
    return {
        "presets": [preset._asdict() for preset in presets],
        "movies": movies or {},
        "colours": colours,
        "first": GUIDE.id,
        "onDark": {colour: on_dark(colour) for colour in dict.fromkeys(colours.values())},
        # Student's t at the upper end of an interval, for 1, 2, ... degrees of freedom.
        "quantiles": [round(float(student.ppf(TAILS[1], n)), 4) for n in range(1, 1000)],
    }


def live_scripts() -> dict[str, str]:
    """Return what the chart of the reproduction page is made of, by the names that it knows."""
    return {
        "engine": f"{engine_source(LIVE)}\n{_scripts('theory.js')}",
        "worker": _scripts("worker.js"),
        "live": _scripts("state.js", "text.js", "chart.js", "panels.js", "live.js"),
    }


def build_playground(config: BaseConfig) -> str:
    """Return the playground as HTML, with presets of a config (`presets.PRESENTED`)."""
    template = environment(TEMPLATES).get_template("playground.html.j2")
    return template.render(
        palette=written("page.css").split("\n\n")[0],
        written=_scripts,
        engine=Markup(engine_source()),  # noqa: S704  (our own)
        data=live_data(presets(config), movies(config)),
    )
