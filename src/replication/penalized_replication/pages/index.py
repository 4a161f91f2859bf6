"""Put the page together: read what it is made from, fill in the templates."""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml
from markupsafe import Markup

from penalized_bandits.statistics.estimates import student
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.results import ClaimResult, read_results
from penalized_replication.claims.table.tables import groups, tally
from penalized_replication.common.section import leaves
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.figures import EVERY_FIGURE, FIGURES, tables_of
from penalized_replication.pages import render
from penalized_replication.pages.first import first_screen
from penalized_replication.pages.material import FIRST, WHY, Material
from penalized_replication.playground import LIVE, page
from penalized_replication.playground.scripts import engine_source
from penalized_replication.storage.files import read_json
from penalized_replication.storage.tables import read_table

KINDS = ("svg", "pdf", "png")
SECTIONS: dict[str, str] = yaml.safe_load(Path(__file__).with_name("sections.yaml").read_bytes())
"""What the paper says of a figure, or of the theorem behind it, in our words, by its id."""


def _label(figure: str) -> str:
    if figure in FIGURES:
        return figure.replace("_", " ").capitalize()
    return "Interpretations" if figure == "sensitivity" else "Theory"


def _finding(figure: str, material: Material) -> str:
    """Return the alternative text of a figure: what its caption begins with."""
    text = material.file(figure, "md")
    return f"{_label(figure)}: {render.begun(text)[0] if text else EVERY_FIGURE[figure].title}"


def column_of(figure: str, material: Material, *, at_once: bool = False) -> Markup:
    """Return a figure's form of one column, packed unless it is to be there at once, if any."""
    label = _finding(figure, material)
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
        # A scene has the last one.
        if not (svg := files["svg"]) or not (text := files["md"]) or figure == WHY:
            continue
        paths = {kind.upper(): str(files[kind]) for kind in KINDS}
        for table in tables_of(about).values():
            paths[table.rpartition("/")[2]] = (material.folder / table).as_posix()
        found, rest = render.begun(text)
        yield {
            "id": figure,
            "paper": SECTIONS.get(figure, ""),
            "label": label,
            "name": about.heading.split(",")[0],
            "title": render.caption(found.removesuffix(".")),
            "picture": render.picture(svg, _finding(figure, material), f"{figure}-caption", figure),
            "caption": render.caption(rest),
            "files": {n: link for n, path in paths.items() if (link := material.link(path))},
            "column": column_of(figure, material),
            "claims": [one for one in results if one.id in about.claims and not one.repeats],
        }


def build_page(material: Material, origin: Mapping[str, Any], address: str = "") -> str:
    """Return the page of a run; the same bytes for the same material.

    ``origin`` is how the results were made: the ``seed``, ``interpretations`` and ``sections`` of
    the config, its ``changes`` from the replication's own, and the replicates of this, ``papers``.
    ``address`` is where the folder of results is published, if it is.
    """
    beside, results = read_table(material.verdicts), read_results(material.claims)
    home = material.folder.parent
    templates = render.environment()
    templates.filters["link"] = material.link
    # Claims name their evidence from the folder above.
    templates.filters["evidence"] = lambda path: material.link((home / path).as_posix())
    templates.globals |= {"origin": origin, "entries": CLAIMS, "titles": EXPERIMENTS}
    templates.globals["changed_keys"] = [key for key, _ in leaves(origin["changes"])]
    interpretations = beside.to_dict("records")
    details = templates.get_template("details.html.j2")
    bodies = {r.id: details.render(claim=r, interpretations=interpretations) for r in results}
    played = render.written("theory.js", "worker.js", folder=page.TEMPLATES)
    state = {**page.GUIDE.state, "quantile": student(page.GUIDE.state["replicates"])}
    state |= {"experiment": "playground", "instance": f"playground_T{state['horizon']}"}
    form = {"sort_keys": False, "allow_unicode": True, "default_flow_style": None}
    return templates.get_template("index.html.j2").render(
        **first_screen(material, results),
        material=material,
        ratings=read_json(material.ratings),
        groups=groups(results),
        tally=tally,
        results=results,
        details=render.packed("claims", json.dumps(bodies, **render.JSON)),
        address=address,
        decomposition=column_of(WHY, material, at_once=True),
        worker=render.packed("worker", f"{engine_source(LIVE)}\n{played}"),
        state=state,
        changes=yaml.safe_dump(origin["changes"], **form),
        n_changed=int(beside["changed"].sum()),
        n_pairs=len(beside),
        figures=[*figure_views(material, results)],
        crossing=column_of(FIRST, material, at_once=True),
        version=version("penalized-bandits"),
        style=render.written("page.css"),
        script=render.written("chart.js", "page.js"),
    )
