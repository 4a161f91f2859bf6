"""Small archives in the layout of each MovieLens release."""

import csv
import io
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from datasets_helpers import make_archive, md5_of
from penalized_bandits.datasets.counts import RatingCounts
from penalized_bandits.datasets.manifest import Dataset, load_manifest

HALF_STARS = ["0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4", "4.5", "5"]


class Release(NamedTuple):
    """How a release is written, as its README says; not as the manifest does."""

    ratings: str
    movies: str
    separator: str
    levels: list[str]
    titles: list[str]
    encoding: str = "utf-8"


TITLES = ["Amélie (2001)", "Toy Story, The (1995)", "M (1931)", 'Say "Yes", Léon!', "Éowyn & Co"]
WIDE = [*TITLES, "Ran 乱 (1985)", "Сталкер (1979)"]
RELEASES = {
    "movielens_100k": Release(
        "ml-100k/u.data", "ml-100k/u.item", "\t", list("12345"), TITLES, "latin-1"
    ),
    "movielens_10m": Release(
        "ml-10M100K/ratings.dat", "ml-10M100K/movies.dat", "::", HALF_STARS, WIDE
    ),
    **{
        f"movielens_{size}m": Release(
            f"ml-{size}m/ratings.csv",
            f"ml-{size}m/movies.csv",
            ",",
            [f"{float(level):.1f}" for level in HALF_STARS],
            WIDE,
        )
        for size in (20, 25, 32)
    },
}
NAMES = list(RELEASES)


def ratings_like(name: str, *, n_users: int = 60) -> pd.DataFrame:
    """Draw ratings: user, movie (by its place in the list), level as the file spells it."""
    rng = np.random.default_rng(5)
    release = RELEASES[name]
    n_movies = len(release.titles) - 1  # nobody rates the last one
    pairs = [(u, m) for u in range(1, n_users + 1) for m in range(n_movies) if rng.random() < 0.7]
    frame = pd.DataFrame(pairs, columns=["user", "movie"])
    frame["level"] = rng.choice(release.levels, size=len(frame))
    if name == "movielens_100k":  # the one release that is not ordered by user
        frame = frame.sample(frac=1, random_state=5)
    return frame.reset_index(drop=True)


def ids_of(name: str) -> list[int]:
    """Movie ids, with gaps and in no order."""
    return [(7 * place + 3) % 11 + 1 for place in range(len(RELEASES[name].titles))]


def ratings_file(name: str, frame: pd.DataFrame) -> bytes:
    release, ids = RELEASES[name], ids_of(name)
    lines = [
        release.separator.join([str(user), str(ids[movie]), level, "978300760"])
        for user, movie, level in frame.itertuples(index=False)
    ]
    head = ["userId,movieId,rating,timestamp"] if release.separator == "," else []
    return "".join(f"{line}\n" for line in [*head, *lines]).encode()


def movies_file(name: str) -> bytes:
    release = RELEASES[name]
    movies = list(zip(ids_of(name), release.titles, strict=True))
    if release.separator == ",":
        text = io.StringIO(newline="")
        rows = [["movieId", "title", "genres"], *([i, title, "Drama|War"] for i, title in movies)]
        csv.writer(text).writerows(rows)
        return text.getvalue().encode()
    genres = "|".join("01" * 9 + "0")
    lines = [
        f"{i}|{title}|01-Jan-1995||http://example.org/|{genres}\n"
        if release.movies.endswith("u.item")
        else f"{i}::{title}::Drama|War\n"
        for i, title in movies
    ]
    return "".join(lines).encode(release.encoding)


def write_release(
    path: Path, name: str, frame: pd.DataFrame, ratings: bytes | None = None, **more: bytes
) -> Path:
    release = RELEASES[name]
    members = {
        release.ratings: ratings_file(name, frame) if ratings is None else ratings,
        release.movies: more.get("movies", movies_file(name)),
        release.ratings.split("/")[0] + "/README": b"not read",
    }
    return make_archive(path, None, None, members=members)


def entry_for(name: str, archive: bytes, frame: pd.DataFrame, **changes: Any) -> Dataset:
    """The manifest's entry, with checksum and totals of the small archive."""
    published = {
        "n_ratings": len(frame),
        "n_movies": int(frame["movie"].nunique()),
        "n_users": int(frame["user"].nunique()),
    }
    known = {"md5": md5_of(archive), "published": published, **changes}
    return Dataset.model_validate({**load_manifest()[name].model_dump(), **known})


def by_pandas(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Counts of each rating, one row for each rated movie, by its id."""
    values = frame["level"].astype(float)
    table = pd.crosstab(frame["movie"].map(dict(enumerate(ids_of(name)))), values)
    return table.reindex(columns=[float(x) for x in RELEASES[name].levels], fill_value=0)


def check_counts(name: str, frame: pd.DataFrame, counts: RatingCounts) -> None:
    expected = by_pandas(name, frame)
    found = counts.table.set_index("movie_id").sort_index()
    assert found.index.tolist() == expected.index.tolist()
    assert found[counts.count_columns].to_numpy().tolist() == expected.to_numpy().tolist()
    titles = dict(zip(ids_of(name), RELEASES[name].titles, strict=True))
    assert found["title"].tolist() == [titles[i] for i in expected.index]
    assert counts.levels == tuple(expected.columns)
    assert counts.n_users == frame["user"].nunique()
