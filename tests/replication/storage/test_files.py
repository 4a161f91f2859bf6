"""Files are written whole or not at all."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from penalized_bandits.common.errors import WriteError
from penalized_bandits.common.files import REMEDIES, whole_file, write_text
from penalized_replication.pages.material import docs_from
from penalized_replication.storage.files import checksums_of


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


def fail(target: Path, error: BaseException) -> None:
    with whole_file(target) as temporary:
        temporary.write_text("half")
        raise error


OTHERS = [ValueError(), KeyboardInterrupt(), SystemExit(), FileExistsError(errno.EEXIST, "there")]
"""Errors that are not of the machine: they are left alone."""


@pytest.mark.parametrize("error", OTHERS)
@pytest.mark.parametrize("existed", [False, True])
def test_failure_leaves_nothing(tmp_path: Path, error: BaseException, existed: bool) -> None:
    target = tmp_path / "table.csv"
    if existed:
        target.write_text("before")
    with pytest.raises(type(error)):
        fail(target, error)
    assert [p.name for p in tmp_path.iterdir()] == ["table.csv"] * existed
    assert not existed or target.read_text() == "before"


def test_an_existing_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    own, link, new = tmp_path / "own.csv", tmp_path / "link.csv", tmp_path / "new/own.csv"
    own.touch(mode=0o640)
    link.symlink_to(own)
    (tmp_path / "dangling.csv").symlink_to(new)
    write_text(link, "whole")
    write_text(tmp_path / "dangling.csv", "made")
    assert (own.read_text(), new.read_text()) == ("whole", "made")
    assert stat.S_IMODE(own.stat().st_mode) == 0o640
    assert link.readlink() == own
    assert len(list(tmp_path.iterdir())) == 4


def test_pipes_and_devices_are_written_to(tmp_path: Path) -> None:
    for device in (os.devnull, "/dev/stdout"):
        with whole_file(device) as file:
            assert file == Path(device)
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for path in (pipe, link):
        write_text(path, "whole")
        assert os.read(reader, 100) == b"whole"
    os.close(reader)
    assert pipe.is_fifo()
    assert link.is_symlink()


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    target = tmp_path / "table.csv"
    with whole_file(target) as one, whole_file(target) as other:
        assert one != other
        one.write_text("one")
        other.write_text("other")
    assert target.read_text() == "one"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO])
def test_errors_of_the_machine_name_the_file_and_the_remedy(tmp_path: Path, code: int) -> None:
    target = tmp_path / "table.csv"
    with pytest.raises(WriteError) as error:
        fail(target, OSError(code, "as the system says"))
    assert str(error.value) == (
        f"{target}: {os.strerror(code)}; {REMEDIES[code]}, then run the same command again"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "mkdir", Mock(side_effect=OSError(errno.EROFS, "read-only", "new")))
    with pytest.raises(WriteError, match=r"^new: .*make the"):
        write_text(tmp_path / "new" / "table.csv", "x")


def test_what_a_killed_process_leaves_goes_with_the_next(tmp_path: Path) -> None:
    code = """
import os
from penalized_bandits.common.files import whole_file
with whole_file("a/table.csv") as temporary:
    temporary.write_text("half")
    os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False)
    assert done.returncode == -9
    (left,) = (tmp_path / "a").iterdir()
    write_text(tmp_path / "a/other.csv", "x")
    assert left.exists()
    write_text(tmp_path / "a/table.csv", "x")
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["other.csv", "table.csv"]


@pytest.mark.parametrize("root", ["", "paper/", ".snakemake/storage/fs/store/"])
def test_names_and_links_are_those_beside_the_results(tmp_path: Path, root: str) -> None:
    names = ["results/claims/claims.csv", "results/summaries/setting_1.csv"]
    files = [str(tmp_path / root / name) for name in names]
    for file in files:
        write_text(file, "")
    lines = checksums_of(files[::-1], tmp_path / root).splitlines()
    assert [line[64:] for line in lines] == [f"  {name}" for name in names]
    docs = {"Problem": "docs/pages/background/problem.md"}
    assert docs_from(f"{root}results/index.html", docs) == ({} if "store" in root else docs)
