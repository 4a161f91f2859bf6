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
    assert dataset.bundled.above == 1250
    assert "10.1145/2827872" in dataset.citation


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
