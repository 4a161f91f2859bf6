"""Results as Markdown: tables and lines of ``docs/performance.md`` and of ``config``."""

from collections.abc import Callable

import pandas as pd

SHOWN = {
    # Of each program the faster precision.
    "peers": "not name.str.contains('JAX|NumPy') or precision == 'float32'",
    "scale": "name == 'arms' and horizon == 10000 or horizon == 1000 and name == 'replicates'",
    # Two of the indices; the others are about as fast.
    "live": (
        "arms in (5, 10000) and policy not in ('lfg', 'strict_rate_ucb', 'thompson_hard_threshold')"
        " and (replicates > 0 or policy == 'thompson_beta_hard_threshold')"
    ),
    # Whole runs have a table of their own, `_targets`.
    "workflow": "program != 'workflow:first_run'",
}
"""Cases that the documentation shows; of the other benchmarks all."""


def _number(value: float) -> str:
    """Return a number with three digits, or all those before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}".rstrip(".")


def _spread(row: pd.Series, column: str) -> str:
    """Return a median and, in brackets, its quartiles."""
    median, low, high = (_number(row[column + suffix]) for suffix in ("", "_q1", "_q3"))
    return f"{median} [{low}–{high}]"


def _nanoseconds(results: pd.DataFrame) -> pd.Series:
    """Return the processor time per pull."""
    return results["cpu_seconds"] * 1e9 / (results["horizon"] * results["replicates"])


def _wide(results: pd.DataFrame, cells: pd.Series, *index: str) -> pd.DataFrame:
    """Return a row for each value of some columns, a column for each number of arms."""
    table = results.assign(cell=cells, arms=results["arms"].map("K = {:,}".format))
    each = table.groupby([*index, "arms"], sort=False)["cell"]
    return each.agg("; ".join).unstack(sort=False).reset_index()  # noqa: PD010


def _ratios(results: pd.DataFrame, values: pd.Series, *place: str) -> pd.Series:
    """Return values and, in brackets, their ratios to those of the first program."""
    base = values.groupby([results[column] for column in place]).transform("first")
    return values.map(_number) + " (" + (values / base).map(_number) + ")"


def _peers(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each program, a column for each number of arms."""
    cells = _ratios(results, _nanoseconds(results), "arms")
    return _wide(results, cells, "name", "precision")


def _single(results: pd.DataFrame) -> list[str]:
    """Return the ratios of each program over all numbers of arms and laws."""
    place = [results[column] for column in ("arms", "rewards", "horizon")]
    ns = _nanoseconds(results)
    results = results.assign(ns=ns, ratio=ns / ns.groupby(place).transform("first"))
    lines = []
    for (name, horizon), group in results.groupby(["name", "horizon"], sort=False):
        ours = (group["ratio"] == 1).all()
        low, high = map(_number, group["ns" if ours else "ratio"].agg(["min", "max"]))
        unit = "ns" if ours else "times as long"
        lines.append(f"{name}, T = {horizon:,}: {low} to {high} {unit}")
    return lines


def _scale(results: pd.DataFrame) -> list[str]:
    """Return a line for each size that varies, by the clock: threads save no processor time."""
    sizes = ("arms", "horizon", "replicates", "threads")
    results = results.assign(ns=_nanoseconds(results.assign(cpu_seconds=results["seconds"])))
    others = [
        ", ".join(f"{size} {row[size]:,}" for size in sizes if size != row["name"])
        for _, row in results.iterrows()
    ]
    lines = []
    for (name, rest), group in results.groupby(["name", pd.Series(others)], sort=False):
        pairs = zip(group[name], group["ns"], strict=True)
        cells = (f"{size:,}: {_number(ns)}" for size, ns in pairs)
        memory = f"{_number(group['peak_mb'].max())} MB"
        lines.append(f"{name} ({rest}; {memory}): {'; '.join(cells)}")
    return lines


def _seconds(results: pd.DataFrame, column: str = "seconds") -> list[str]:
    """Return a line for each command."""
    return [f"{row['name']}: {_spread(row, column)} s" for _, row in results.iterrows()]


def _targets(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each target of the workflow."""
    config = results["config"].str.removeprefix("config/")
    table = pd.DataFrame({"config": config, "target": results["target"].map("`{}`".format)})
    minutes = (results[["seconds", "cpu_seconds"]] / 60).map(_number)
    minutes.columns = ["minutes", "processor minutes"]
    return table.assign(makes=results["name"]).join(minutes)


def _startup(results: pd.DataFrame) -> list[str]:
    """Return the processor time of each program."""
    return _seconds(results, "cpu_seconds")


def _live(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each policy: choices a second, or milliseconds where nothing is pulled."""
    cells = _ratios(results, 1e9 / _nanoseconds(results), "arms")
    cells[results["replicates"] == 0] = (results["seconds"] * 1e3).map(_number)
    return _wide(results, cells, "name", "policy").fillna("")


def _loops(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each policy and number of replicates, all loops for each number of arms."""
    cells = results["name"] + " " + _nanoseconds(results).map(_number)
    return _wide(results, cells, "policy", "replicates")


VIEWS: dict[str, Callable[[pd.DataFrame], pd.DataFrame | list[str]]] = {
    "peers": _peers,
    "single": _single,
    "scale": _scale,
    "loops": _loops,
    "startup": _startup,
    "live": _live,
    "workflow": _seconds,
    "targets": _targets,
    "research": _targets,
    "page": _seconds,
}


def shown(name: str, results: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a benchmark's results that the documentation shows."""
    return results.query(SHOWN[name]).reset_index(drop=True) if name in SHOWN else results


def markdown(name: str, results: pd.DataFrame) -> str:
    """Return a benchmark's results as a table or list, with the facts about the machine below."""
    view = VIEWS[name](shown(name, results))
    if isinstance(view, list):
        lines = [f"- {line}" for line in view]
    else:
        rows = [list(view), ["---"] * view.shape[1], *view.to_numpy().tolist()]
        lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    count, machine = results.iloc[0][["repetitions", "machine"]]
    repeated = "One run" if count == 1 else f"Medians of {count} repetitions"
    ends = dict.fromkeys(map("{:g}".format, results["load"].astype(float).agg(["min", "max"])))
    note = f"{repeated}. {machine}; load {' to '.join(ends)}."
    return "\n".join([*lines, "", note, ""])
