"""The manifest, and small archives in the layout of each MovieLens release."""

from pathlib import Path

import pytest

from datasets_helpers import assert_nothing_left, body, loopback, obtain
from penalized_bandits.datasets.errors import (
    ArchiveError,
    ChecksumError,
    CountsMismatchError,
    RatingsFormatError,
)
from penalized_bandits.datasets.manifest import load_manifest
from penalized_bandits.datasets.movielens import read_rating_counts
from releases import (
    NAMES,
    RELEASES,
    check_counts,
    entry_for,
    movies_file,
    ratings_file,
    ratings_like,
    write_release,
)

# --- The manifest -------------------------------------------------------------------

PUBLISHED = {
    "100k": ("0e33842e24a9c977be4e0107933c0723", 5, 100_000, 1_682, 943),
    "1m": ("c4d9eecfca2ab87c1945afe126590906", 5, 1_000_209, 3_706, 6_040),
    "10m": ("ce571fd55effeba0271552578f2648bd", 10, 10_000_054, 10_677, 69_878),
    "20m": ("cd245b17a1ae2cc31bb14903e1204af3", 10, 20_000_263, 26_744, 138_493),
    "25m": ("6b51fb2759a8657d3bfcbfc42b592ada", 10, 25_000_095, 59_047, 162_541),
    "32m": ("d472be332d4daa821edc399621853b57", 10, 32_000_204, 84_432, 200_948),
}
"""Of each release: MD5 of the archive, levels, ratings, movies and users with ratings."""


def test_releases_are_what_grouplens_publishes() -> None:
    assert set(load_manifest()) == {f"movielens_{release}" for release in PUBLISHED}
    for release, known in PUBLISHED.items():
        dataset = load_manifest()[f"movielens_{release}"]
        name = f"ml-{release}.zip"
        assert dataset.name == f"movielens_{release}"
        assert dataset.url == f"https://files.grouplens.org/datasets/movielens/{name}"
        assert (dataset.archive_name, dataset.title) == (name, f"MovieLens {release.upper()}")
        totals = dataset.published
        assert totals is not None
        found = (totals.n_ratings, totals.n_movies, totals.n_users)
        assert (dataset.md5, len(dataset.levels), *found) == known
        assert "10.1145/2827872" in dataset.citation
        assert dataset.title in dataset.licence
        step = 10 / len(dataset.levels) / 2
        assert dataset.level_values == tuple(step * (i + 1) for i in range(len(dataset.levels)))
        assert dataset.max_archive_bytes <= dataset.max_member_bytes <= 3 << 29
        # Nothing stands in for another data set than the paper's.
        assert (dataset.bundled is None) == (release != "1m")
    papers = load_manifest()["movielens_1m"]
    assert papers.bundled is not None
    assert papers.bundled.above == 300
    assert papers.published is not None
    assert papers.published.movies_above == {2500: 13, 2000: 31, 1250: 118}


# --- Archives -----------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_release_is_downloaded_checked_and_counted(name: str, tmp_path: Path) -> None:
    frame = ratings_like(name)
    path = write_release(tmp_path / "small.zip", name, frame)
    data = path.read_bytes()
    entry = entry_for(name, data, frame)
    with loopback() as server:
        url = server.serve("/changed.zip", body(data + b"\0"))
        # There is nothing bundled to fall back on, and nothing of the kind is advised.
        advice = rf"{entry.md5}.*no counts of {entry.title} are bundled: get {entry.archive_name}"
        with pytest.raises(ChecksumError, match=advice) as caught:
            obtain("auto", entry, tmp_path, url=url)
        assert "`bundled`" not in str(caught.value)
        assert_nothing_left(tmp_path / "cache" / entry.archive_name)
        url = server.serve("/small.zip", body(data))
        counts, record = obtain("auto", entry, tmp_path, url=url)
    check_counts(name, frame, counts)
    assert (record.dataset, record.title) == (name, load_manifest()[name].title)
    assert (record.source_used, record.bundled_check) == ("download", "not applicable")
    assert record.md5_matches_published
    assert record.n_ratings_total == len(frame)
    # A part of a release is not taken for it.
    whole = {"n_ratings": len(frame) + 1, "n_movies": 4, "n_users": 60}
    entry = entry_for(name, data, frame, published=whole)
    with pytest.raises(CountsMismatchError, match=f"{len(frame)} ratings; .* as in {entry.title}"):
        obtain("archive", entry, tmp_path, archive=str(path))
    with pytest.raises(ArchiveError, match=r"bytes uncompressed; expected at most 100"):
        read_rating_counts(path, entry.model_copy(update={"max_member_bytes": 100}))


