"""What cannot fit in memory or on the disk is refused, with the numbers and the key to change."""

import os
import re
import shutil
from contextlib import chdir
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from miniature import config_with
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.workflow.estimate import Estimate


def machine(monkeypatch: pytest.MonkeyPatch, memory: float, disk: float) -> None:
    """Give this machine so many gigabytes."""
    sizes = {"SC_PHYS_PAGES": int(memory * 1e6), "SC_PAGE_SIZE": 1000}
    monkeypatch.setattr(os, "sysconf", lambda name: sizes[name])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=disk * 1e9))


def asked(folder: Path, changes: dict[str, Any], *names: str, decided: bool = False) -> str:
    with chdir(folder):
        estimate = Estimate(config_with(changes))
        for name in names:
            estimate.ask(name, decided=decided)
    return estimate.problem


def test_the_miniature_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, memory=1, disk=1)
    assert asked(tmp_path, {}, *EXPERIMENTS, decided=True) == ""


MANY_ARMS = {"setting_5": {"arms": [100_000], "horizon": 200_000, "replicates": 320}}
MANY_REPLICATES = {"setting_1": {"replicates": 10_000_000}}


@pytest.mark.parametrize(
    ("changes", "what", "keys"),
    [
        (MANY_ARMS, "memory", r"setting_5\.replicates \(320\), or its arms \(100,000\)"),
        (MANY_REPLICATES, "memory", r"setting_1\.replicates \(10,000,000\)"),
        (MANY_REPLICATES, "disk", r"setting_1\.replicates \(10,000,000\)"),
    ],
)
def test_what_cannot_fit(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, Any],
    what: str,
    keys: str,
) -> None:
    (name,) = changes
    machine(monkeypatch, memory=1 if what == "memory" else 1e6, disk=1 if what == "disk" else 1e6)
    said = asked(tmp_path, changes, name)
    assert re.match(rf"{name} needs about \d+ GB of {what} \(1 are there\).*{keys}", said), said


def test_claims_need_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, memory=2, disk=1e6)
    changes = {"setting_1": {"replicates": 1_000_000}}
    assert asked(tmp_path, changes, "setting_1") == ""
    assert "of memory" in asked(tmp_path, changes, "setting_1", decided=True)


def test_experiments_share_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("setting_1", "setting_5")
    changes = {name: {"replicates": 1_000_000} for name in names}
    for room in range(1, 1000):
        machine(monkeypatch, memory=1e6, disk=room)
        if not any(asked(tmp_path, changes, alone) for alone in names):
            break
    assert asked(tmp_path, changes, *names).startswith("setting_5 needs")


def test_what_is_there_needs_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, memory=1e6, disk=0)
    assert "of disk" in asked(tmp_path, {}, "setting_1")
    made = tmp_path / "results/replicates/setting_1/all.parquet"
    made.parent.mkdir(parents=True)
    made.write_bytes(bytes(10**6))
    assert asked(tmp_path, {}, "setting_1") == ""


def test_memory_of_another_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, memory=1, disk=1e6)
    assert "of memory" in asked(tmp_path, MANY_REPLICATES, "setting_1")
    changes = MANY_REPLICATES | {"simulation": {"memory_gb": 1000}}
    assert asked(tmp_path, changes, "setting_1") == ""
