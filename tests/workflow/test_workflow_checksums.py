"""The checksums of the results, and the command that checks all of them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from chaos_helpers import flip_bit
from penalized_bandits.storage.origins import SUFFIX, read_origin
from workflow_helpers import (
    CHECKSUMS,
    EXPERIMENTS,
    LEDGER,
    RATINGS,
    SENSITIVITY,
    Project,
    environment,
    every_figure,
    figure_of,
    fresh_fixture,  # noqa: F401  (miniature is made from it)
    miniature_fixture,  # noqa: F401
    summaries_of,
)

pytestmark = pytest.mark.slow

FULL = f"results{os.sep}"


def _without_origins(files: set[str]) -> set[str]:
    return {file for file in files if not file.endswith(SUFFIX)}


def test_what_is_listed_comes_out_the_same_anywhere(miniature: Project) -> None:
    lines = (miniature.folder / "results/checksums.txt").read_text("utf-8").splitlines()
    listed = [re.fullmatch(r"[0-9a-f]{64}  (results/\S+)", line) for line in lines]
    names = [match[1] for match in listed if match]
    same = summaries_of(*EXPERIMENTS) | LEDGER | SENSITIVITY | RATINGS
    same |= figure_of(*every_figure())
    # Times, and what is only another form of it, are left out.
    timed = {"results/movielens/provenance.json", "results/sensitivity/claims.json"}
    assert names == sorted(_without_origins(same) - timed)
    assert len(names) == len(lines)


def test_sha256sum_reads_the_list(miniature: Project) -> None:
    program = shutil.which("sha256sum")
    if program is None:
        pytest.skip("there is no sha256sum here")
    command = [program, "--check", "--quiet", "--strict", "results/checksums.txt"]
    done = subprocess.run(command, cwd=miniature.folder, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_every_file_says_where_it_comes_from(miniature: Project) -> None:
    files = {file for file in miniature.files() if "/logs/" not in file} - CHECKSUMS
    origins = {file for file in files if file.endswith(SUFFIX)}
    named: set[str] = set()
    for origin in origins:
        found = read_origin(miniature.folder / origin)
        # Ratings are not drawn.
        assert found["seed"] == (7 if found["experiments"] else None), origin
        assert re.fullmatch(r"[0-9a-f]{64}", found["config"])
        assert re.fullmatch(r"[0-9a-f]{64}", found["code"])
        named |= {str(Path(origin).with_name(name)) for name in found["files"]}
        movies = {"setting_3", "movie_crossover"} & set(found["experiments"])
        if movies:
            assert found["ratings"]["source"] == "bundled", origin
    assert named == files - origins


def _verified(project: Project) -> str:
    """Return what the command line says of the results of a copy."""
    done = subprocess.run(
        [sys.executable, "-m", "penalized_bandits", "verify"],
        cwd=project.folder,
        env=environment(project.folder, project.kernels),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert "Traceback" not in done.stdout, done.stdout
    return done.stdout


def _same(one: Project, other: Project) -> bool:
    """Say whether two results are the same but for what holds times."""
    paths = {f for f in one.files() if "/logs/" not in f and "provenance" not in f}
    paths -= {"results/index.html", "results/index.origin.json"}
    assert paths <= other.files()
    return all((one.folder / f).read_bytes() == (other.folder / f).read_bytes() for f in paths)


@pytest.mark.sample
def test_a_bit_that_flipped_unseen_is_found_by_verify(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    assert re.search(r"\d+ files in results are what was written", _verified(project))
    damaged = ["results/replicates/setting_4/all.1of1.parquet", "results/figures/figure_1.pdf"]
    for name in damaged:
        before = (project.folder / name).stat()
        flip_bit(project.folder / name, Random(1))
        os.utime(project.folder / name, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "Nothing to be done" in project.run().text
    said = _verified(project)
    assert said.count("delete and run again") == len(damaged)
    for name in damaged:
        assert f"{name}: not what was written" in said
        (project.folder / name).unlink()
    assert project.run().status == 0
    assert "are what was written" in _verified(project)
    assert _same(miniature, project)


def test_a_damaged_figure_is_made_again_by_the_next_run(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    figure, origin = "results/figures/figure_5.png", "results/summaries/log_laws.origin.json"
    flip_bit(project.folder / figure, Random(2))
    (project.folder / origin).unlink()
    outcome = project.run()
    assert outcome.status == 0, outcome.text
    assert f"{figure} is not what was written: it is deleted" in outcome.text
    assert _same(miniature, project)
