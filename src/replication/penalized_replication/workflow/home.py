"""Where the workflow lies."""

import sys
from pathlib import Path

from penalized_replication.common.errors import RunError
from penalized_replication.extensions import PACKAGE


def home_of(rules: Path) -> Path:
    """Return the workflow's top folder, if on this machine: rules of a module may be from a host.

    Raises RunError for paths that Snakemake cannot take.
    """
    places = (rules, rules.parent, PACKAGE.parents[2])
    home = next((p for p in places if (p / "workflow/rules/common.smk").is_file()), PACKAGE)
    home = home.resolve()
    # Jobs start by the one path, and inputs have the other, where braces are wildcards.
    elsewhere = str(home).removeprefix(str(Path.cwd()))
    for path, signs in ((sys.executable, " '\"$&;()"), (elsewhere, "{}")):
        if {*path} & {*signs}:
            raise RunError(f"{path}: Snakemake takes no path with any of {signs!r}")
    return home
