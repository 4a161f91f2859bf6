"""Results as Markdown: the tables of ``docs/performance.md``, of a guide and of ``config``."""

from collections.abc import Callable

import pandas as pd


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


def _peers(results: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return a row for each program, a column for each number of arms."""
    results = results.assign(ns=_nanoseconds(results))
    # The first program is the one that the others are compared with.
    place = ["arms", "rewards", "horizon"]
    base = results[results["name"] == results["name"].iloc[0]].set_index(place)["ns"]
    ratio = results["ns"].to_numpy() / base.loc[pd.MultiIndex.from_frame(results[place])].to_numpy()
    cells = results["ns"].map(_number) + " (" + pd.Series(ratio).map(_number) + ")"
    return _wide(results, cells, "name", *(columns or ("precision",)))


def _single(results: pd.DataFrame) -> pd.DataFrame:
    """Return the same for one replicate, by the law of the rewards."""
    table = _peers(results, "rewards", "horizon").rename(columns={"horizon": "T"})
    return table.assign(T=table["T"].map("{:,}".format))


def _scale(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each size that varies, by the clock: threads save no processor time."""
    sizes = ("arms", "horizon", "replicates", "threads")
    results = results.assign(ns=_nanoseconds(results.assign(cpu_seconds=results["seconds"])))
    others = [
        ", ".join(f"{size} {row[size]:,}" for size in sizes if size != row["name"])
        for _, row in results.iterrows()
    ]
    rows = []
    for (name, rest), group in results.groupby(["name", pd.Series(others)], sort=False):
        pairs = zip(group[name], group["ns"], strict=True)
        cells = (f"{size:,}: {_number(ns)}" for size, ns in pairs)
        row = {"varied": name, "others": rest, "wall-clock ns per pull": "; ".join(cells)}
        rows.append(row | {"peak MB": _number(group["peak_mb"].max())})
    return pd.DataFrame(rows)


def _workflow(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each command; whole runs have a table of their own, `_targets`."""
    results = results[results["program"] != "workflow:first_run"].reset_index(drop=True)
    seconds, cpu = (results.apply(_spread, axis=1, column=c) for c in ("seconds", "cpu_seconds"))
    return pd.DataFrame({"run": results["name"], "seconds": seconds, "processor seconds": cpu})


def _targets(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each target of the workflow."""
    config = results["config"].str.removeprefix("config/")
    table = pd.DataFrame({"config": config, "target": results["target"].map("`{}`".format)})
    minutes = (results[["seconds", "cpu_seconds"]] / 60).map(_number)
    minutes.columns = ["minutes", "processor minutes"]
    return table.assign(makes=results["name"]).join(minutes)


def _startup(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each program, with the ratio of its processor time to that of the first."""
    ratios = results["cpu_seconds"] / results["cpu_seconds"].iloc[0]
    return _workflow(results).drop(columns="seconds").assign(ratio=ratios.map(_number))


def _live(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each policy, choices a second for each number of arms."""
    return _wide(results, (1e9 / _nanoseconds(results)).map(_number), "name", "policy")


def _loops(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each policy and number of replicates, all loops for each number of arms."""
    cells = results["name"] + " " + _nanoseconds(results).map(_number)
    return _wide(results, cells, "policy", "replicates")


VIEWS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "peers": _peers,
    "single": _single,
    "scale": _scale,
    "loops": _loops,
    "startup": _startup,
    "live": _live,
    "workflow": _workflow,
    "targets": _targets,
    "page": _workflow,
}


def markdown(name: str, results: pd.DataFrame) -> str:
    """Return a benchmark's results as a Markdown table, with the facts about the machine below."""
    view = VIEWS[name](results)
    rows = [list(view), ["---"] * view.shape[1], *view.to_numpy().tolist()]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    count, machine = results.iloc[0][["repetitions", "machine"]]
    repeated = "One run" if count == 1 else f"Medians of {count} repetitions"
    ends = dict.fromkeys(map("{:g}".format, results["load"].astype(float).agg(["min", "max"])))
    note = f"{repeated}. {machine}; load {' to '.join(ends)}."
    return "\n".join([*lines, "", note, ""])
