"""Whatever happens to a run, the documented command finishes it, with the same bytes.

Or there is an error that names the files and the remedy, and then it does.  The longer form,
with random damages one upon the other:

    CHAOS_DAMAGES=100 uv run pytest -m slow -n 0 tests/hostile/test_chaos.py -s
"""

import os
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from chaos_damages import DAMAGES
from chaos_helpers import Victim
from workflow_helpers import (
    Project,
)

pytestmark = pytest.mark.slow

SEED = 20250301
SCHEDULE = [
    *DAMAGES,
    *("killed_with_all_jobs", "killed_but_for_its_jobs", "killed_with_another_config"),
    *("files_cut_short", "bits_flipped", "bits_flipped_in_silence"),
]
"""Every damage once, and what depends on chance twice."""
SAMPLE = ("killed_with_all_jobs", "killed_but_for_its_jobs", "bits_flipped_in_silence")
"""Damages that ``.ci/run`` does."""


@pytest.fixture(scope="module", name="undisturbed")
def undisturbed_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Victim:
    """Return a copy in which the targets were made without any damage."""
    victim = Victim(fresh.copy(tmp_path_factory.mktemp("undisturbed") / "project"))
    outcome = victim.run()
    assert outcome.status == 0, outcome.text
    return victim


def damaged(undisturbed: Victim, name: str, folder: Path, random: Random) -> Victim:
    """Return a copy that something happened to."""
    victim = Victim(undisturbed.project.copy(folder / "project"))
    if not DAMAGES[name].finished:
        shutil.rmtree(victim.results)
        shutil.rmtree(victim.folder / ".snakemake")
    DAMAGES[name].act(victim, random)
    return victim


def check_mended(victim: Victim, undisturbed: Victim) -> list[str]:
    """Do what the documentation says; return the errors on the way."""
    errors = victim.mend()
    found, expected = victim.contents(), undisturbed.contents()
    assert found.keys() == expected.keys()
    assert [name for name in expected if found[name] != expected[name]] == []
    # Nothing is left of what was half written.
    assert [path.name for path in victim.results.rglob(".*")] == []
    for text in errors:
        assert "Traceback" not in text, text
    return errors


def test_there_are_at_least_twenty_damages() -> None:
    assert len(SCHEDULE) >= 20


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(
            n, id=f"{n}-{name}", marks=[pytest.mark.sample] * (name in SAMPLE and n < len(DAMAGES))
        )
        for n, name in enumerate(SCHEDULE)
    ],
)
def test_damage_is_mended(undisturbed: Victim, tmp_path: Path, number: int) -> None:
    victim = damaged(undisturbed, SCHEDULE[number], tmp_path, Random(SEED + number))
    check_mended(victim, undisturbed)


def test_many_damages_one_upon_the_other(undisturbed: Victim, tmp_path: Path) -> None:
    random = Random(int(os.environ.get("CHAOS_SEED", SEED)))
    total = int(os.environ.get("CHAOS_DAMAGES", "60"))
    done: Counter[str] = Counter()
    told: Counter[str] = Counter()
    while done.total() < total:
        folder = tmp_path / str(done.total())
        names = random.choices(list(DAMAGES), k=random.randint(1, 3))
        victim = damaged(undisturbed, names[0], folder, random)
        for name in names[1:]:
            later = DAMAGES[name]
            if later.finished == DAMAGES[names[0]].finished and not later.alone:
                if not later.finished:
                    victim.leave_something_to_do()
                later.act(victim, random)
                done[name] += 1
        done[names[0]] += 1
        told[names[0]] += len(check_mended(victim, undisturbed))
        shutil.rmtree(folder)
    for name, times in sorted(done.items()):
        print(f"{name}: {times} times, {told[name]} errors with a remedy")  # noqa: T201
