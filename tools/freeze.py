"""The frozen confirmation of the paper's claims: fix every rule, then take seeds from the commit.

    uv run snakemake --cores all && uv run python tools/publish.py   # 0. verdicts by today's rules
    uv run python tools/freeze.py rules          # 1. docs/published/freeze.csv: commit it
    uv run python tools/freeze.py seeds          # 2. seeds of that commit, into config/frozen.yaml
    uv run snakemake --cores all frozen          # 3. twenty runs
    uv run python tools/freeze.py publish        # 4. docs/published/frozen.csv and its comparisons
    uv run snakemake --cores all && uv run python tools/publish.py   # 5. pages that print these

Each claim has the digest of its rule and the verdict that is predicted, today's; each file that
decides has its git blob id.  Between the first commit and the publication nothing below src,
research, config and workflow changes but the seeds, and the table of results.  What a run finds to
be wrong is published as it came, and the repair is a second freeze: all freezes stay in the files.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import yaml

from penalized_bandits.common.files import write_text
from penalized_replication.claims import CLAIMS, LIST
from penalized_replication.claims.base import claim_of
from penalized_replication.claims.results import by_id, read_results
from penalized_replication.config.frozen import RUNS, seeds_of
from penalized_replication.storage.tables import write_csv

PROJECT = Path(__file__).resolve().parents[1]
PUBLISHED = PROJECT / "docs/published"
FREEZE, FROZEN = PUBLISHED / "freeze.csv", PUBLISHED / "frozen.csv"
COMPARISONS = PUBLISHED / "frozen_comparisons.csv"
AGREEMENT = LIST.with_name("frozen.csv")
"""What the last publication found, claim by claim: pages print it."""
SEEDS = PROJECT / "config/frozen.yaml"
ROOMS = ("claims", "config", "datasets", "experiments", "storage", "summaries")
DECIDING = (
    *(f"src/replication/penalized_replication/{room}" for room in ROOMS),
    *("src/library/penalized_bandits", "config"),
)
"""Folders whose files decide: rules, claims, measures, and what is simulated, by which policies."""
PLACE = ["quantity", "case", "policy", "rival", "arm", "horizon"]
"""Columns that identify a comparison of a claim: names may have drawn numbers."""
FIXED = ("src", "research", "config", "workflow")
"""Folders that do not change between the freeze and the publication."""
AGREED = 19
"""Of twenty runs."""
JUDGED = ("holds", "not contradicted", "holds in part", "fails", "undecided")
"""Verdicts of claims that can fail."""
STATUSES = ["hold", "fail", "negligible", "undecided"]


def git(*arguments: str) -> str:
    """Return the output of git."""
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, check=True)  # noqa: S603
    return done.stdout.decode().strip()


def blobs() -> Iterator[tuple[str, str]]:
    """Yield the files that decide, with their git blob ids."""
    files = (f for folder in DECIDING for f in (PROJECT / folder).rglob("*"))
    kinds = (".py", ".yaml", ".csv")
    decides = (f for f in files if f.suffix in kinds and f not in (AGREEMENT, SEEDS))
    names = sorted(file.relative_to(PROJECT).as_posix() for file in decides)
    yield from zip(names, git("hash-object", *names).split(), strict=True)


def added(file: Path, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a file, if it is there, and these below."""
    before = [pd.read_csv(file, dtype=str)] if file.is_file() else []
    return pd.concat([*before, rows.astype(str)], ignore_index=True)


def write_rules() -> None:
    """Add a freeze to the file of freezes: rules with predictions, and files with blob ids."""
    today = by_id(read_results(PUBLISHED / "claims.json"))
    if changed := [name for name in CLAIMS if today[name].digest != claim_of(name).digest]:
        sys.exit(f"publish verdicts by the rules in force first: {', '.join(changed)}")
    number = 1 + (pd.read_csv(FREEZE)["freeze"].max() if FREEZE.is_file() else 0)
    rules = [("rule", name, claim_of(name).digest, today[name].verdict) for name in CLAIMS]
    rows = pd.DataFrame([*rules, *(("file", *blob, "") for blob in blobs())])
    rows.columns = ["kind", "name", "id", "predicted"]
    write_csv(added(FREEZE, rows.assign(freeze=number)), FREEZE)


def write_seeds() -> None:
    """Write the commit that brought the last freeze, and its seeds, into the config."""
    name = FREEZE.relative_to(PROJECT).as_posix()
    commit = git("log", "-1", "--format=%H", "--", name)
    if not commit or git("status", "--porcelain"):
        sys.exit(f"commit {name}, and everything else, first: seeds follow from that commit")
    text = re.sub(r"(?m)^freeze: .*$", f'freeze: "{commit}"', SEEDS.read_text(encoding="utf-8"))
    write_text(SEEDS, re.sub(r"(?m)^seeds: .*$", f"seeds: {seeds_of(commit)}", text))


