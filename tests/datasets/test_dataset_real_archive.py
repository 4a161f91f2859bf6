"""The real ratings, where a copy of the archive lies beside the repository."""

import re
from pathlib import Path

import numpy as np
import pytest

from penalized_bandits.datasets.bundle import BUNDLED_FOLDER, main
from penalized_bandits.datasets.counts import RatingCounts, reward_distributions
from penalized_bandits.datasets.manifest import load_manifest
from penalized_bandits.datasets.movielens import read_rating_counts

ARCHIVE = Path(__file__).parents[3] / "shared" / "movielens-1m" / "ml-1m.zip"
DATASET = load_manifest()["movielens_1m"]

pytestmark = pytest.mark.skipif(
    not ARCHIVE.is_file(), reason="no copy of ml-1m.zip beside the repository"
)


@pytest.fixture(scope="module")
def counts() -> RatingCounts:
    return read_rating_counts(ARCHIVE, DATASET)


def test_totals_and_numbers_of_movies_are_the_papers(counts: RatingCounts) -> None:
    assert (counts.n_ratings, counts.n_users, len(counts.table)) == (1_000_209, 6_040, 3_706)
    levels = counts.table[counts.count_columns].sum().tolist()
    assert levels == [56_174, 107_557, 261_197, 348_971, 226_310]
    assert [counts.n_above(m0) for m0 in (2500, 2000, 1250)] == [13, 31, 118]
    titles = counts.table.set_index("movie_id")["title"]
    assert titles.loc[73] == "Misérables, Les (1995)"


def test_most_rated_movie(counts: RatingCounts) -> None:
    found = reward_distributions(counts, 2500)
    assert found.titles[0] == "American Beauty (1999)"
    assert counts.table[["movie_id", "n_ratings"]].iloc[0].tolist() == [2858, 3_428]
    assert found.probabilities[0] @ (1 + 4 * found.support) == pytest.approx(4.317386, abs=5e-7)
    assert found.probabilities.shape == (13, 5)
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1, rtol=0, atol=1e-15)


def test_bundled_counts_are_regenerated_byte_by_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "again.csv"
    assert main([str(ARCHIVE), "--output", str(output)]) == 0
    assert output.read_bytes() == (BUNDLED_FOLDER / "movielens_1m_counts.csv").read_bytes()
    assert "1053 movies, 764169 ratings" in capsys.readouterr().out


def test_bundling_something_else_fails_without_writing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "again.csv"
    assert main([str(tmp_path / "no.zip"), "--output", str(output)]) == 2
    assert re.search(r"error: .*no\.zip: no such file", capsys.readouterr().err)
    half = tmp_path / "half.zip"
    half.write_bytes(ARCHIVE.read_bytes()[: ARCHIVE.stat().st_size // 2])
    assert main([str(half), "--output", str(output)]) == 2
    assert not output.exists()
