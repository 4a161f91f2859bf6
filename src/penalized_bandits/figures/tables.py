"""The tables that figures are drawn from."""

from penalized_bandits.experiments.catalogue import SETTINGS
from penalized_bandits.figures import Figure


def tables_of(figure: Figure) -> dict[str, str]:
    """Return a figure's tables, paths below ``results/``, by the names that its code knows."""
    tables: dict[str, str] = {}
    if figure.setting:
        tables["summary"] = f"summaries/{figure.setting}.csv"
        if SETTINGS[figure.setting].has_frontier:
            tables["frontier"] = f"summaries/{figure.setting}_frontier.csv"
        if SETTINGS[figure.setting].needs_ratings:
            tables["provenance"] = "movielens/provenance.json"
    tables |= {study: f"summaries/{study}.csv" for study in figure.studies}
    tables |= {name: f"claims/{name}.csv" for name in figure.claims}
    tables |= {f"{topic}_claims": f"claims/measured/{topic}.json" for topic in figure.topics}
    return tables | {name: f"extended/{name}.csv" for name in figure.tables}
