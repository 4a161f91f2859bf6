"""Put the page together: read what it is made from, fill in the templates."""

from importlib.metadata import version
from pathlib import Path

from penalized_bandits.claims.results import read_results
from penalized_bandits.claims.sensitivity import undecided_on_few
from penalized_bandits.config import BaseConfig
from penalized_bandits.figures import ALL_FIGURES, FIGURES
from penalized_bandits.pages.cards import cards, crossover, finding
from penalized_bandits.pages.charts import RATED, Tables, bundle, movies_of
from penalized_bandits.pages.figures import FIRST, column_of, figure_view
from penalized_bandits.pages.material import Material
from penalized_bandits.pages.origin import origin_of
from penalized_bandits.pages.predictions import predictions
from penalized_bandits.pages.render import environment, written
from penalized_bandits.pages.verdicts import STATUSES, VERDICTS, counts, tables, views
from penalized_bandits.storage.files import read_json
from penalized_bandits.storage.summaries import read_table


def build_page(material: Material, config: BaseConfig) -> str:
    """Return the page of a run with a config as HTML, the same bytes for the same material.

    Raises PageError if material is missing or does not fit together.
    """
    ratings = read_json(material.ratings)
    origin = origin_of(config, ratings, material.config)
    sensitivity = read_table(material.sensitivity, {"value": str})

    def link(path: str) -> str | None:
        # Claims name their evidence as seen from the folder that the results are in.
        return material.link((material.folder.parent / path).as_posix())

    results = read_results(material.claims)
    claims = views(results, sensitivity, origin.replicates, link)
    papers = [claim for claim in claims if claim.result.asked_by == "the paper"]
    charted = Tables(
        counts=material.counts,
        by_name={Path(p).stem: p for p in material.tables if p.endswith(".csv")},
        m0=tuple(origin.sections[RATED]["m0"]),
        reading=origin.readings["movielens_rewards"],
    )
    figures = [figure_view(name, material, claims, charted) for name in ALL_FIGURES]
    templates = environment()
    templates.filters |= {"link": material.link, "counts": counts}
    return templates.get_template("index.html.j2").render(
        material=material,
        origin=origin,
        ratings=ratings,
        groups=tables(claims),
        cards=cards(papers, other_config=bool(origin.changes)),
        crossover=crossover(results),
        finding=finding(results, other_config=bool(origin.changes)),
        predictions=predictions(results),
        verdicts=counts(claims),
        badges=VERDICTS,
        statuses=STATUSES,
        n_changed=int((sensitivity["verdict"] != sensitivity["default_verdict"]).sum()),
        n_readings=len(sensitivity),
        n_few=len(undecided_on_few(sensitivity)),
        figures=[figure for figure in figures if figure["id"] in FIGURES],
        theory=[figure for figure in figures if figure["id"] not in FIGURES],
        first=column_of(FIRST, material),
        movies=movies_of(charted),
        version=version("penalized-bandits"),
        style=written("page.css"),
        script=written("page.js"),
        bundle=bundle(),
    )
