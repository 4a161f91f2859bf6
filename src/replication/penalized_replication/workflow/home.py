"""Where the workflow lies, and what an installation may make of it."""

import sys
from pathlib import Path

from penalized_replication.common.errors import RunError
from penalized_replication.workflow.code import LIBRARY, PACKAGE


def home_of(rules: Path) -> Path:
    """Return the workflow's top folder, if on this machine: rules of a module may be from a host.

    Raises RunError for paths that Snakemake cannot take.  Warns if other packages run than those
    that lie there: a plain installation is a copy.
    """
    places = (rules, rules.parent, PACKAGE.parents[2])
    home = next((p for p in places if (p / "workflow/rules/common.smk").is_file()), PACKAGE)
    # Jobs start by the one path, and inputs have the other, where braces are wildcards.
    elsewhere = str(home.resolve()).removeprefix(str(Path.cwd()))
    for path, signs in ((sys.executable, " '\"$&;()"), (elsewhere, "{}")):
        if {*path} & {*signs}:
            raise RunError(f"{path}: Snakemake takes no path with any of {signs!r}")
    sources = (home / "src/library" / LIBRARY.name, home / "src/replication" / PACKAGE.name)
    pairs = zip(sources, (LIBRARY, PACKAGE), strict=True)
    if any(source.is_dir() and not source.samefile(used) for source, used in pairs):
        sys.stderr.write(
            f"Edits in {home / 'src'} do nothing: the packages that run are in {LIBRARY} and "
            f"{PACKAGE}. To run the sources: pip install -e src/library -e src/replication\n"
        )
    return home
