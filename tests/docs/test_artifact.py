"""The page on artifact evaluation expects what the ledger says, at the cost that logs tell."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from docs_pages import ROOT


def test_the_artifact_expects_every_verdict_of_the_ledger() -> None:
    ledger = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
    verdicts = re.findall(r"(?m)^## (\w+) \(.*\): ([a-z ]+)$", ledger)
    artifact = (ROOT / "docs/artifact.md").read_text(encoding="utf-8")
    row = r"(?m)^\| \[(\w+)\].*`results/claims/pages/(\w+)\.md` \|.*\| ([a-z ]+) \|$"
    assert [(name, expected) for name, _, expected in re.findall(row, artifact)] == verdicts
    assert all(name == made for name, made, _ in re.findall(row, artifact))


def test_costs_are_those_of_the_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "workflow/scripts")
    publish = import_module("publish_claims")
    logs = tmp_path / "simulate_group/setting_4"
    logs.mkdir(parents=True)
    for name, seconds, peak in (("a", 30, 222), ("b", 22, 198)):
        lines = [
            "2026-11-22 16:25:10,000 INFO    6 cases",
            f"2026-11-22 16:25:{10 + seconds},500 INFO    peak memory {peak} MiB",
        ]
        (logs / f"{name}.log").write_text("\n".join(lines), encoding="utf-8")
    minutes, peak = publish.costs(["setting_4", "setting_5"], tmp_path)
    assert minutes == pytest.approx((52 + 2 * publish.JOB_SECONDS) / 60)
    assert peak == 222