FAULTS = [
    ("movielens_20m", b"", "4", r"line 19: rating b'4'; expected one of 0\.5, 1\.0"),
    ("movielens_20m", b"1::1::5::0\n", None, "line 1: expected the header 'userId,movieId"),
    ("movielens_10m", b"", "4.0", r"line 18: rating b'4\.0'; expected one of 0\.5, 1, 1\.5"),
    ("movielens_10m", b"1\t1\t5\t0\n", None, "line 1: 1 fields; expected 4"),
    ("movielens_100k", b"", "3.5", r"line 18: rating b'3\.5'; expected one of 1, 2, 3"),
    ("movielens_100k", b"userId,movieId,rating,timestamp\n", None, "line 1: 1 fields; expected 4"),
]


@pytest.mark.parametrize(("name", "start", "level", "fault"), FAULTS)
def test_ratings_of_another_layout(
    name: str, start: bytes, level: str | None, fault: str, tmp_path: Path
) -> None:
    frame = ratings_like(name)
    if level is not None:
        frame.loc[17, "level"] = level
    path = tmp_path / "small.zip"
    write_release(path, name, frame, start + ratings_file(name, frame))
    with pytest.raises(RatingsFormatError, match=rf"{RELEASES[name].ratings}: {fault}"):
        read_rating_counts(path, load_manifest()[name])


@pytest.mark.parametrize("name", ["movielens_100k", "movielens_10m", "movielens_20m"])
def test_movies_of_another_layout(name: str, tmp_path: Path) -> None:
    frame = ratings_like(name)
    path = tmp_path / "small.zip"
    for other in {"movielens_100k", "movielens_10m", "movielens_20m"} - {name}:
        write_release(path, name, frame, movies=movies_file(other))
        place = rf"small\.zip: {RELEASES[name].movies}: line [12]: "
        with pytest.raises(RatingsFormatError, match=place):
            read_rating_counts(path, load_manifest()[name])
    right = RELEASES[name].encoding
    wrong = {"utf-8": "latin-1", "latin-1": "utf-8"}[right]
    recoded = movies_file(name).decode(right).encode(wrong, errors="replace")
    write_release(path, name, frame, movies=recoded)
    with pytest.raises(RatingsFormatError, match=r"line \d+: (not UTF-8|UTF-8; expected Latin-1)"):
        read_rating_counts(path, load_manifest()[name])


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("movieId", "Id"), r"line 1: expected the header 'movieId,title,genres', got 'Id,"),
        ((",M (1931)", ',"M" b'), r"line 4: ',' expected"),
        ((",M (1931)", ",M\rx"), r"line 4: new-line character"),
        ((",M (1931)", ""), r"line 4: 2 fields; expected 3"),
        ((",M (1931)", ',"M\r\n(1931)"'), r"line 5: title 'M\\n"),
    ],
)
def test_faults_of_quoted_titles(change: tuple[str, str], fault: str, tmp_path: Path) -> None:
    name = "movielens_25m"
    movies = movies_file(name).decode().replace(*change).encode()
    path = write_release(tmp_path / "small.zip", name, ratings_like(name), movies=movies)
    with pytest.raises(RatingsFormatError, match=rf"movies\.csv: {fault}"):
        read_rating_counts(path, load_manifest()[name])
