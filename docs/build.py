"""Build the documentation site: write its pages as plain Markdown, then have them built.

    uv run python docs/build.py                      # into build/site, by MkDocs
    uv run python docs/build.py --with zensical      # the same by its successor
    uv run python docs/build.py --serve              # and look at it while pages are edited
    uv run python docs/build.py --results results    # with the pages of a run

Nothing of the pages is left to plugins of one builder but the reference of the package
(mkdocstrings), which both know.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from maker.tree import ROOT, copy_run, write_tree
from penalized_bandits.common.errors import UserError

CONFIG = ROOT / "docs/mkdocs.yml"
COMMANDS = {"mkdocs": ["build", "--strict", "--quiet"], "zensical": ["build", "--strict"]}


def write(folder: Path, results: Path | None = None) -> Path:
    """Write the tree and the config of its builder; return the config."""
    write_tree(folder / "pages", results)
    config = folder / "mkdocs.yml"
    text = CONFIG.read_text(encoding="utf-8").replace("$project", str(ROOT))
    if results is not None:
        text = text.replace("# of a run: ", "")
    config.write_text(text, encoding="utf-8")
    return config


def build(builder: str, config: Path) -> subprocess.CompletedProcess[str]:
    """Have the tree built; what the builder says is on its standard output."""
    return subprocess.run(  # noqa: S603  (a builder of this list)
        [sys.executable, "-m", builder, *COMMANDS[builder], "-f", str(config)],
        # The theme's notice about its own future is no warning about these pages.
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


def serve(builder: str, config: Path, results: Path | None) -> None:
    """Serve the site on this machine, and write the tree again as pages change."""
    command = [sys.executable, "-m", builder, "serve", "-f", str(config)]
    with subprocess.Popen(command) as server:  # noqa: S603  (as above)
        while server.poll() is None:
            time.sleep(1)
            write_tree(config.parent / "pages", results)


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--with", dest="builder", choices=COMMANDS, default="mkdocs")
    parser.add_argument("--serve", action="store_true", help="serve it while pages are edited")
    parser.add_argument("--results", type=Path, help="folder of a run whose pages to add")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build", help="where pages/, site/ go"
    )
    given = parser.parse_args()
    try:
        config = write(given.folder.resolve(), given.results)
    except UserError as error:
        sys.exit(str(error))
    if given.serve:
        serve(given.builder, config, given.results)
        return 0
    done = build(given.builder, config)
    sys.stdout.write(done.stdout)
    if given.results is not None and done.returncode == 0:
        copy_run(given.results, config.parent / "site")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
