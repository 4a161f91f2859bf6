"""The benchmarks run, and the documentation shows their results."""

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from config_helpers import ROOT
from miniature import TINY

NAMES = ("peers", "scale", "workflow")
PEERS = (
    "rivals.jax_plain:play",
    "rivals.jax_tuned:play",
    "rivals.numpy_replicates:play",
    "rivals.packages:mabwiser",
    "rivals.packages:smpybandits",
    "rivals.plain_numba:play",
)
PACKAGES = {"jax": "jax", "mabwiser": "mabwiser", "smpybandits": "SMPyBandits"}


@pytest.fixture(scope="module")
def module() -> Iterator[Any]:
    """Import a module of the benchmarks, which are not part of the package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)
        yield lambda name: import_module(f"benchmarks.{name}")


def test_specs(module: Any) -> None:
    specs = module("cases").load_specs()
    assert tuple(specs) == NAMES
    assert {case.program for case in specs["peers"].cases} == {"rivals.ours:play", *PEERS}
    sizes = [case.replicates for case in specs["scale"].cases if case.name == "replicates"]
    assert sizes == [1, 10, 100, 1_000, 10_000, 100_000]
    for spec in specs.values():
        assert len(set(spec.cases)) == len(spec.cases)
        assert all(callable(resolve_name(f"benchmarks.{case.program}")) for case in spec.cases)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"threads": 2, "horizons": 5}, "unknown horizons; keys are name, .*, horizon"),
        ({"precision": "float32"}, "a: precision is 'float32': rivals.ours has float64"),
    ],
)
def test_a_wrong_case(module: Any, entry: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        module("cases").expand({"name": "a", "program": "rivals.ours:play", **entry})


@pytest.mark.slow
@pytest.mark.parametrize("program", PEERS)
def test_peers_play_ucb1(module: Any, program: str) -> None:
    """Their rewards are others, so that only mean pulls can be compared."""
    for part, package in PACKAGES.items():
        if part in program:
            pytest.importorskip(package)
    case = module("cases").Case("a", program, arms=5, horizon=500, replicates=400)
    expected = module("rivals.ours").play(case).mean(axis=0)
    few = replace(case, replicates=60) if "packages" in program else case
    pulls = resolve_name(f"benchmarks.{program}")(few)
    np.testing.assert_array_equal(pulls.sum(axis=1), 500)
    np.testing.assert_allclose(pulls.mean(axis=0), expected, atol=10)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_tiny_run(module: Any, tmp_path: Path, name: str) -> None:
    config = tmp_path / "tiny.yaml"
    config.write_text(yaml.safe_dump(TINY), encoding="utf-8")
    cases = module("cases").load_specs()[name].cases
    if name == "workflow":
        cases = [replace(case, config=str(config)) for case in cases]
    else:
        cases = [
            replace(case, horizon=20, replicates=2)
            for case in cases
            if case.arms == 5 and not any(part in case.program for part in ("jax", "packages"))
        ]
    results = module("runner").run(cases, 1)
    assert list(results["name"]) == [case.name for case in cases]
    assert (results["seconds"] > 0).all()
    assert (results["peak_mb"] > 1).all()
    table = module("tables").markdown(name, results)
    assert all(case.name in table for case in cases)


def test_a_failing_case_is_named(module: Any) -> None:
    case = module("cases").Case("a", "workflow:dry_run", config="none.yaml")
    with pytest.raises(RuntimeError, match=r"^a \(workflow:dry_run\) failed"):
        module("runner").run([case], 1)


def test_a_missing_package_is_named(
    module: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        module("__main__").main(["peers"])
    assert "needs jax, mabwiser, SMPyBandits: uv run --group" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_documentation_shows_the_results(module: Any, name: str) -> None:
    results = pd.read_csv(ROOT / "benchmarks" / "results" / f"{name}.csv", keep_default_na=False)
    cases = module("cases").load_specs()[name].cases
    assert list(results["name"]) == [case.name for case in cases]
    text = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert module("tables").markdown(name, results) in text
