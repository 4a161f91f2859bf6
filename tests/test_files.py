"""Files are written whole or not at all."""

import stat
from pathlib import Path

import pytest

from penalized_bandits.files import whole_file


def test_success(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder" / "table.csv"
    with whole_file(target) as temporary:
        assert temporary.parent == target.parent
        assert temporary.suffix == ".csv"
        temporary.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"
    assert list(target.parent.iterdir()) == [target]
    # Readable for others, unlike temporary files.
    assert stat.S_IMODE(target.stat().st_mode) == 0o644


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("existed", [False, True])
def test_failure_leaves_nothing_behind(
    tmp_path: Path, error: type[BaseException], existed: bool
) -> None:
    target = tmp_path / "table.csv"
    if existed:
        target.write_text("before")

    def write() -> None:
        with whole_file(target) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        write()
    assert [p.name for p in tmp_path.iterdir()] == ["table.csv"] * existed
    assert not existed or target.read_text() == "before"


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    target = tmp_path / "table.csv"
    with whole_file(target) as one, whole_file(target) as other:
        assert one != other
        one.write_text("one")
        other.write_text("other")
    assert target.read_text() == "one"
    assert list(tmp_path.iterdir()) == [target]
