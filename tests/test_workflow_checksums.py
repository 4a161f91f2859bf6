"""The checksums of the results, and the target that checks all of them."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from chaos_helpers import flip_bit
from penalized_bandits.origins import SUFFIX, beside, read_origin
from workflow_helpers import (
    CHECKSUMS,
    EXPERIMENTS,
    LEDGER,
    RATINGS,
    SENSITIVITY,
    Project,
    every_figure,
    figure_of,
    fresh_fixture,  # noqa: F401  (miniature is made from it)
    miniature_fixture,  # noqa: F401
    summaries_of,
)

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


def _run_until_mended(project: Project, *targets: str) -> list[str]:
    """Run, deleting what errors name; return the files deleted."""
    deleted: list[str] = []
    for _ in range(3):
        outcome = project.run(*targets)
        if outcome.status == 0:
            return deleted
        assert "Traceback" not in outcome.text, outcome.text
        errors = [line for line in outcome.text.splitlines() if " ERROR " in line]
        assert errors, outcome.text
        for line in errors:
            assert "delete" in line
            named = [name.rstrip(".") for name in re.findall(rf"{FULL}[^\s:,;()]+", line)]
            for name in [file for file in named if (project.folder / file).is_file()]:
                (project.folder / name).unlink()
                deleted.append(name)
    raise AssertionError(deleted)


def _same(one: Project, other: Project) -> bool:
    """Say whether two results are the same but for what holds times."""
    paths = {f for f in one.files() if "/logs/" not in f and "provenance" not in f}
    paths -= {"results/index.html", "results/index.origin.json"}
    assert paths <= other.files()
    return all((one.folder / f).read_bytes() == (other.folder / f).read_bytes() for f in paths)


def test_a_bit_that_flipped_unseen_is_found_by_verify(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    outcome = project.run("verify")
    assert outcome.status == 0, outcome.text
    assert re.search(r"(?m)^\d+ files are what was written, and of this config", outcome.text)
    damaged = ["results/replicates/setting_4/all.1of1.parquet", "results/figures/figure_1.pdf"]
    for name in damaged:
        before = (project.folder / name).stat()
        flip_bit(project.folder / name, Random(1))
        os.utime(project.folder / name, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "Nothing to be done" in project.run().text
    deleted = _run_until_mended(project, "verify")
    assert set(damaged) <= set(deleted) <= {*damaged, *(str(beside(name)) for name in damaged)}
    assert _same(miniature, project)


def test_a_damaged_figure_is_made_again_by_the_next_run(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    figure, origin = "results/figures/figure_5.png", "results/theory/log_laws.origin.json"
    flip_bit(project.folder / figure, Random(2))
    (project.folder / origin).unlink()
    outcome = project.run()
    assert outcome.status == 0, outcome.text
    assert f"{figure} is not what was written: it is deleted" in outcome.text
    assert _same(miniature, project)
