"""Put the page together: read what it is made from, fill in the templates."""

import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from markupsafe import Markup

from penalized_replication.claims import CLAIMS
from penalized_replication.claims.results import ClaimResult, read_results
from penalized_replication.claims.table.tables import groups
from penalized_replication.datasets.counts import SCALES, read_counts_csv, reward_distributions
from penalized_replication.figures import EVERY_FIGURE, FIGURES, tables_of
from penalized_replication.pages import render
from penalized_replication.pages.cards import first_screens, predictions
from penalized_replication.pages.material import FIRST, Material
from penalized_replication.pages.origin import Origin
from penalized_replication.playground.page import live_data, live_scripts
from penalized_replication.storage.files import read_json
from penalized_replication.storage.tables import read_table

WHY = "regret_decomposition"  # its form of one column is in a scene, and there at once
KINDS = ("svg", "pdf", "png")
SECTIONS: dict[str, str] = yaml.safe_load(Path(__file__).with_name("sections.yaml").read_bytes())
"""What the paper says of a figure, or of the theorem behind it, in our words, by its id."""


def _label(figure: str) -> str:
    if figure in FIGURES:
        return figure.replace("_", " ").capitalize()
    return "Interpretations" if figure == "sensitivity" else "Theory"


def column_of(figure: str, material: Material, *, at_once: bool = False) -> Markup:
    """Return a figure's form of one column, packed unless it is to be there at once, if any."""
    label = f"{_label(figure)}: {EVERY_FIGURE[figure].title}, in one column"
    name, described = f"{figure}_column", f"{figure}-{'glance' if at_once else 'caption'}"
    file = material.file(name, "svg")
    return render.picture(file, label, described, "" if at_once else name) if file else Markup()


def figure_views(material: Material, results: Sequence[ClaimResult]) -> Iterator[dict[str, Any]]:
    """Yield each figure of the run, and the published one, with all that the page says of it.

    Its ``title`` is what is found, ``paper`` what the paper says of it, ``files`` has links by
    what they lead to, and ``column`` is its form for phones.
    """
    for figure, about in EVERY_FIGURE.items():
        label, files = _label(figure), {x: material.file(figure, x) for x in (*KINDS, "md")}
        if not (svg := files["svg"]) or not (text := files["md"]):
            continue
        paths = {kind.upper(): str(files[kind]) for kind in KINDS}
        for table in tables_of(about).values():
            paths[table.rpartition("/")[2]] = (material.folder / table).as_posix()
        found, rest = render.begun(text)
        yield {
            "id": figure,
            "paper": SECTIONS.get(figure, ""),
            "label": label,
            "name": about.heading,
            "title": render.caption(found.removesuffix(".")),
            "picture": render.picture(svg, f"{label}: {about.title}", f"{figure}-caption", figure),
            "caption": render.caption(rest),
            "files": {n: link for n, path in paths.items() if (link := material.link(path))},
            "column": column_of(figure, material),
            "claims": [result for result in results if result.id in about.claims],
        }


def movies_of(counts: str, m0: Sequence[int], scale: Any) -> pd.DataFrame:
    """Return counts, mean reward and panels of the arms of Setting 3, most rated first."""
    kept = read_counts_csv(Path(counts)).more_than(min(m0))
    arms = reward_distributions(kept, min(m0), scale)
    panels = {threshold: f"K = {kept.n_above(threshold)}" for threshold in sorted(m0, reverse=True)}
    return kept.table.assign(
        reward=(arms.probabilities * arms.support).sum(axis=1),
        panels=[", ".join(panels[m] for m in panels if n > m) for n in kept.table["n_ratings"]],
    )


def build_page(material: Material, origin: Origin, address: str = "") -> str:
    """Return the page of a run; the same bytes for the same material.

    ``address`` is where the folder of results is published, if it is.
    """
    scale = origin.interpretations["movielens_rewards"]
    beside, results = read_table(material.verdicts), read_results(material.claims)
    home = material.folder.parent
    arms = origin.sections.get("setting_3", {}).get("m0")
    figures = [*figure_views(material, results)]
    templates = render.environment()
    templates.filters["link"] = material.link
    # Claims name their evidence from the folder above.
    templates.filters["evidence"] = lambda path: material.link((home / path).as_posix())
    templates.globals |= {"origin": origin, "entries": CLAIMS}
    interpretations = beside.to_dict("records")
    details = templates.get_template("details.html.j2")
    bodies = {r.id: details.render(claim=r, interpretations=interpretations) for r in results}
    return templates.get_template("index.html.j2").render(
        **first_screens(results),
        material=material,
        ratings=read_json(material.ratings),
        results=results,
        groups=groups(results),
        predictions=[*predictions(results)],
        details=render.packed("claims", json.dumps(bodies, **render.JSON)),
        address=address,
        why=column_of(WHY, material, at_once=True),
        live=Markup("\n").join(render.packed(name, text) for name, text in live_scripts().items()),
        data=live_data(),
        n_changed=int(beside["changed"].sum()),
        n_pairs=len(beside),
        figures=[figure for figure in figures if figure["id"] in FIGURES],
        theory=[figure for figure in figures if figure["id"] not in FIGURES],
        crossing=column_of(FIRST, material, at_once=True),
        movies=movies_of(material.counts, arms, scale).to_dict("records") if arms else [],
        scale=SCALES[scale],
        version=version("penalized-bandits"),
        style=render.written("page.css"),
        script=render.written("page.js"),
    )
