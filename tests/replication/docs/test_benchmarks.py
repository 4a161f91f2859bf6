"""Benchmarks: specs, a tiny run of each, and their results in the documentation."""

import re
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name

import numpy as np
import pandas as pd
import pytest
import yaml
from benchmarks.cases import Case, load_specs
from benchmarks.runner import run
from benchmarks.tables import markdown, shown

from browser_helpers import CHROMIUM
from config_helpers import ROOT
from smoke_run import TINY

SPECS = load_specs()
PAGES = {"targets": "config/README.md", "research": "research/config/README.md"}
OURS = "rivals.ours:play"
PEERS = sorted({case.program for case in SPECS["peers"].cases} - {OURS})


@pytest.mark.parametrize("name", SPECS)
def test_cases_are_distinct_and_have_programs(name: str) -> None:
    cases = SPECS[name].cases
    assert len(set(cases)) == len(cases)
    assert all(callable(resolve_name(f"benchmarks.{case.program}")) for case in cases)


@pytest.mark.slow
@pytest.mark.parametrize("peer", PEERS)
def test_peers_play_ucb1(peer: str) -> None:
    for package in ("jax", "mabwiser", "pymab", "SMPyBandits"):
        if package.lower() in peer:
            pytest.importorskip(package)
    case = Case("a", peer, arms=5, horizon=500, replicates=60 if "packages" in peer else 400)
    pulls = resolve_name(f"benchmarks.{peer}")(case)
    # Rewards differ, so that only mean pulls can be compared.
    expected = resolve_name(f"benchmarks.{OURS}")(replace(case, replicates=400)).mean(axis=0)
    np.testing.assert_array_equal(pulls.sum(axis=1), 500)
    np.testing.assert_allclose(pulls.mean(axis=0), expected, atol=10)


def tiny(case: Case, config: Path) -> Case:
    """Return a case with few rounds, or a small config; those that differ still do."""
    if case.arms == 0:
        return replace(case, config=str(config))
    rounds = max(case.horizon // 1000, 20)
    return replace(case, horizon=rounds, replicates=min(case.replicates, 2))


@pytest.mark.slow
@pytest.mark.parametrize("name", SPECS)
def test_a_tiny_run(tmp_path: Path, name: str) -> None:
    if name == "page" and CHROMIUM is None:
        pytest.skip("no Chromium")
    config = tmp_path / ("tiny.html" if name == "page" else "tiny.yaml")
    config.write_text(yaml.safe_dump(TINY), encoding="utf-8")
    cases = [c for c in SPECS[name].cases if not re.search("jax|packages|gittins|pymab", c.program)]
    least = min(case.arms for case in cases)
    cases = [c for c in cases if c.arms == least and c.target in ("all", "figure_4")]
    cases = [tiny(case, config) for case in cases]
    results = run(cases, 1)
    assert list(results["name"]) == [case.name for case in cases]
    assert (results["seconds"] > 0).all()
    assert (results["peak_mb"] > 1).all()
    names = shown(name, results)["name"]
    assert [case for case in names if case not in markdown(name, results)] == []


@pytest.mark.parametrize("name", SPECS)
def test_documentation_shows_the_results(name: str) -> None:
    results = pd.read_csv(ROOT / f"benchmarks/results/{name}.csv", keep_default_na=False)
    assert list(results["name"]) == [case.name for case in SPECS[name].cases]
    if name in ("loops", "page"):  # for those who change the engine, or pages
        return
    page = ROOT / PAGES.get(name, "docs/performance.md")
    assert markdown(name, results) in page.read_text(encoding="utf-8")


def test_readme_has_the_times() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    minutes = pd.read_csv(ROOT / "benchmarks/results/targets.csv")["seconds"][0] / 60
    assert f"({minutes:.0f} minutes on 2 cores" in readme
    peers = pd.read_csv(ROOT / "benchmarks/results/peers.csv").query("program == @OURS")
    pulls = peers["horizon"] * peers["replicates"]
    least, *_, most = sorted((peers["cpu_seconds"] * 1e9 / pulls).round().astype(int))
    assert f"[{least} to {most} ns a pull]" in readme
