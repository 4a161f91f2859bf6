"""Config files: YAML that is none, that names code, that never ends.

Read by the package itself; Snakemake's own reader comes first where a file is named with
``--configfile``.
"""

import tracemalloc
from pathlib import Path

import pytest
import yaml

from fuzz_helpers import BOMB, SMALL, outcome_of
from penalized_replication.common.errors import ConfigError
from penalized_replication.config import load_config

BASE = yaml.safe_dump(SMALL, sort_keys=False)
MARK = "ran"
"""A file that appears if code in a config file is run."""
RUNS = f"open('{MARK}', 'w').close()"

# What is said of each file; every one of them is refused.
BAD: dict[str, tuple[bytes, str]] = {
    "cut short": (b"seed: [1", "is not YAML"),
    "tabs": (b"setting_1:\n\treplicates: 3\n", "is not YAML"),
    "empty": (b"", "must hold keys and values, not NoneType"),
    "a key twice": (b"seed: 1\n\nseed: 2\n", ".yaml, line 3: the key 'seed' is already in line 1"),
    "a nested key twice": (b"setting_2:\n  x: 1\n  'x': 2\n", "line 3: the key 'x'"),
    "a list": (b"- seed\n", "must hold keys and values, not list"),
    "a word": (b"seed", "must hold keys and values, not str"),
    "two documents": (b"seed: 1\n---\nseed: 2\n", "is not YAML"),
    "Latin-1": (b"seed: 3 # \xe9\n", "is not UTF-8 at byte 11"),
    "UTF-16": ("seed: 3\n".encode("utf-16"), "is not UTF-8 at byte 1"),
    "NUL": (b"seed: \x00 3\n", "is not YAML"),
    "a day that is none": (b"seed: 2020-99-99\n", "is not YAML: month must be in 1..12"),
    "a tag that does not fit": (b"seed: !!int abc\n", "is not YAML"),
    "thousands of digits": (b"seed: " + b"9" * 5000, "is not YAML"),
    "a key that is a list": (b"? [a, b]\n: 1\n", "is not YAML"),
    "a key that is a number": (b"1: 2\n", "1: Keys should be strings"),
    "aliases upon aliases": (BOMB.encode(), "unknown key"),
    "aliases in a known key": (BOMB.replace("i: &i", "seed: &i").encode(), "seed: "),
    "a list in itself": (b"seed: &s [*s]\n", "seed: "),
    "a section in itself": (b"setting_1: &s {replicates: *s}\n", "setting_1.replicates: "),
    "code by a tag": (f'seed: !!python/object/apply:exec ["{RUNS}"]\n'.encode(), "is not YAML"),
    "a function by a tag": (b"seed: !!python/name:os.system\n", "is not YAML"),
    "code by a template": (
        f'__use_yte__: true\nseed: "?exec(\\"{RUNS}\\")"\n'.encode(),
        "__use_yte__: unknown key",
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of the test's own, with the valid config in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    return tmp_path


def said_of(data: bytes) -> str | None:
    """Return what is said of a file; None if it is taken."""
    Path("mine.yaml").write_bytes(data)
    return outcome_of(lambda: load_config("base.yaml", "mine.yaml"), ConfigError)[1]


@pytest.mark.parametrize("name", BAD)
def test_bad_files(folder: Path, name: str) -> None:
    data, words = BAD[name]
    tracemalloc.start()
    said = said_of(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6
    assert said is not None
    assert words in said
    assert len(said) < 10_000
    if words.startswith(("is not", "must")):
        assert said.startswith("mine.yaml ")
    assert not (folder / MARK).exists()


def test_files_that_are_not_there(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml cannot be read: No such file"):
        load_config("base.yaml", "none.yaml")
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load_config(folder)
