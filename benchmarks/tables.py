"""Results as Markdown: the tables of ``docs/performance.md``, of a guide and of ``config``."""

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


def _ratios(results: pd.DataFrame, values: pd.Series, *place: str) -> pd.Series:
    """Return values and, in brackets, their ratios to those of the first program."""
    base = values.groupby([results[column] for column in place]).transform("first")
    return values.map(_number) + " (" + (values / base).map(_number) + ")"


def _peers(results: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return a row for each program, a column for each number of arms."""
    cells = _ratios(results, _nanoseconds(results), "arms", "rewards", "horizon")
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
    """Return a row for each policy: choices a second, or milliseconds where nothing is pulled."""
    cells = _ratios(results, 1e9 / _nanoseconds(results), "arms")
    cells[results["replicates"] == 0] = (results["seconds"] * 1e3).map(_number)
    return _wide(results, cells, "name", "policy").fillna("")


def _loops(results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each policy and number of replicates, all loops for each number of arms."""
    cells = results["name"] + " " + _nanoseconds(results).map(_number)
    return _wide(results, cells, "policy", "replicates")


EACH = _peers, _single, _scale, _loops, _startup, _live, _workflow, _targets
VIEWS = {view.__name__[1:]: view for view in EACH} | {"page": _workflow, "research": _targets}


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