def publish() -> None:
    """Add the verdicts and comparisons of all runs to the published ones, with their agreement.

    Exits where they are not those of the freeze: other seeds, predictions, runs or code.
    """
    freeze = yaml.safe_load(SEEDS.read_text(encoding="utf-8"))
    results = PROJECT / "results/scenarios"
    # The seeds say what differs from the paper's config.
    frozen = pd.read_csv(results / "frozen.csv").drop(columns="changes")
    every = _comparisons(results)
    found = list(faults(freeze, frozen, last_freeze(pd.read_csv(FREEZE))))
    if FROZEN.is_file() and freeze["freeze"] in pd.read_csv(FROZEN)["freeze"].values:
        found.append("it is published already")
    new = git("ls-files", "--others", "--exclude-standard", "--", *FIXED).split()
    if other := {*changed_since(freeze["freeze"]), *new}:
        found.append(f"changed since the freeze: {', '.join(sorted(other))}")
    if found:
        sys.exit("not published: " + "; ".join(found))
    write_csv(added(FROZEN, frozen.assign(freeze=freeze["freeze"])), FROZEN)
    write_csv(added(COMPARISONS, every.assign(freeze=freeze["freeze"])), COMPARISONS)
    table = agreement(frozen, every)
    table["rule_digest"] = [claim_of(str(name)).digest for name in table.index]
    write_csv(added(AGREEMENT, table.assign(freeze=freeze["freeze"]).reset_index()), AGREEMENT)


def changed_since(freeze: str, now: str = "") -> Iterator[str]:
    """Yield the files that decide and are not as the freeze has them, but for its seeds."""
    seeds = SEEDS.relative_to(PROJECT).as_posix()
    after = [now] if now else []
    for name in git("diff", "--name-only", freeze, *after, "--", *FIXED).split():
        if name not in (seeds, AGREEMENT.relative_to(PROJECT).as_posix()):
            yield name
    text = git("show", f"{now}:{seeds}") if now else SEEDS.read_text(encoding="utf-8")
    before, since = (yaml.safe_load(x) for x in (git("show", f"{freeze}:{seeds}"), text))
    if {**before, "freeze": "", "seeds": []} != {**since, "freeze": "", "seeds": []}:
        yield seeds


def _comparisons(results: Path) -> pd.DataFrame:
    """Return the comparisons of all runs in one table."""
    tables = {
        path.parents[1].name: pd.read_csv(path)
        for path in sorted(results.glob("frozen_[0-9]*/claims/comparisons.csv"))
    }
    every = pd.concat(tables, names=["scenario", None]).reset_index(level=0)
    numbers = ["estimate", "ci_low", "ci_high", "limit", "status", "trials"]
    return every[["scenario", "id", "comparison", *PLACE, *numbers]]


def last_freeze(freezes: pd.DataFrame) -> pd.DataFrame:
    """Return the rules of the last freeze, by claim."""
    rules = freezes[(freezes["freeze"] == freezes["freeze"].max()) & (freezes["kind"] == "rule")]
    return rules.set_index("name")


def faults(config: dict[str, object], frozen: pd.DataFrame, rules: pd.DataFrame) -> Iterator[str]:
    """Yield the differences from the freeze: in seeds, runs, predicted verdicts."""
    if config["seeds"] != seeds_of(str(config["freeze"])):
        yield "the seeds do not follow from the freeze"
    runs = frozen.groupby("id")["scenario"].nunique()
    simulated = [name for name, entry in CLAIMS.items() if entry.experiments]
    few = [name for name in simulated if runs.get(name, 0) != RUNS]
    if few:
        yield f"{', '.join(few)}: not {RUNS} runs"
    other = frozen["id"][frozen["paper_verdict"] != frozen["id"].map(rules["predicted"])]
    if other.size:
        yield f"{', '.join(other.unique())}: another verdict was predicted"


def agreement(frozen: pd.DataFrame, every: pd.DataFrame) -> pd.DataFrame:
    """Return by claim the verdict predicted, how many of the runs agree, and on how much.

    ``least`` and ``most`` are numbers of comparisons.  A claim is ``new`` if a number that decides
    it, of one that fails one that fails, differs between runs or is a share of replicates.
    """
    same = frozen["verdict"] == frozen["paper_verdict"]
    counted = frozen.assign(same=same, comparisons=frozen[STATUSES].sum(axis=1))
    table = counted.groupby("id", sort=True).agg(
        predicted=("paper_verdict", "first"),
        same=("same", "sum"),
        runs=("id", "size"),
        least=("comparisons", "min"),
        most=("comparisons", "max"),
    )
    numbers = every.groupby(["id", *PLACE], dropna=False)["estimate"]
    random = (numbers.transform("nunique") > 1) | (every["trials"] > 0)
    failing = every["id"].map(table["predicted"]) == "fails"
    decides = (every["status"] != "vacuous") & (~failing | (every["status"] == "fails"))
    new = every[random & decides]["id"]
    return table.assign(new=table.index.isin(new))


def read_agreement() -> pd.DataFrame:
    """Return the results of the last publication, by claim."""
    table = pd.read_csv(AGREEMENT, index_col="id")
    return table[table["freeze"] == table["freeze"].iloc[-1]]


def counted(table: pd.DataFrame) -> pd.DataFrame:
    """Return the claims that can fail; of those decided on the same numbers the first one."""
    repeated = [name for name, entry in CLAIMS.items() if entry.repeats]
    return table[table["predicted"].isin(JUDGED) & table["new"] & ~table.index.isin(repeated)]


def sentence(table: pd.DataFrame) -> str:
    """Return how many claims that can fail came out the same in nearly all runs."""
    judged = counted(table)
    same = int((judged["same"] >= AGREED).sum())
    return (
        f"of {len(judged)} claims that can fail, {same} came out the same in at least {AGREED} of "
        f"{RUNS} runs on numbers that nobody had seen"
    )


if __name__ == "__main__":
    {"rules": write_rules, "seeds": write_seeds, "publish": publish}[sys.argv[1]]()
