"""Which files of the package are behind each kind of result, found by walking imports."""

import inspect
import json
from functools import cache
from pathlib import Path

from penalized_bandits.claims import TOPICS, claims_of
from penalized_bandits.config import BaseConfig
from penalized_bandits.experiments.catalogue import experiment as experiment_of
from penalized_bandits.policies import POLICIES, files_of
from penalized_bandits.policies.imported import registered
from penalized_bandits.workflow import staleness

RATINGS = ("datasets/ratings_source.py", "datasets/counts_csv.py", "datasets/provenance.py")
ORDER = "policies/__init__.py"
"""Colours and markers go by a policy's place in the registry."""


def code_of(*starts: str) -> set[Path]:
    """Return the files of the package that some of them stand on, and these."""
    return {staleness.PACKAGE / file for file in staleness.reached(*starts)}


@cache
def topic_code(topic: str) -> frozenset[Path]:
    """Return the files behind the claims that one job checks."""
    modules = (f"claims/paper/{entry.module}.py" for entry in claims_of(topic))
    return frozenset(code_of("claims/reading.py", *modules))


def ledger_code() -> set[Path]:
    """Return the files behind the ledger, and claims decided again with a reading flipped."""
    return {*code_of("claims/sensitivity.py").union(*map(topic_code, TOPICS))}


def comparison_code() -> set[Path]:
    """Return the files behind the comparison beyond the paper."""
    from penalized_bandits.claims.beyond import EXTENDED_CLAIMS

    modules = {f"claims/beyond/{entry.module}.py" for entry in EXTENDED_CLAIMS.values()}
    return {*code_of("claims/beyond/ledger.py", *modules), *ledger_code()}


def sharp_code() -> set[Path]:
    """Return the files behind the claims on the sharp constants."""
    from penalized_bandits.claims.sharp import SHARP_CLAIMS

    modules = {f"claims/sharp/{entry.module}.py" for entry in SHARP_CLAIMS.values()}
    return {*code_of(*modules), *ledger_code()}


def figure_code(figure: str) -> set[Path]:
    """Return the files behind a figure, beside those of what it shows."""
    return code_of("figures/base.py", f"figures/{figure}.py", ORDER)


def notebook_code(source: str) -> set[Path]:
    """Return the files behind a notebook (its text): what renders it, what its cells import."""
    cells = (c["source"] for c in json.loads(source)["cells"] if c["cell_type"] == "code")
    imported = staleness.imported_by("\n".join("".join(lines) for lines in cells))
    found = code_of("notebooks/run.py", "notebooks/page.py", ORDER, *imported)
    if staleness.PACKAGE / "engine/simulate.py" in found:
        found = found.union(*map(files_of, POLICIES))
    return found


def experiment_code(config: BaseConfig, name: str) -> set[Path]:
    """Return the files behind an experiment's replicates: engine, cases, policies, ratings."""
    wanted = experiment_of(name)
    own = {inspect.getfile(wanted.cases), inspect.getfile(wanted.section)}
    starts = {staleness.relative(Path(file)) for file in own}
    found = code_of("experiments/simulate.py", *starts, *(RATINGS if wanted.needs_ratings else ()))
    policies: list[str] = getattr(config.section(name), "policies", [])
    if registered().keys().isdisjoint(policies):
        # They play a user's own in plain Python; those of the package are compiled.
        found -= {staleness.PACKAGE / "engine/oracle.py", staleness.PACKAGE / "engine/play.py"}
    return found.union(*map(files_of, policies))
