"""Small archives in the layout of each MovieLens release, read as the manifest says."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from datasets_helpers import (
    assert_nothing_left,
    body,
    closed_port,
    loopback,
    make_archive,
    md5_of,
    obtain,
)
from penalized_bandits.datasets.counts import reward_distributions
from penalized_bandits.datasets.errors import (
    ArchiveError,
    ChecksumError,
    CountsMismatchError,
    DownloadRefusedError,
    NetworkUnreachableError,
    RatingsFormatError,
)
from penalized_bandits.datasets.manifest import Dataset, get_dataset
from penalized_bandits.datasets.movielens import read_rating_counts

if TYPE_CHECKING:
    from pathlib import Path

    from penalized_bandits.datasets.counts import RatingCounts

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


def ratings_like(name: str, *, n_users: int = 60, seed: int = 5) -> pd.DataFrame:
    """Draw ratings: user, movie (by its place in the list), level as the file spells it."""
    rng = np.random.default_rng(seed)
    release = RELEASES[name]
    n_movies = len(release.titles) - 1  # nobody rates the last one
    pairs = [(u, m) for u in range(1, n_users + 1) for m in range(n_movies) if rng.random() < 0.7]
    frame = pd.DataFrame(pairs, columns=["user", "movie"])
    frame["level"] = rng.choice(release.levels, size=len(frame))
    if name == "movielens_100k":  # the one release that is not ordered by user
        frame = frame.sample(frac=1, random_state=seed)
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
    return Dataset.model_validate({**get_dataset(name).model_dump(), **known})


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


@pytest.mark.parametrize("name", NAMES)
def test_a_release_is_downloaded_checked_and_counted(name: str, tmp_path: Path) -> None:
    frame = ratings_like(name)
    data = write_release(tmp_path / "small.zip", name, frame).read_bytes()
    entry = entry_for(name, data, frame)
    with loopback() as server:
        url = server.serve("/small.zip", body(data))
        counts, record = obtain("auto", entry, tmp_path, url=url)
        again, cached = obtain("auto", entry, tmp_path, url=url)
    check_counts(name, frame, counts)
    check_counts(name, frame, again)
    assert server.asked == ["/small.zip"]
    assert cached.from_cache
    assert (record.dataset, record.source_used) == (name, "download")
    assert record.title == get_dataset(name).title
    assert record.md5_matches_published
    assert record.n_ratings_total == len(frame)
    assert record.bundled_check == "not applicable"


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_archive_is_refused(name: str, tmp_path: Path) -> None:
    frame = ratings_like(name)
    data = write_release(tmp_path / "small.zip", name, frame).read_bytes()
    entry = entry_for(name, data, frame)
    with loopback() as server:
        url = server.serve("/small.zip", body(data + b"\0"))
        with pytest.raises(ChecksumError, match=entry.md5) as caught:
            obtain("auto", entry, tmp_path, url=url)
    # There is nothing bundled to fall back on, and nothing of the kind is advised.
    assert "`bundled`" not in str(caught.value)
    assert f"no counts of {entry.title} are bundled" in str(caught.value)
    assert f"get {entry.archive_name} in another way" in str(caught.value)
    assert_nothing_left(tmp_path / "cache" / entry.archive_name)


@pytest.mark.parametrize("source", ["auto", "download"])
@pytest.mark.parametrize("name", NAMES)
def test_without_a_network_nothing_stands_in(name: str, source: str, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{closed_port()}/{name}.zip"
    with pytest.raises(NetworkUnreachableError) as caught:
        obtain(source, get_dataset(name), tmp_path, url=url)
    for text in (url, get_dataset(name).archive_name, "`archive`", "movielens.archive"):
        assert text in str(caught.value)


def test_a_refused_download_names_the_remedy(tmp_path: Path) -> None:
    with loopback() as server:
        url = server.serve("/gone.zip", body(b"", status=404))
        with pytest.raises(DownloadRefusedError, match=r"404.*get ml-25m\.zip in another way"):
            obtain("auto", get_dataset("movielens_25m"), tmp_path, url=url)


def test_large_archives_get_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bounds: dict[str, float] = {}

    def note(url: str, *_: object, total_timeout_s: float, **__: object) -> None:
        bounds[url.rsplit("/", 1)[-1]] = total_timeout_s
        raise NetworkUnreachableError(url)

    monkeypatch.setattr("penalized_bandits.datasets.obtain.download", note)
    for name in ("movielens_1m", "movielens_32m"):
        with pytest.raises(NetworkUnreachableError):
            obtain("download", get_dataset(name), tmp_path)
    assert bounds["ml-1m.zip"] == 900
    # Its 239 MB take 3,200 s at 75 kB a second.
    assert 3600 < bounds["ml-32m.zip"] < 7200


@pytest.mark.parametrize("name", NAMES)
def test_a_part_of_a_release_is_not_taken_for_it(name: str, tmp_path: Path) -> None:
    frame = ratings_like(name)
    path = write_release(tmp_path / "small.zip", name, frame)
    whole = {"n_ratings": len(frame) + 1, "n_movies": 4, "n_users": 60}
    entry = entry_for(name, path.read_bytes(), frame, published=whole)
    with pytest.raises(CountsMismatchError, match=f"{len(frame)} ratings; .* as in {entry.title}"):
        obtain("archive", entry, tmp_path, archive_path=path)


@pytest.mark.parametrize("name", NAMES)
def test_limits_hold_for_each_release(name: str, tmp_path: Path) -> None:
    frame = ratings_like(name)
    path = write_release(tmp_path / "small.zip", name, frame)
    entry = entry_for(name, path.read_bytes(), frame, max_member_bytes=100)
    with pytest.raises(ArchiveError, match=r"bytes or more uncompressed; expected at most 100"):
        read_rating_counts(path, entry)
    real = get_dataset(name)
    assert real.max_archive_bytes < real.max_member_bytes + 1 <= 3 << 29


@pytest.mark.parametrize("name", NAMES)
def test_rewards_are_on_the_scale_of_the_release(name: str, tmp_path: Path) -> None:
    frame = ratings_like(name)
    counts = read_rating_counts(
        write_release(tmp_path / "small.zip", name, frame), get_dataset(name)
    )
    levels = [float(level) for level in RELEASES[name].levels]
    expected = by_pandas(name, frame)
    for scale, rewards in (
        ("unit", [(x - levels[0]) / (5 - levels[0]) for x in levels]),
        ("fraction", [x / 5 for x in levels]),
    ):
        laws = reward_distributions(counts, 0, scale)  # pyright: ignore[reportArgumentType]
        assert laws.support.tolist() == pytest.approx(rewards)
        assert laws.support[-1] == 1
        means = pd.Series(laws.probabilities @ laws.support, index=laws.item_ids)
        wanted = expected.to_numpy() @ rewards / expected.sum(axis=1).to_numpy()
        assert means[expected.index].tolist() == pytest.approx(wanted.tolist())


CSV = [name for name in NAMES if RELEASES[name].separator == ","]
FAULTS = [
    *((name, b"", "4", r"line \d+: rating b'4'; expected one of 0\.5, 1\.0") for name in CSV),
    *((name, b"1,1,5.0,0\n", None, "line 1: expected the header 'userId,movieId") for name in CSV),
    *((name, b"1::1::5::0\n", None, "line 1: expected the header") for name in CSV),
    ("movielens_10m", b"", "4.0", r"line \d+: rating b'4\.0'; expected one of 0\.5, 1, 1\.5"),
    ("movielens_10m", b"1\t1\t5\t0\n", None, "line 1: 1 fields; expected 4"),
    ("movielens_10m", b"userId,movieId,rating,timestamp\n", None, "line 1: 1 fields; expected 4"),
    ("movielens_100k", b"", "3.5", r"line \d+: rating b'3\.5'; expected one of 1, 2, 3"),
    ("movielens_100k", b"1::1::5::0\n", None, "line 1: 1 fields; expected 4"),
]


@pytest.mark.parametrize(("name", "start", "level", "fault"), FAULTS)
def test_ratings_of_another_layout(
    name: str, start: bytes, level: str | None, fault: str, tmp_path: Path
) -> None:
    frame = ratings_like(name)
    if level is not None:
        frame.loc[17, "level"] = level
        fault = fault.replace(r"\d+", "19" if name in CSV else "18")
    path = tmp_path / "small.zip"
    write_release(path, name, frame, start + ratings_file(name, frame))
    place = rf"small\.zip: {RELEASES[name].ratings}: "
    with pytest.raises(RatingsFormatError, match=place + fault):
        read_rating_counts(path, get_dataset(name))


@pytest.mark.parametrize("name", NAMES)
def test_movies_of_another_layout(name: str, tmp_path: Path) -> None:
    frame = ratings_like(name)
    path = tmp_path / "small.zip"
    for other in NAMES:
        if movies_file(other) == movies_file(name):
            continue
        write_release(path, name, frame, movies=movies_file(other))
        place = rf"small\.zip: {RELEASES[name].movies}: line [12]: "
        with pytest.raises(RatingsFormatError, match=place):
            read_rating_counts(path, get_dataset(name))
    right = RELEASES[name].encoding
    wrong = {"utf-8": "latin-1", "latin-1": "utf-8"}[right]
    text = movies_file("movielens_100k" if right == "latin-1" else name).decode(right)
    write_release(path, name, frame, movies=text.encode(wrong, errors="replace"))
    with pytest.raises(RatingsFormatError, match=r"line \d+: (not UTF-8|UTF-8; expected Latin-1)"):
        read_rating_counts(path, get_dataset(name))


@pytest.mark.parametrize("name", NAMES)
def test_an_archive_of_another_release(name: str, tmp_path: Path) -> None:
    other = "movielens_10m" if name != "movielens_10m" else "movielens_20m"
    path = write_release(tmp_path / "small.zip", other, ratings_like(other))
    with pytest.raises(ArchiveError, match=f"{RELEASES[name].movies}: no such member"):
        read_rating_counts(path, get_dataset(name))
