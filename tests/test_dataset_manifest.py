from __future__ import annotations

from importlib import resources

import pytest
import yaml

from penalized_bandits.datasets.errors import DatasetConfigError
from penalized_bandits.datasets.manifest import get_dataset, load_manifest, parse_manifest


def packaged() -> dict[str, dict[str, object]]:
    path = resources.files("penalized_bandits.datasets") / "manifest.yaml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_movielens_1m_is_what_grouplens_publishes() -> None:
    dataset = get_dataset("movielens_1m")
    assert dataset.url == "https://files.grouplens.org/datasets/movielens/ml-1m.zip"
    assert dataset.md5 == "c4d9eecfca2ab87c1945afe126590906"
    assert dataset.level_values == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert dataset.published is not None
    assert dataset.published.movies_above == {2500: 13, 2000: 31, 1250: 118}
    assert dataset.bundled is not None
    assert dataset.bundled.above == 300
    assert "10.1145/2827872" in dataset.citation


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
        dataset = get_dataset(f"movielens_{release}")
        name = f"ml-{release}.zip"
        assert dataset.url == f"https://files.grouplens.org/datasets/movielens/{name}"
        assert (dataset.archive_name, dataset.title) == (name, f"MovieLens {release.upper()}")
        totals = dataset.published
        assert totals is not None
        found = (totals.n_ratings, totals.n_movies, totals.n_users)
        assert (dataset.md5, len(dataset.levels), *found) == known
        assert "10.1145/2827872" in dataset.citation
        assert dataset.title in dataset.licence
        # Nothing stands in for another data set than the paper's.
        assert (dataset.bundled is None) == (release != "1m")


def test_levels_are_whole_or_half_stars() -> None:
    for dataset in load_manifest().values():
        values = dataset.level_values
        step = 1.0 if len(values) == 5 else 0.5
        assert values == tuple(step * (i + 1) for i in range(len(values)))
    assert "5" in get_dataset("movielens_10m").levels
    assert "5.0" in get_dataset("movielens_20m").levels


def test_unknown_name_lists_the_known() -> None:
    with pytest.raises(DatasetConfigError, match=r"'netflix'.*movielens_1m"):
        get_dataset("netflix")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"licnce": "x"}, r"movielens_1m: licnce: Extra inputs"),
        ({"md5": "C4D9"}, r"movielens_1m: md5: "),
        ({"archive_name": "../x.zip"}, r"archive_name"),
        ({"levels": ["1", "3", "2"]}, r"ascend"),
        ({"levels": ["1", "1.0"]}, r"ascend"),
        ({"max_archive_bytes": 0}, r"max_archive_bytes"),
        ({"ratings": {"member": "r", "separator": ";"}}, r"ratings\.separator"),
        ({"name": "other"}, r"remove the key name"),
        (
            {
                "movies": {
                    "member": "m",
                    "separator": "::",
                    "encoding": "utf-8",
                    "fields": 3,
                    "quoted": True,
                }
            },
            r"quoted fields",
        ),
    ],
)
def test_faulty_entries_are_named(change: dict[str, object], fault: str) -> None:
    entry = packaged()["movielens_1m"] | change
    with pytest.raises(DatasetConfigError, match=fault):
        parse_manifest(yaml.safe_dump({"movielens_1m": entry}))


@pytest.mark.parametrize("text", ["a: [", "- a", "a: 1"])
def test_a_manifest_that_is_no_mapping_of_mappings(text: str) -> None:
    with pytest.raises(DatasetConfigError, match=r"m\.yaml: "):
        parse_manifest(text, "m.yaml")


def test_keys_are_names() -> None:
    assert all(name == dataset.name for name, dataset in load_manifest().items())
